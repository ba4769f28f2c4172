package hocket.schedulers;

import hocket.programs.Program;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A wrong lowering: the reference, but all programs leave their gradients in one working memory. Whoever runs last has
 * overwritten those of the others.
 */
public final class OneMemory implements Lowering {
    public static final String NAME = "one-memory";

    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.nativeOrder());

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
            private ByteBuffer gradient(int index, int at) {
                int length = inner.gradient(index).capacity();
                return MEMORY.slice(at, length).order(ByteOrder.nativeOrder());
            }

            private int at(int index) {
                int at = 0;
                for (int i = 0; i < index; i++) {
                    at += inner.gradient(i).capacity();
                }
                return at;
            }

            @Override
            public void run() {
                super.run();
                for (int i = 0; i < gradients; i++) {
                    gradient(i, at(i)).put(inner.gradient(i).clear());
                }
            }

            @Override
            public ByteBuffer gradient(int index) {
                return gradient(index, at(index));
            }
        };
    }
}
