package hocket.programs.mxnet;

import hocket.programs.Program;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import hocket.programs.execution.ProgramException;
import hocket.scopes.Device;
import hocket.scopes.Path;
import hocket.scopes.Snapshot;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/** Runs programs on MXNet: a program becomes one symbol bound to the store's arrays. */
public final class MxLowering implements Lowering {
    /** The bytes of closed programs from which returning memory to the system is worth some milliseconds. */
    private static final long MUCH = 16_000_000;

    private static final AtomicLong CLOSED = new AtomicLong();

    @Override
    public String name() {
        return "mxnet";
    }

    @Override
    public String version() {
        return unavailable().isPresent() ? "" : Engine.get().version();
    }

    /** {@inheritDoc} The first call loads the engine, which takes about half a second, longer on a machine's first use. */
    @Override
    public Optional<String> unavailable() {
        return Engine.unavailable();
    }

    @Override
    public Optional<String> home() {
        return Optional.of(Installation.home());
    }

    @Override
    public int preference(Program program) {
        return 100;
    }

    @Override
    public Optional<String> refuses(Program program, SortedSet<Path> gradients) {
        return EngineTable.TABLE
                .uncovered(program.values())
                .map(value -> value.path() + ": the engine has no rule for "
                        + value.operator().kind());
    }

    @Override
    public Optional<Outline> outline(Program program, SortedSet<Path> gradients, int batch, int threads) {
        Program executed =
                program.with(program.runningOwnedBy(gradients)).withMoments(program.batchNormsOwnedBy(gradients));
        MxSymbolWriter symbol = new MxSymbolWriter(executed, gradients, batch);
        symbol.written();
        return Optional.of(new Outline(symbol.operators(), symbol.threads(threads)));
    }

    @Override
    public Optional<Model> model(Program program, Snapshot values) {
        refuses(program, new TreeSet<>()).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        return Optional.of(MxModel.of(program, values));
    }

    @Override
    public void releaseMemory(long bytes) {
        if (CLOSED.addAndGet(bytes) > MUCH) {
            CLOSED.set(0);
            Handle.freeLost();
            ProcessEnvironment.releaseFreeMemory();
        }
    }

    @Override
    public Optional<Device> device() {
        return Optional.of(MxDevice.MEMORY);
    }

    /** Four: its executors share less than half of their memory. */
    @Override
    public int mostRowCounts() {
        return 4;
    }

    @Override
    public Executable bind(Binding binding) {
        try {
            return MxExecutable.bind(binding);
        } catch (EngineException e) {
            throw new ProgramException(
                    "program " + binding.program().name() + ": " + e.getMessage(), e, e.poisonsThread);
        }
    }
}
