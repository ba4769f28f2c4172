package hocket.programs.jvm;

import hocket.programs.Program;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;

/**
 * Runs every program in plain Java, in both float types: slow, and as near to the definitions as can be. What the others
 * are compared with, and what runs where nothing else can.
 */
public final class ReferenceLowering implements Lowering {
    /** For {@link java.util.ServiceLoader}. */
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
