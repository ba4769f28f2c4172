package hocket.programs.execution;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import hocket.programs.Fixture;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Rewriter.Replacement;
import hocket.programs.operators.Leaf;
import hocket.scopes.Mapping;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RewriterTest {
    private final Graph graph = new Graph();
    private final Value x = graph.input("x", Shape.of(2));

    @Test
    void eachValueIsMappedOnceAfterItsInputsDownToKnownOnes() {
        Value known = relu(x);
        Value twice = tanh(known);
        Value sum = add(twice, twice);
        List<Value> seen = new ArrayList<>();
        List<Value> made = new ArrayList<>();
        Map<Value, Value> rewritten =
                Rewriter.rewritten(List.of(sum), Map.of(known, x), Value::inputs, (value, inputs) -> {
                    seen.add(value);
                    made.add(graph.made(value, value.operator(), inputs, value.result()));
                    return made.get(made.size() - 1);
                });
        assertThat(seen).containsExactly(twice, sum);
        assertThat(rewritten).containsEntry(twice, made.get(0)).containsEntry(sum, made.get(1));
        assertThat(made.get(0).inputs()).containsExactly(x);
        assertThat(made.get(1).inputs()).containsExactly(made.get(0), made.get(0));
    }

    @Test
    void mappingsOfReplacedParametersAreLeftOut() {
        Value first;
        Value second;
        try (Scope<Value> a = graph.module("a")) {
            first = tanh(Fixture.parameter(graph, "w", 2));
        }
        try (Scope<Value> b = graph.module("b")) {
            second = Fixture.parameter(graph, "w", 2);
        }
        Program program = Program.compile("p", Mode.EVAL, add(add(x, first), second))
                .reading("a", "c")
                .reading("b", "d");
        Leaf input = new Leaf.Constant(Tensor.of(Shape.of(2), new float[] {1, 2}));
        Program cut = Rewriter.cut(program, Map.of(first, new Replacement(Path.of("first"), input)));
        assertThat(cut.mappings()).containsExactly(Mapping.of("b", "d"));
        assertThat(cut.parameters().keySet()).containsExactly(Path.of("d/w"));
        assertThat(cut.graph().value("first").operator()).isEqualTo(input);
    }

    @Test
    void anOperatorThatCannotTakeALeafIsNamed() {
        Value dropped = dropout("drop", x, 0.5);
        Leaf normal = (Leaf) graph.noise("normal", Shape.of(2)).operator();
        Replacement input = new Replacement(Path.of("mask"), normal);
        Program program = Program.compile("p", Mode.TRAIN, dropped);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rewriter.cut(program, Map.of(dropped.inputs().get(1), input)))
                .withMessageStartingWith("drop: needs a mask like its input x (batch,2), got mask");
    }

    @Test
    void twoValuesOfOnePathAreRefused() {
        Value y = relu(x);
        Value twin = graph.made(y, y.operator(), y.inputs(), y.result());
        Program program = Program.compile("twins", Mode.EVAL, add(y, twin));
        assertThatIllegalStateException()
                .isThrownBy(() -> Rewriter.cut(program, Map.of()))
                .withMessageStartingWith("two values are called relu");
    }
}
