package hocket.programs.jvm;

import hocket.programs.Executable;
import hocket.programs.Lowering;
import hocket.programs.ProgramException;
import java.util.Optional;

/** Runs programs in the JVM, wherever the store's arrays live. */
public final class JvmLowering implements Lowering {
    private final boolean plain;
    private final DenseKernels kernels = DenseKernels.best();

    /** Dense programs by fast kernels, all others by the plain reference. For {@link java.util.ServiceLoader}. */
    public JvmLowering() {
        this(false);
    }

    private JvmLowering(boolean plain) {
        this.plain = plain;
    }

    /** All programs by the plain reference. */
    public static JvmLowering reference() {
        return new JvmLowering(true);
    }

    @Override
    public String name() {
        return "jvm";
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public int preference() {
        return 0;
    }

    @Override
    public Executable bind(Binding binding) {
        try {
            return plain || !DenseSteps.covers(binding.program())
                    ? new PlainExecutable(binding)
                    : new DenseExecutable(binding, kernels);
        } catch (OutOfMemoryError e) {
            throw new ProgramException(
                    "program " + binding.program().name() + ": a batch of " + binding.batch()
                            + " rows needs more memory than the JVM has (" + e.getMessage() + ")",
                    e,
                    false);
        }
    }
}
