package hocket.rl.replay;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.shift;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.layers.Scan;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Autoreset;
import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.RecurrentBody.Output;
import hocket.rl.networks.RecurrentBody.Seen;
import hocket.rl.sampling.PrioritisedSampler;
import hocket.rl.sampling.Sampler;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.Budget;
import hocket.schedulers.Resample;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.state.State;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Tests against numbers worked by hand, with gamma 1/2. Steps of a {@link Walk}, by observation, reward and end: 0, 1; 1, 2,
 * truncated; 2, 3, terminated; and again.
 */
class SequencesTest {
    private static final Sequences.Layout ONE_STEP = new Sequences.Layout(1, 2, 1);

    /** A replay that keeps the newest sequence. */
    private static Replay newest(Sequences.Layout layout, boolean isMasked, Sampler sampler) {
        return Sequences.replay(Box.of(1, 0, 3), new Discrete(2), isMasked, Shape.of(1), layout, 1, 1, sampler);
    }

    private static Replay newest(Sequences.Layout layout) {
        return newest(layout, false, Sampler.uniform());
    }

    /** The memory's state is the sum of the episode's observations, each plus 1. It walks right. */
    private static Policy summing() {
        Graph graph = new Graph();
        Value observation = graph.input(Policy.OBSERVATION, Shape.of(1));
        Value goesOn = shift(negate(graph.input(Policy.START, Shape.of())), 1);
        Value next = add(multiply(graph.input(Policy.STATE, Shape.of(1)), goesOn), shift(observation, 1));
        Program act = Program.compile("act", Mode.EVAL, concat(0, negate(next), next), next);
        return new Policy(act, ActionSelection.greedy(new Discrete(2)), Policy.ActionTransform.SAME);
    }

    private static ReplayCollector collector(Walker walker, Replay replay, Sequences.Layout layout, int steps) {
        return new ReplayCollector(
                walker.environments(),
                summing(),
                new Exploration.None(),
                new Sequences(walker.environments(), replay, layout, 0.5),
                0,
                steps);
    }

    private static Map<String, Tensor> row(Sequences.Layout layout, int steps) {
        return row(Walker.start(), newest(layout), layout, steps);
    }

    private static Map<String, Tensor> row(Walker walker, Replay replay, Sequences.Layout layout, int steps) {
        walker.run(collector(walker, replay, layout, steps), 1);
        return replay.draw(column -> true, Streams.seed(1)).tensors();
    }

    private static double[] column(Map<String, Tensor> row, String name) {
        return Objects.requireNonNull(row.get(name)).doubles();
    }

    @Test
    void aSequenceHasTheStateBeforeItAndGoesOverTheEndsOfEpisodes() {
        Map<String, Tensor> first = row(ONE_STEP, 4);
        assertThat(column(first, "observations")).containsExactly(0, 1, 2, 0);
        assertThat(column(first, "starts")).containsExactly(1, 0, 1, 1);
        assertThat(column(first, "state")).containsExactly(0);
        assertThat(column(first, "actions")).containsExactly(1, 1);
        assertThat(column(first, "rewards")).containsExactly(2, 3);
        assertThat(column(first, "discounts")).containsExactly(0, 0);
        assertThat(column(first, "valid")).containsExactly(0, 1); // a truncated step has no next observation

        assertThat(row(ONE_STEP, 5)).isEqualTo(first);
        Map<String, Tensor> second = row(ONE_STEP, 6);
        assertThat(column(second, "observations")).containsExactly(2, 0, 1, 2);
        assertThat(column(second, "starts")).containsExactly(1, 1, 0, 1);
        assertThat(column(second, "state")).containsExactly(3);
        assertThat(column(second, "rewards")).containsExactly(1, 2);
        assertThat(column(second, "discounts")).containsExactly(0.5, 0);
        assertThat(column(second, "valid")).containsExactly(1, 0);
        assertThat(column(row(ONE_STEP, 8), "state")).containsExactly(1);
    }

    @Test
    void returnsOfMoreStepsEndWithTheEpisode() {
        Map<String, Tensor> row = row(new Sequences.Layout(0, 4, 3), 7);
        assertThat(column(row, "rewards")).containsExactly(1 + 0.5 * 2, 2, 3, 1 + 0.5 * 2);
        assertThat(column(row, "discounts")).containsOnly(0);
        assertThat(column(row, "valid")).containsExactly(0, 0, 1, 0);
    }

    /** A walk that always allows the second action, and the first at odd places. */
    private static final class AtOddPlaces extends ForwardingEnvironment {
        AtOddPlaces(Environment inner) {
            super(inner);
        }

