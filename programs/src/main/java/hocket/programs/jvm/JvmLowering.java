package hocket.programs.jvm;

import hocket.programs.Program;
import hocket.programs.execution.Cost;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.dense.DenseExecutable;
import hocket.programs.jvm.dense.DenseSteps;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.scopes.Path;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/**
 * Runs FLOAT32 programs on Java kernels, on parameters of any device and without an engine: small programs several times as fast as an
 * engine with overhead for each operator.
 */
public final class JvmLowering implements Lowering {
    /** Forward operations a row from which an engine is faster than kernels without vectors. */
    private static final long WORTH_AN_ENGINE = 100_000;

    /** Multiply-adds of convolutions a row, other than Winograd's, from which an engine is faster where they are most. */
    private static final long WORTH_AN_ENGINE_S_CONVOLUTIONS = 4_000_000;

    private final DenseKernels kernels;

    /** Used by {@link java.util.ServiceLoader}. */
    public JvmLowering() {
        this(DenseKernels.best());
    }

    JvmLowering(DenseKernels kernels) {
        this.kernels = kernels;
    }

    @Override
    public String name() {
        return "jvm";
    }

    /** Returns the kind of kernels: {@code vector} or {@code plain}. */
    @Override
    public String version() {
        return kernels.name();
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public Optional<String> refuses(Program program, SortedSet<Path> gradients) {
        return DenseSteps.uncovered(program, gradients);
    }

    /**
     * The preference: before any engine with vector kernels, and for small programs without; after an engine for large
     * convolutions that are mostly computed by their definition.
     */
    @Override
    public int preference(Program program) {
        long defined = DenseSteps.multiplyAdds(program, false);
        if (defined > WORTH_AN_ENGINE_S_CONVOLUTIONS && 2 * defined > DenseSteps.multiplyAdds(program, true)) {
            return 50;
        }
        boolean small = Cost.of(program, Set.of()).forward().perRow() < WORTH_AN_ENGINE;
        return small || kernels.name().equals("vector") ? 200 : 50;
    }

    @Override
    public Optional<Outline> outline(Program program, SortedSet<Path> gradients, int batch, int threads) {
        return Optional.of(DenseSteps.outline(program, gradients, batch, threads));
    }

    @Override
    public boolean runsBeside() {
        return true;
    }

    @Override
    public Executable bind(Binding binding) {
        return PlainExecutable.withinMemory(binding, () -> new DenseExecutable(binding, kernels));
    }
}
