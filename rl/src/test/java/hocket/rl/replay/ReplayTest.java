package hocket.rl.replay;

import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.NumpySeed;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.rl.sampling.PrioritisedSampler;
import hocket.rl.sampling.Sampler;
import hocket.rl.sampling.Sampling;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiDiscrete;
import hocket.schedulers.Budget;
import hocket.schedulers.Resample;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static Replay replay(int capacity, int batch) {
        return Transitions.replay(Box.of(2, -1, 1), new Discrete(3), capacity, batch);
    }

    /** The transition of a number. */
    private static void add(Replay replay, int number) {
        Transitions.add(
                replay,
                new float[] {number, -number},
                new float[] {number % 3},
                0,
                number,
                new float[] {number + 1, -number - 1},
                new float[0],
                0,
                number % 2);
    }

    private static float[] rewards(Replay replay) {
        return tensor(
                        replay.draw(column -> column.name().equals("reward"), Streams.seed(1))
                                .tensors(),
                        "reward")
                .floats();
    }

    private static Tensor tensor(Map<String, Tensor> rows, String column) {
        return Objects.requireNonNull(rows.get(column));
    }

    @Test
    void theOldestTransitionIsDropped() {
        Replay replay = replay(4, 1);
        for (int i = 0; i < 6; i++) {
            add(replay, i);
        }
        assertThat(replay.size()).isEqualTo(4);
        State saved = replay.save();
        // Segments of one row: observation, action, reward, next observation, discount.
        assertThat(saved.items().keySet().stream().filter(name -> name.startsWith("segment")))
                .containsExactly("segment-000000002", "segment-000000003", "segment-000000004", "segment-000000005");
        assertThat(SavedRows.floats(saved.rows("segment-000000005"))).containsExactly(5, -5, 2, 5, 6, -6, 1);
        Set<Float> drawn = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            drawn.add(rewards(replay)[0]);
        }
        assertThat(drawn).containsExactlyInAnyOrder(2f, 3f, 4f, 5f);
    }

    @Test
    void transitionsAreSampledUniformly() {
        Replay replay = replay(10, 10_000);
        for (int i = 0; i < 10; i++) {
            add(replay, i);
        }
        int[] counts = new int[10];
        for (float reward : rewards(replay)) {
            counts[(int) reward]++;
        }
        // binomial of 10,000 and 0.1: deviation 30; five of them on either side
        for (int count : counts) {
            assertThat(count).isBetween(850, 1150);
        }
    }

    @Test
    void theRowsOfADrawBelongTogether() {
        Replay replay = replay(50, 20);
        for (int i = 0; i < 50; i++) {
            add(replay, i);
        }
        var drawn = replay.draw(column -> true, Streams.seed(1)).tensors();
        float[] rewards = tensor(drawn, "reward").floats();
        for (int i = 0; i < 20; i++) {
            int number = (int) rewards[i];
            assertThat(tensor(drawn, "observation").floats()[2 * i + 1]).isEqualTo(-number);
            assertThat(tensor(drawn, "action").get(i)).isEqualTo(number % 3);
            assertThat(tensor(drawn, "next_observation").floats()[2 * i]).isEqualTo(number + 1);
            assertThat(tensor(drawn, "discount").floats()[i]).isEqualTo(number % 2);
        }
    }

    @Test
    void aReplayRestoredFromSegmentsContinuesBitForBit() {
        Replay one = replay(40_000, 64);
        for (int i = 0; i < 45_000; i++) {
            add(one, i);
        }
        rewards(one);
        State saved = one.save();
        assertThat(saved.items()).containsKeys("segment-000000002", "segment-000000017");
        Replay other = replay(40_000, 64);
        other.restore(saved);
        assertThat(other.save().equals(saved)).isTrue();
        for (Replay each : new Replay[] {one, other}) {
            add(each, 7);
        }
        assertThat(rewards(other)).containsExactly(rewards(one));
        assertThat(other.save().equals(one.save())).isTrue();
    }

    /** The places that are drawn are those of a ring, in which the newest takes the place of the oldest. */
    @Test
    void theSampleIsThatOfARingBuffer() {
        for (int capacity : new int[] {1, 7, 100, 1000}) {
            Replay replay = replay(capacity, 50);
            float[] ring = new float[capacity];
            Pcg64 random =
                    Pcg64.of(SeedSequence.of(NumpySeed.of(Streams.seed(1))).child(3));
            for (int i = 0; i < 3 * capacity; i++) {
                add(replay, i);
                ring[i % capacity] = i;
                if (i % (1 + capacity / 3) == 0) {
                    float[] expected = new float[50];
                    for (int k = 0; k < expected.length; k++) {
                        expected[k] = ring[(int) random.integers(0, Math.min(capacity, i + 1))];
                    }
                    assertThat(rewards(replay)).containsExactly(expected);
                }
            }
        }
    }

    @Test
    void aSavedStateDoesNotChange() {
        Replay replay = replay(40, 1);
        for (int i = 0; i < 43; i++) {
            add(replay, i);
        }
        State saved = replay.save();
        Replay before = replay(40, 1);
        before.restore(saved);
        for (int i = 0; i < 200; i++) {
            add(replay, 1000 + i);
        }
        Replay after = replay(40, 1);
        after.restore(saved);
        assertThat(after.save().equals(before.save())).isTrue();
        add(before, 7);
        assertThat(after.save().equals(saved)).isTrue();
    }

    @Test
    void aStateOfAnotherReplayIsRefusedAndNothingChanges() {
        Replay replay = replay(4, 1);
        add(replay, 1);
        State before = replay.save();
        assertThatThrownBy(() -> replay.restore(replay(5, 1).save()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 of 5 rows")
                .hasMessageContaining("room for 4");
        Replay wider = Transitions.replay(Box.of(3, -1, 1), new Discrete(3), 4, 1);
        Transitions.add(wider, new float[3], new float[1], 0, 0, new float[3], new float[0], 0, 0);
        assertThatThrownBy(() -> replay.restore(wider.save()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 rows of 36 bytes, must be 1 of 28")
                .hasMessageContaining("observation (2)");
        assertThat(replay.save().equals(before)).isTrue();
    }

    @Test
    void moreThanThisMachineHoldsIsRefusedWithTheBytesNeededAndThere() {
        Replay replay = Transitions.replay(Box.of(50_000, -1, 1), new Discrete(3), 1_000_000_000, 1);
        replay.expect(1);
        replay.requireRoom();
        replay.expect(2_000_000_000);
        assertThatThrownBy(replay::requireRoom)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("replay: 1,000,000,000 rows of 400,012 bytes each would need 400,012,000 MB,"
                        + " and the JVM has ")
                .hasMessageEndingWith(String.format(
                        Locale.ROOT,
                        " MB left of %,.0f MB (-Xmx gives it more)",
                        Runtime.getRuntime().maxMemory() / 1e6));
    }

    @Test
    void observationsOfBytesAreKeptAsBytes() {
        Box picture = Box.of(4, 0, 255).whole();
        Replay replay = Transitions.replay(picture, MultiDiscrete.of(2, 2), 4, 1, true, Sampler.uniform());
        replay.expect(1);
        assertThat(replay.bytes()).isEqualTo(4 + 2 * 4 + 4 + 4 + 4 + 4); // the mask is of bytes, too
        Transitions.add(
                replay,
                new float[] {9, 9, 9, 9, 0, 1, 254, 255},
                new float[] {9, 9, 1, 0},
                1,
                -0.5f,
                new float[] {200, 127, 128, 3},
                new float[] {1, 0, 1, 1},
                0,
                0.25f);
        Replay restored = Transitions.replay(picture, MultiDiscrete.of(2, 2), 4, 1, true, Sampler.uniform());
        restored.restore(replay.save());
        Map<String, Tensor> drawn =
                restored.draw(column -> true, Streams.seed(1)).tensors();
        assertThat(tensor(drawn, "observation").floats()).containsExactly(0, 1, 254, 255);
        assertThat(tensor(drawn, "next_observation").floats()).containsExactly(200, 127, 128, 3);
        assertThat(tensor(drawn, "next_mask").floats()).containsExactly(1, 0, 1, 1);
        assertThat(tensor(drawn, "reward").floats()).containsExactly(-0.5f);
        assertThat(tensor(drawn, "discount").floats()).containsExactly(0.25f);
    }

    private static Replay prioritised() {
        Sampler sampler = PrioritisedSampler.usual().alpha(1).epsilon(0);
        return Transitions.replay(Box.of(2, -1, 1), new Discrete(3), 4, 4, false, sampler);
    }

    /** A turn learns the observations as they are: the error of a row is its first number. */
    @Test
    void theErrorsOfAnUpdateAreThePrioritiesOfTheNext() {
        Replay replay = prioritised();
        replay.expect(4);
        for (int i = 0; i < 4; i++) {
            add(replay, i);
        }
        Graph graph = new Graph();
        Transition step = Transition.of(graph, replay);
        Value weight;
        try (var module = graph.module("m")) {
            weight = graph.parameter("w", (path, type) -> Declaration.zeros(path, Shape.of(), type));
        }
        Value error = reshape(slice(step.observation(), 0, 0, 1));
        Value loss = step.loss(RegressionLoss.SQUARED, error, Operators.add(weight, step.reward()));
        Program program = Program.compile("learn", Mode.TRAIN, Loss.of(loss));
        Turn.Descend turn = replay.learning(Turn.of("learn", program).updates("m/**", Optimizers.sgd(0)), error);
        Setup setup = replay.feed(
                Setup.of(Networks.of(graph, program), turn, Budget.rounds(3)), Resample.EACH_TURN, turn, error);
        try (Parameters parameters = setup.initialise(7);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run();
        }
        double[] priorities =
                replay.save().state("sampling").tensor("priorities").doubles();
        // the first draw, of equal priorities, has each row once; row 0 has no error and is not drawn again
        assertThat(priorities).containsExactly(0, 1, 2, 3);
        var drawn = replay.draw(column -> true, Streams.seed(1)).tensors();
        float[] rewards = tensor(drawn, "reward").floats();
        float[] weights = tensor(drawn, "weight").floats();
        for (int i = 0; i < 4; i++) { // beta is 1 at the end: the rarest row of the batch weighs 1
            assertThat(weights[i] * rewards[i]).isCloseTo(rewards[0], within(1e-6f));
        }
    }

    @Test
    void aStateOfAnotherSamplerIsRefusedAndNothingChanges() {
        State uniform = replay(4, 4).save();
        TreeMap<String, Saved> items = new TreeMap<>(uniform.items());
        items.remove("sampler");
        items.remove("sampling");
        State former = new State(items); // of a version without samplers
        replay(4, 4).restore(former);
        Replay prioritised = prioritised();
        add(prioritised, 1);
        State before = prioritised.save();
        for (State other : List.of(uniform, former)) {
            assertThatThrownBy(() -> prioritised.restore(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("source replay: was saved with sampler uniform, here it is prioritised");
        }
        assertThatThrownBy(() -> prioritised.restore(before.with(
                        "sampling", before.state("sampling").with("priorities", Tensor.of(Shape.of(1), -1.0)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sampler: was saved with the priority -1.0");
        assertThat(prioritised.save().equals(before)).isTrue();
        assertThatThrownBy(() -> replay(4, 4).restore(before))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("source replay: was saved with sampler prioritised, here it is uniform");
    }

    /** A turn that failed after its draw is taken again with the same rows, also by another process. */
    @Test
    void theRowsThatWereDrawnAreSavedForTheirPriorities() {
        Replay replay = fed();
        replay.draw(column -> true, Streams.seed(1));
        Replay restored = prioritised();
        restored.restore(replay.save());
        assertThat(restored.save().tensor("places").doubles()).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    private static Replay fed() {
        Replay replay = prioritised();
        for (int i = 0; i < 4; i++) {
            add(replay, i);
        }
        Graph graph = new Graph();
        Transition step = Transition.of(graph, replay);
        Program program = Program.compile("learn", Mode.TRAIN, Loss.of(Operators.mean(step.reward())));
        Turn.Descend turn = Turn.of("learn", program);
        replay.feed(
                Setup.of(Networks.of(graph, program), turn, Budget.rounds(1)), Resample.EACH_TURN, turn, step.reward());
        return replay;
    }

    @Test
    void prioritiesThatNobodyGivesAreRefused() {
        Replay replay = prioritised();
        add(replay, 1);
        assertThatThrownBy(() -> replay.draw(column -> true, Streams.seed(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the replay has priorities: Replay.feed must feed it, which gives them to rows by a turn's"
                        + " errors");
    }

    /** Draws a place without a row. */
    private record Careless() implements Sampler {
        @Override
        public Sampling of(int capacity) {
            return new Sampling() {
                @Override
                public void added(int place) {}

                @Override
                public void draw(int[] places, float[] weights, int size, double progress, Pcg64 random) {
                    places[1] = size;
                }

                @Override
                public void learnt(int[] places, float[] errors) {}

                @Override
                public State save() {
                    return State.empty();
                }

                @Override
                public void restore(State state) {}
            };
        }
    }

    @Test
    void aSamplerThatDrawsWhatIsNotThereIsRefused() {
        Replay replay = Transitions.replay(Box.of(2, -1, 1), new Discrete(3), 4, 4, false, new Careless());
        add(replay, 1);
        assertThatThrownBy(() -> replay.draw(column -> true, Streams.seed(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("sampler careless: must draw places of the 1 rows with finite weights, drew place 1 with"
                        + " weight 0.0");
    }

    @Test
    void nothingIsDrawnFromAnEmptyReplay() {
        assertThatThrownBy(() -> rewards(replay(4, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is empty");
    }
}
