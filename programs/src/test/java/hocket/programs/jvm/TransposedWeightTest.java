package hocket.programs.jvm;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Fixture;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import org.junit.jupiter.api.Test;

/** Dense layers on few rows, whose weights are transposed when they are read again unchanged. */
class TransposedWeightTest {
    private static final int INPUTS = 600;

    private final Graph graph = new Graph();
    private final Program program;

    TransposedWeightTest() {
        Value x = graph.input("x", Shape.of(INPUTS));
        try (var module = graph.module("m")) {
            program = Program.compile("p", Mode.EVAL, dense("second", tanh(dense("first", x, 1800)), 70));
        }
    }

    private BoundProgram bind(Parameters parameters, int threads) {
        return Fixture.bind(new JvmLowering(), program, parameters, threads, Fixture.none());
    }

    private static Tensor run(BoundProgram bound, int rows) {
        bound.feed("x", Fixture.random(Shape.of(rows, INPUTS), ElementType.FLOAT32, rows));
        bound.run(rows, 0, 0);
        return bound.target(0);
    }

    @Test
    void eachRunHasTheBitsOfAFirstRunAndReadsWhatWasWrittenBeforeIt() {
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = bind(parameters, 2)) {
            for (int write = 0; write < 3; write++) {
                for (int rows : new int[] {4, 1, 4, 8, 3, 20, 16, 4, 40}) {
                    try (BoundProgram fresh = bind(parameters, 1)) {
                        assertThat(run(bound, rows)).as("%s rows", rows).isEqualTo(run(fresh, rows));
                    }
                }
                String path = write == 0 ? "m/first/weight" : "m/second/weight";
                double[] values = parameters.tensor(path).doubles();
                values[values.length - 1] += 0.5;
                parameters.set(path, values);
            }
        }
    }
}