        @Override
        public boolean masks() {
            return true;
        }

        @Override
        public void mask(float[] into, int at) {
            float[] place = new float[1];
            observe(place, 0);
            into[at] = place[0] % 2;
            into[at + 1] = 1;
        }
    }

    private static Walker among(Supplier<Environment> worlds, int count) {
        Walker walker = Walker.start();
        VectorEnvironment all = VectorEnvironment.of(worlds, count, Autoreset.SAME_STEP);
        return new Walker(walker.graph(), walker.policy(), walker.judge(), new TrainingEnvironments(all));
    }

    @Test
    void masksAreThoseOfTheBootstrappedSteps() {
        Walker walker = among(() -> new AtOddPlaces(Walk.limited()), 1);
        Map<String, Tensor> row = row(walker, newest(ONE_STEP, true, Sampler.uniform()), ONE_STEP, 6);
        assertThat(column(row, "observations")).containsExactly(2, 0, 1, 2);
        assertThat(column(row, "next_masks")).containsExactly(1, 1, 0, 1); // at 1 and 2, after 0 and 1
    }

    @Test
    void eachOfSeveralEnvironmentsHasItsOwnSequences() {
        AtomicInteger made = new AtomicInteger();
        Walker walker = among(() -> Walk.limited(made.getAndIncrement()), 2);
        Replay both = Sequences.replay(
                Box.of(1, 0, 3), new Discrete(2), false, Shape.of(1), ONE_STEP, 2, 1, Sampler.uniform());
        walker.run(collector(walker, both, ONE_STEP, 6), 1);
        Map<Double, Map<String, Tensor>> rows = new TreeMap<>();
        for (int draw = 0; draw < 20; draw++) {
            Map<String, Tensor> row = both.draw(column -> true, Streams.seed(1)).tensors();
            rows.put(column(row, "observations")[0], row);
        }
        assertThat(rows).containsOnlyKeys(1.0, 2.0);
        Map<String, Tensor> first = Objects.requireNonNull(rows.get(2.0)); // 0, 1, 2, 0, 1, 2
        assertThat(column(first, "observations")).containsExactly(2, 0, 1, 2);
        assertThat(column(first, "state")).containsExactly(3);
        assertThat(column(first, "rewards")).containsExactly(1, 2);
        Map<String, Tensor> second = Objects.requireNonNull(rows.get(1.0)); // 2, 0, 1, 2, 0, 1
        assertThat(column(second, "observations")).containsExactly(1, 2, 0, 1);
        assertThat(column(second, "starts")).containsExactly(0, 1, 1, 0);
        assertThat(column(second, "state")).containsExactly(1);
        assertThat(column(second, "rewards")).containsExactly(3, 1);
        assertThat(column(second, "discounts")).containsExactly(0, 0.5);
        assertThat(column(second, "valid")).containsExactly(1, 1);
    }

    @Test
    void stepsThatAreInNoSequenceYetAreSaved() {
        for (int stop = 1; stop < 8; stop++) {
            Walker whole = Walker.start();
            Replay expected = newest(ONE_STEP);
            ReplayCollector all = collector(whole, expected, ONE_STEP, 1);
            whole.run(all, 8);

            Walker before = Walker.start();
            Replay replay = newest(ONE_STEP);
            ReplayCollector first = collector(before, replay, ONE_STEP, 1);
            before.run(first, stop);
            Walker after = Walker.start();
            Replay restored = newest(ONE_STEP);
            ReplayCollector rest = collector(after, restored, ONE_STEP, 1);
            restored.restore(replay.save());
            rest.restore(first.save());
            after.run(rest, 8 - stop);
            assertThat(rest.save().equals(all.save())).as("stopped at " + stop).isTrue();
            assertThat(restored.save().equals(expected.save())).isTrue();
        }
    }

