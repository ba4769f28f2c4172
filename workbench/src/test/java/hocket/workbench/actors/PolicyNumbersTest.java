package hocket.workbench.actors;

import static hocket.programs.Layers.dense;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.replay.PolicyCopy;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import hocket.workbench.terminal.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyNumbersTest {
    private static Program policy(ElementType type) {
        Graph graph = new Graph(type);
        Value out;
        try (var actor = graph.module("actor")) {
            out = dense("out", graph.input("observation", Shape.of(3)), 2);
        }
        return Program.compile("policy", Mode.EVAL, out);
    }

    private static ByteBuffer room(PolicyNumbers numbers) {
        return ByteBuffer.allocateDirect(numbers.count() * Float.BYTES).order(ByteOrder.nativeOrder());
    }

    /** Versions above 2^24, where FLOAT32 no longer holds each whole number; and that of who has none. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1, (1L << 24) - 1, 1L << 24, (1L << 24) + 1, 123_456_789_012L})
    void aPolicyComesBackAsItWas(long version) {
        TreeMap<Path, Tensor> tensors = new TreeMap<>();
        tensors.put(Path.of("actor/out/bias"), Tensor.of(Shape.of(2), 0.1f, -0.2f));
        tensors.put(Path.of("actor/out/weight"), Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, Float.NaN, -0f));
        PolicyCopy policy = new PolicyCopy(version, new Snapshot(tensors));
        PolicyNumbers numbers = new PolicyNumbers(policy(ElementType.FLOAT32));
        ByteBuffer room = room(numbers);
        numbers.put(policy, room);
        assertThat(numbers.count()).isEqualTo(2 + 6 + 2);
        assertThat(PolicyNumbers.version(room)).isEqualTo(version);
        assertThat(numbers.get(room)).isEqualTo(policy);
    }

    @Test
    void otherParametersAreNoPolicyOfTheProgram() {
        PolicyNumbers numbers = new PolicyNumbers(policy(ElementType.FLOAT32));
        TreeMap<Path, Tensor> tensors = new TreeMap<>();
        tensors.put(Path.of("critic/bias"), Tensor.of(Shape.of(8), new float[8]));
        assertThatThrownBy(() -> numbers.put(new PolicyCopy(1, new Snapshot(tensors)), room(numbers)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a policy of [critic/bias] in place of [actor/out/bias, actor/out/weight]");
    }

    @Test
    void serversKeepFloat32Alone() {
        assertThatThrownBy(() -> new PolicyNumbers(policy(ElementType.FLOAT64)))
                .isInstanceOf(Refusal.class)
                .hasMessage(
                        "--policy-servers: keep FLOAT32 numbers, and those of actor/out/bias are FLOAT64; leave it out");
    }
}
