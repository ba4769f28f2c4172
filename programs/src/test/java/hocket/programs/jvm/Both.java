package hocket.programs.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Outcome;
import hocket.programs.Program;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** The kernels that this JVM can run. */
public final class Both {
    private Both() {}

    public static List<DenseKernels> kernels() {
        List<DenseKernels> kernels = new ArrayList<>();
        kernels.add(DenseKernels.plain());
        DenseKernels.vector().ifPresent(kernels::add);
        return kernels;
    }

    /**
     * Checks that a program's targets and gradients have the same bits by all kernels and threads, and, of at most some
     * rows, are near the reference.
     */
    static void assertAgree(Function<ElementType, Program> program, int rows, int most) {
        assertAgree(program, rows, most, path -> true);
    }

    /** The same of the gradients by some parameters. */
    static void assertAgree(Function<ElementType, Program> program, int rows, int most, Predicate<Path> by) {
        Program floats = program.apply(ElementType.FLOAT32);
        Outcome plain = Outcome.byThreads(new JvmLowering(DenseKernels.plain()), floats, rows, 1, by);
        if (rows <= most) {
            Outcome exact = Outcome.byThreads(new ReferenceLowering(), program.apply(ElementType.FLOAT64), rows, 1, by);
            plain.assertNear(exact, 1e-5); // float32 chains of at most 512 terms
        }
        for (DenseKernels kernels : kernels()) {
            for (int threads : kernels.name().equals("plain") ? new int[] {2} : new int[] {1, 2}) {
                Outcome other = Outcome.byThreads(new JvmLowering(kernels), floats, rows, threads, by);
                plain.numbers()
                        .forEach((name, numbers) -> assertThat(other.numbers().get(name))
                                .as("%s, %s kernels, %s threads", name, kernels.name(), threads)
                                .isEqualTo(numbers));
            }
        }
    }
}
