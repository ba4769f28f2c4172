package hocket.programs.jvm;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.groupNorm;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Layers.rmsNorm;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.gelu;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.sort;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.transpose;
import static hocket.programs.jvm.Both.assertAgree;
import static hocket.programs.jvm.Both.kernels;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dense layers, norms and moved axes of sequences on Java kernels, with their gradients. */
class SequenceKernelsTest {
    private static final int[] STEPS = {1, 2, 7, 8, 9, 33};
    private static final int[] FEATURES = {3, 17, 40};

    private static Program program(ElementType type, int steps, int features) {
        Graph graph = new Graph(type);
        Value x = graph.input("x", Shape.of(steps, features), type);
        try (var module = graph.module("m")) {
            Value h = tanh(dense("first", x, 2 * features)); // its gradient by x has no reader, that of the next has
            Value heads = transpose(reshape(h, steps, 2, features), 1, 0, 2);
            Value scaled = multiply(heads, reshape(mean(heads, 2), 2, steps, 1));
            Value joined = reshape(transpose(scaled, 1, 0, 2), steps, 2 * features);
            Value y = dense("second", layerNorm("norm", add(joined, h)), features + 1);
            return Program.compile("p", Mode.TRAIN, mean(square(tanh(y))), flatten(y));
        }
    }

    /** Rows that fill vectors, and so few that the steps are merged into them; each pair of rows and steps with one width. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8, 9, 16, 35})
    void theLayersOfSequencesHaveTheSameBitsByAllKernelsAndThreadsAndAreNearTheReference(int rows) {
        for (int i = 0; i < STEPS.length; i++) {
            int steps = STEPS[i];
            int features = FEATURES[(i + rows) % FEATURES.length];
            assertAgree(type -> program(type, steps, features), rows, rows);
        }
    }

    private static Program norms(ElementType type, int parts, int width) {
        Graph graph = new Graph(type);
        Value x = graph.input("x", Shape.of(parts, width), type);
        try (var module = graph.module("m")) {
            Value h = dense("h", x, width); // so that gradients by what is normalised are computed
            Value normed = add(layerNorm("layer", h), rmsNorm("root", gelu(h)));
            Value y = groupNorm("group", reshape(normed, 2 * parts, width / 2), 2);
            return Program.compile("p", Mode.TRAIN, mean(square(tanh(y))), flatten(y));
        }
    }

    /** Parts of more than a chain of a sum, and of a width that is no multiple of a vector's. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 16, 33})
    void normsHaveTheSameBitsByAllKernelsAndThreadsAndAreNearTheReference(int rows) {
        for (int width : new int[] {4, 6, 18, 130}) {
            assertAgree(type -> norms(type, 3, width), rows, rows);
        }
        if (rows <= 16) {
            assertAgree(type -> norms(type, 1, 1100), rows, 2);
            assertAgree(type -> norms(type, 64, 64), rows, 2);
        }
    }

    /** The input's own operator is not of the norm's gradient. */
    @Test
    void gradientsPassANormOfSortedRows() {
        assertAgree(SequenceKernelsTest::sorted, 3, 3);
    }

    private static Program sorted(ElementType type) {
        Graph graph = new Graph(type);
        Value x = graph.input("x", Shape.of(2, 5), type);
        try (var module = graph.module("m")) {
            Value h = sort(dense("h", x, 6), 1, false);
            return Program.compile("p", Mode.TRAIN, mean(square(tanh(layerNorm("norm", h)))), flatten(h));
        }
    }

    /** So many that threads share them. */
    @Test
    void longSequencesHaveTheSameBitsByAllKernelsAndThreads() {
        assertAgree(type -> program(type, 33, 200), 8, 0);
        assertAgree(type -> program(type, 260, 200), 1, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 15, 16, 21})
    void runsAreCopiedAndNothingBeyondThem(int width) {
        int runs = 5;
        for (int step : new int[] {width, width + 4, 32}) {
            float[] wanted = new float[runs * step + 64];
            float[] from = new float[runs * step + 64];
            for (int i = 0; i < from.length; i++) {
                from[i] = i + 1;
            }
            for (int i = 0; i < runs; i++) {
                System.arraycopy(from, 2 + i * step, wanted, 3 + i * step, width);
            }
            for (DenseKernels kernels : kernels()) {
                float[] to = new float[wanted.length];
                kernels.copyRuns(from, 2, step, runs, width, to, 3, step);
                assertThat(to).as("%s kernels", kernels.name()).isEqualTo(wanted);
            }
        }
    }
}