    @Test
    void aStateOfOtherSequencesIsRefusedAndChangesNothing() {
        Walker walker = Walker.start();
        ReplayCollector collector = collector(walker, newest(ONE_STEP), ONE_STEP, 3);
        walker.run(collector, 1);
        State saved = collector.save();
        Sequences.Layout longer = new Sequences.Layout(1, 3, 1);
        ReplayCollector other = collector(Walker.start(), newest(longer), longer, 3);
        State before = other.save();
        assertThatThrownBy(() -> other.restore(saved))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("experience: was saved with sequence 2, here it is 3");
        assertThat(other.save().equals(before)).isTrue();
        Sequences.Layout shifted = new Sequences.Layout(0, 2, 2);
        assertThatThrownBy(() ->
                        collector(Walker.start(), newest(shifted), shifted, 3).restore(saved))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("experience: was saved with burn_in 1, here it is 0");
        assertThatThrownBy(() -> collector.restore(saved.with("kept", 4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("experience: was saved with 4 steps in each environment, there can be 0 to 3");
        assertThatThrownBy(() -> new Sequences.Layout(0, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("have 0, 0 and 1");
    }

    /** The state is a sum, of which w·observation is added in each step. */
    private static Output<Value> adding(Value w, Seen seen) {
        Scan.Steps steps =
                Scan.over(List.of(seen.observation(), seen.start()), List.of(seen.state()), (each, before) -> {
                    Value next = add(before.get(0), multiply(w, each.get(0)));
                    return new Scan.Next(List.of(next), List.of(next));
                });
        return new Output<>(steps.outputs().get(0), steps.state().get(0));
    }

    /** Learns from the newest sequence after so many steps, by a weight that begins at 0; returns it. */
    private static double learntWeight(
            Sequences.Layout layout, int steps, BiFunction<StepSequence, Value, Value> part) {
        Walker walker = Walker.start();
        Replay replay = newest(layout);
        walker.run(collector(walker, replay, layout, steps), 1);
        Graph graph = new Graph();
        StepSequence sequence = StepSequence.of(graph, replay, layout);
        Network<Seen, Output<Value>> network = graph.module("sum", seen -> {
            Value w = graph.parameter("w", (path, type) -> Declaration.zeros(path, Shape.of(), type));
            return adding(w, seen);
        });
        Value loss = mean(part.apply(sequence, sequence.outputs(network)));
        Program program = Program.compile("learn", Mode.TRAIN, Loss.of(loss));
        Turn.Descend turn = Turn.of("learn", program).updates("sum/**", Optimizers.sgd(1));
        Setup setup = replay.feed(
                Setup.of(Networks.of(graph, program), turn, Budget.rounds(1)), Resample.EACH_TURN, turn, loss);
        try (Parameters parameters = setup.initialise(7);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run();
            return parameters.tensor("sum/w").get(0);
        }
    }

    @Test
    void theBurnInWarmsTheMemoryUpAndIsNotLearnt() {
        // observations 0, 1, 2: the gradient of w·(0 + 1 + 3)/3
        assertThat(learntWeight(new Sequences.Layout(0, 3, 1), 4, StepSequence::learnt))
                .isCloseTo(-4 / 3.0, within(1e-6));
        // 2 is burnt in, 0 and 1 are learnt: the gradient of w·(0 + 1)/2
        assertThat(learntWeight(ONE_STEP, 6, StepSequence::learnt)).isEqualTo(-0.5);
        // 0, 1 and 2 come after it: the gradient of w·(1 + 3)/2
        assertThat(learntWeight(ONE_STEP, 6, StepSequence::later)).isEqualTo(-2);
    }

    @Test
    void theLossAndThePriorityOfASequenceAreOfItsValidSteps() {
        Replay replay = newest(ONE_STEP, true, PrioritisedSampler.usual());
        Graph graph = new Graph();
        StepSequence steps = StepSequence.of(graph, replay, ONE_STEP);
        Value one = graph.input("one", Shape.of(2));
        Value loss = steps.loss(RegressionLoss.SQUARED, one, steps.rewards());
        Value error = steps.error(one, steps.rewards());
        Program program = Program.compile("loss", Mode.EVAL, loss, error);
        try (Parameters none = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Session session = Session.over(none, 1)) {
            Feeds feeds = Feeds.rows(2)
                    .and("one", Tensor.of(Shape.of(2, 2), new float[] {1, 1, 1, 1}))
                    .and("rewards", Tensor.of(Shape.of(2, 2), new float[] {3, 5, 0, -3}))
                    .and("valid", Tensor.of(Shape.of(2, 2), new float[] {1, 0, 1, 1}))
                    .and("weight", Tensor.of(Shape.of(2), new float[] {0.5f, 1}));
            List<Tensor> gave = session.run(program, feeds);
            assertThat(gave.get(0).get(0)).isEqualTo((0.5 * 4 + 1 + 16) / 4);
            assertThat(gave.get(1).doubles())
                    .containsExactly(new double[] {0.9 * 2 + 0.1 * 1, 0.9 * 4 + 0.1 * 2.5}, within(1e-6));
        }
        assertThat(steps.nextMasks()).isNotNull();
        assertThat(replay.columns())
                .extracting(column -> column.name() + column.shape())
                .contains("next_masks(2,2)");
    }
}
