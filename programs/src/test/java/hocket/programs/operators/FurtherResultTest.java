package hocket.programs.operators;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Fixture;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.mxnet.MxLowering;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FurtherResultTest {
    private final Graph graph = new Graph();
    private final Program program = program(graph);

    private static Program program(Graph graph) {
        Value x = graph.input("x", Shape.of(2, 1));
        try (Scope<Value> module = graph.module("m")) {
            return Program.compile("p", Mode.TRAIN, mean(square(relu(batchNorm("norm", x)))));
        }
    }

    @Test
    void theMomentsOfABatchAreTargetsInDoublePrecision() {
        Program with = program.withMoments(program.batchNorms());
        assertThat(with.targets()).hasSize(3);
        for (Lowering lowering : List.of(new MxLowering(), new ReferenceLowering(), new JvmLowering())) {
            if (lowering.unavailable().isEmpty()) {
                try (Parameters parameters = Fixture.store(graph);
                        BoundProgram bound = Fixture.bind(lowering, with, parameters, Fixture.none())) {
                    bound.feed("x", Tensor.of(Shape.of(4, 2, 1), 1f, 10, 2, 20, 3, 30, 6, 20));
                    bound.run(4, 0, 0);
                    assertThat(bound.target(1).type()).isEqualTo(ElementType.FLOAT64);
                    assertThat(bound.target(1).doubles()).containsExactly(3, 20);
                    assertThat(bound.target(2).doubles()[0]).isCloseTo(3.5, within(1e-5));
                    assertThat(bound.target(2).doubles()[1]).isCloseTo(50, within(1e-4));
                }
            }
        }
    }

    @Test
    void kernelsTakeNoMoreStepsForThem() {
        Lowering kernels = new JvmLowering();
        Program with = program.withMoments(program.batchNorms());
        assertThat(kernels.outline(with, program.reached(), 4, 1))
                .isEqualTo(kernels.outline(program, program.reached(), 4, 1));
    }

    @Test
    void aBatchNormHasNoMomentsWhereItUsesTheRunningOnes() {
        Value norm = program.batchNorms().get(0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> program.in(Mode.EVAL).withMoments(List.of(norm)))
                .withMessage("program p: m/norm (batch,2,1) does not normalise by the batch");
    }

    @Test
    void aResultThatAnOperatorDoesNotHaveIsRefused() {
        Value norm = program.batchNorms().get(0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> graph.numbered(new FurtherResult(2), norm))
                .withMessageContaining("needs a value of more than 3 results, got m/norm (batch,2,1)");
    }

    @Test
    void noGradientFlowsThroughIt() {
        Value deviation = graph.further(program.batchNorms().get(0)).get(BatchNorm.BATCH_VARIANCE);
        assertThat(Program.compile("q", Mode.TRAIN, mean(deviation)).reached()).isEqualTo(new TreeSet<>());
    }
}
