package hocket.programs.jvm;

import hocket.programs.Executable;
import hocket.programs.Lowering;
import hocket.programs.ProgramException;
import java.util.Optional;

/** Runs programs in the JVM, wherever the store's arrays live. */
public final class JvmLowering implements Lowering {
    /** For {@link java.util.ServiceLoader}. */
    public JvmLowering() {}

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
            return new PlainExecutable(binding);
        } catch (OutOfMemoryError e) {
            throw new ProgramException(
                    "program " + binding.program().name() + ": a batch of " + binding.batch()
                            + " rows needs more memory than the JVM has (" + e.getMessage() + ")",
                    e,
                    false);
        }
    }
}
