package hocket.schedulers.exchange;

import hocket.programs.Program;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import java.util.Optional;

/** A lowering whose executables each compute a share of the rows. */
record DataParallelLowering(Lowering undivided, DataParallelSplit division, boolean apart) implements Lowering {
    @Override
    public String name() {
        return undivided.name();
    }

    @Override
    public String version() {
        return undivided.version();
    }

    @Override
    public Optional<String> unavailable() {
        return undivided.unavailable();
    }

    @Override
    public int preference(Program program) {
        return undivided.preference(program);
    }

    @Override
    public Optional<String> refuses(Program program) {
        return undivided.refuses(program);
    }

    @Override
    public void releaseMemory(long bytes) {
        undivided.releaseMemory(bytes);
    }

    @Override
    public Executable bind(Binding binding) {
        return new DataParallelExecutable(undivided, division, apart, binding);
    }
}
