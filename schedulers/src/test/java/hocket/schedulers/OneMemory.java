package hocket.schedulers;

import hocket.programs.Program;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import hocket.scopes.Device;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A wrong lowering: the reference, but all programs leave their gradients in one working memory. Whoever runs last has
 * overwritten those of the others.
 */
public final class OneMemory implements Lowering {
    public static final String NAME = "one-memory";

    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(1 << 16);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> unavailable() {
        return System.getProperty(PROPERTY, "auto").equals(NAME) ? Optional.empty() : Optional.of("it is wrong");
    }

    @Override
    public int preference(Program program) {
        return Integer.MIN_VALUE;
    }

    @Override
    public Executable bind(Binding binding) {
        int gradients = binding.gradients().size();
        return new ForwardingExecutable(Lowering.reference().bind(binding)) {
            private Device.Array gradient(int index, int at) {
                Device.Array own = inner.gradient(index);
                ByteBuffer some = MEMORY.slice(at, own.buffer().capacity());
                return Device.over(some, own.shape(), own.type());
            }

            private int at(int index) {
                int at = 0;
                for (int i = 0; i < index; i++) {
                    at += inner.gradient(i).buffer().capacity();
                }
                return at;
            }

            @Override
            public void run() {
                super.run();
                for (int i = 0; i < gradients; i++) {
                    gradient(i, at(i)).write(inner.gradient(i).buffer());
                }
            }

            @Override
            public Device.Array gradient(int index) {
                return gradient(index, at(index));
            }
        };
    }
}
