package hocket.programs.jvm;

import hocket.programs.Program;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;

/**
 * Runs every program in plain Java, in both float types: slow, and as close to the definitions as possible. It is the
 * reference for the other lowerings, and the fallback where no other can run.
 */
public final class ReferenceLowering implements Lowering {
    /** Used by {@link java.util.ServiceLoader}. */
    public ReferenceLowering() {}

    @Override
    public String name() {
        return REFERENCE;
    }

    @Override
    public int preference(Program program) {
        return 0;
    }

    @Override
    public boolean runsBeside() {
        return true;
    }

    @Override
    public Executable bind(Binding binding) {
        return PlainExecutable.withinMemory(binding, () -> new PlainExecutable(binding));
    }
}
