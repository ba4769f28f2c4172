package hocket.rl.networks;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.rl.networks.Mlp.Activation;
import hocket.rl.networks.Mlp.Initialisation;
import hocket.rl.spaces.Box;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NoisyDenseTest {
    private record Seen(Value observation, double sigma) {}

    private final Graph graph = new Graph();
    private final Value observation = graph.input("observation", Shape.of(3));
    private final NetworkBody body = new NetworkBody(
            Box.of(3, -1, 1), Encoder.flat(), new Mlp(List.of(8), Activation.RELU, Initialisation.UNIFORM));
    private final Network<Seen, Value> q =
            graph.module("q", seen -> ActionValues.of(body, seen.observation(), 2, 5, true, seen.sigma()));

    private static double[] row(Tensor all, int row) {
        return Arrays.copyOfRange(all.doubles(), 10 * row, 10 * row + 10);
    }

    @Test
    void rowsShareNoiseCallsAndTurnsDoNotAndMeansHaveNone() {
        Value first = q.apply(new Seen(observation, 0.5));
        Value second = q.apply(new Seen(observation, 0.5));
        Value means = q.apply(new Seen(observation, 0));
        Program noisy = Program.compile("noisy", Mode.EVAL, first, second);
        Program certain = Program.compile("certain", Mode.EVAL, means);
        assertThat(first.shape()).isEqualTo(Shape.of(2, 5));
        assertThat(noisy.noises()).hasSize(2 * 3 * 2); // of three layers, each by inputs and outputs, in two calls
        assertThat(certain.noises()).isEmpty();
        try (Parameters store = Parameters.initialise(graph.declarations(), Streams.seed(3));
                Session session = Session.over(graph, store, Mode.EVAL)) {
            Feeds twice = Feeds.rows(2).and("observation", Tensor.of(Shape.of(2, 3), 1f, 2, -1, 1, 2, -1));
            List<Tensor> now = session.run(noisy, twice);
            double[] drawn = row(now.get(0), 0);
            assertThat(row(now.get(0), 1)).isEqualTo(drawn);
            assertThat(row(now.get(1), 0)).isNotEqualTo(drawn);
            assertThat(row(session.run(noisy, twice).get(0), 0)).isNotEqualTo(drawn);
            double[] mean = row(session.run(certain, twice).get(0), 0);
            assertThat(row(session.run(certain, twice).get(0), 0)).isEqualTo(mean);
            assertThat(mean).isNotEqualTo(drawn);
        }
    }
}
