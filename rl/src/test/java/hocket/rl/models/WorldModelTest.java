package hocket.rl.models;

import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.rl.algorithms.Dreamer;
import hocket.rl.losses.BalancedKl;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.networks.RecurrentBody;
import hocket.rl.replay.StepSequence;
import hocket.rl.settings.WorldModelSettings;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WorldModelTest {
    private static final int STEPS = 4;
    private static final int WIDTH = 3;
    private static final int ACTIONS = 2;
    private static final WorldModelSettings SMALL = new WorldModelSettings(STEPS, 5, 2, 3, 0.01, 5, 10, 1e-3);
    private static final Mlp LAYERS = new Mlp(List.of(6), Mlp.Activation.TANH, Mlp.Initialisation.UNIFORM);

    private final Graph graph = new Graph();

    private static Tensor filled(int count, Shape shape, double factor) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (float) Math.sin(1 + i * factor);
        }
        return Tensor.of(shape, numbers);
    }

    private float[][] run(Feeds feeds, Value... values) {
        Program program = Program.compile("values", Mode.EVAL, values);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(3));
                Session session = Session.over(graph, parameters)) {
            return session.run(program, feeds).stream().map(Tensor::floats).toArray(float[][]::new);
        }
    }

    /** Noise of 0.5 everywhere makes a sample the mode. */
    private static Tensor halves(Shape shape) {
        float[] numbers = new float[shape.size()];
        Arrays.fill(numbers, 0.5f);
        return Tensor.of(shape, numbers);
    }

    @Test
    void statesOfASequenceAreThoseOfItsStepsOneByOne() {
        LatentDynamics dynamics = new LatentDynamics(graph, SMALL, LAYERS);
        Network<Value, Value> encoder = graph.module("encoder", x -> x);
        Value observations = graph.input("observations", Shape.of(STEPS, WIDTH));
        Value starts = graph.input("starts", Shape.of(STEPS));
        Value actions = graph.input("actions", Shape.of(STEPS, ACTIONS));
        Value before = graph.input("state", Shape.of(SMALL.memoryUnits()));
        Value noise = graph.input("noise", Shape.of(STEPS, SMALL.choices(), SMALL.classes()));
        LatentDynamics.Observed all = dynamics.observe(encoder, observations, starts, actions, before, noise);

        Value memory = before;
        Value latent = before;
        for (int t = 0; t < STEPS; t++) {
            memory = RecurrentBody.before(memory, reshape(slice(starts, 0, t, t + 1)));
            latent = dynamics.mode(dynamics.posterior(memory, reshape(slice(observations, 0, t, t + 1), WIDTH)));
            memory = dynamics.next(memory, latent, reshape(slice(actions, 0, t, t + 1), ACTIONS));
        }
        Feeds feeds = Feeds.of("observations", filled(STEPS * WIDTH, Shape.of(1, STEPS, WIDTH), 3))
                .and("starts", Tensor.of(Shape.of(1, STEPS), 0f, 0f, 1f, 0f))
                .and("actions", filled(STEPS * ACTIONS, Shape.of(1, STEPS, ACTIONS), 2))
                .and("state", filled(SMALL.memoryUnits(), Shape.of(1, SMALL.memoryUnits()), 1))
                .and("noise", halves(Shape.of(1, STEPS, SMALL.choices(), SMALL.classes())));
        float[][] found = run(feeds, all.next(), all.latent(), all.memory(), memory, latent);
        int units = SMALL.memoryUnits();
        int width = dynamics.width();
        assertThat(Arrays.copyOfRange(found[0], (STEPS - 1) * units, STEPS * units))
                .containsExactly(found[3], within(1e-6f));
        assertThat(Arrays.copyOfRange(found[1], (STEPS - 1) * width, STEPS * width))
                .containsExactly(found[4], within(1e-6f));
        assertThat(Arrays.copyOfRange(found[2], 2 * units, 3 * units))
                .containsExactly(new float[units], within(0f)); // where an episode starts
        assertThat(Arrays.copyOfRange(found[2], 0, units)).doesNotContain(0);
        for (int choice = 0; choice < width / SMALL.classes(); choice++) {
            float[] one = Arrays.copyOfRange(found[4], choice * SMALL.classes(), (choice + 1) * SMALL.classes());
            Arrays.sort(one);
            assertThat(one).containsExactly(0, 0, 1);
        }
    }

    @Test
    void theEndOfATruncatedEpisodeIsNotLearnt() {
        Box observed = Box.of(WIDTH, -1, 1);
        NetworkBody body = new NetworkBody(observed, Encoder.flat(), LAYERS);
        WorldModel model =
                new WorldModel(graph, body, observed, new LatentActions.Choice(new Discrete(ACTIONS)), SMALL);
        Value actions = graph.input("actions", Shape.of(STEPS, ACTIONS)); // read as they are, since they are no indices
        StepSequence steps = new StepSequence(
                SMALL.layout(),
                graph.input("observations", Shape.of(STEPS + 1, WIDTH)),
                graph.input("starts", Shape.of(STEPS + 1)),
                graph.input("state", Shape.of(SMALL.memoryUnits())),
                actions,
                graph.input("rewards", Shape.of(STEPS)),
                graph.input("discounts", Shape.of(STEPS)),
                graph.input("valid", Shape.of(STEPS)),
                null,
                null);
        Loss loss = model.loss(steps, model.observe(steps, "noise"), new BalancedKl(0.5, 0.1, 1));
        Value ends = Objects.requireNonNull(loss.metrics().get("continue"));
        Feeds feeds = Feeds.of("observations", filled((STEPS + 1) * WIDTH, Shape.of(1, STEPS + 1, WIDTH), 3))
                .and("starts", Tensor.of(Shape.of(1, STEPS + 1), new float[STEPS + 1]))
                .and("actions", filled(STEPS * ACTIONS, Shape.of(1, STEPS, ACTIONS), 2))
                .and("state", filled(SMALL.memoryUnits(), Shape.of(1, SMALL.memoryUnits()), 1));
        Tensor none = Tensor.of(Shape.of(1, STEPS), new float[STEPS]);
        Tensor last = Tensor.of(Shape.of(1, STEPS), 0f, 0f, 0f, 1f);
        assertThat(run(feeds.and("discounts", none).and("valid", none), ends)[0])
                .containsExactly(0);
        float goesOn = run(feeds.and("discounts", last).and("valid", last), ends)[0][0];
        float terminated = run(feeds.and("discounts", none).and("valid", last), ends)[0][0];
        // of one step of four: -log p and -log (1 - p)
        assertThat(Math.exp(-STEPS * goesOn) + Math.exp(-STEPS * terminated)).isCloseTo(1, within(1e-5));
    }

    @Test
    void onlyNumbersThatReach255AreDividedByIt() {
        Value seen = graph.input("seen", Shape.of(WIDTH));
        Feeds feeds = Feeds.of("seen", Tensor.of(Shape.of(1, WIDTH), 0f, 1f, 255f));
        float[][] found = run(
                feeds,
                WorldModel.compressed(Box.of(WIDTH, 0, 255).whole(), seen),
                WorldModel.compressed(Box.of(WIDTH, 0, 1).whole(), seen),
                WorldModel.compressed(Box.of(WIDTH, -300, 300), seen));
        float[] symlogs = {0, (float) Math.log(2), (float) Math.log(256)};
        assertThat(found[0]).containsExactly(new float[] {0, 1f / 255, 1}, within(1e-7f)); // an ulp of float32 near 1
        assertThat(found[1]).containsExactly(symlogs, within(1e-6f)); // an ulp of float32 near 5
        assertThat(found[2]).containsExactly(symlogs, within(1e-6f));
    }

    @Test
    void anEncoderReadsBytesDividedBy255WhetherItDividesThemItselfOrNot() {
        Box bytes = Box.of(WIDTH, 0, 255).whole();
        List<Space> spaces = new ArrayList<>();
        Encoder encoder = (observation, space, weights) -> {
            spaces.add(space);
            return Encoder.flat().encode(observation, space, weights);
        };
        WorldModel model = new WorldModel(
                graph,
                new NetworkBody(bytes, encoder, LAYERS),
                bytes,
                new LatentActions.Choice(new Discrete(ACTIONS)),
                SMALL);
        model.posterior(graph.input("memory", Shape.of(5)), graph.input("observation", Shape.of(WIDTH)));
        assertThat(spaces).containsExactly(Box.of(WIDTH, 0, 1));
    }

    @Test
    void aRoundMovesTheScaleByTheReturnsThatItComputed() {
        Setup setup = Dreamer.usual("CartPole-v1")
                .memoryUnits(5)
                .hidden(List.of(6))
                .horizon(3)
                .learningStarts(40)
                .totalSteps(100)
                .batch(32)
                .setup();
        Turn.Descend behaviour =
                (Turn.Descend) Objects.requireNonNull(setup.turnsByName().get("behaviour"));
        try (Parameters parameters = setup.initialise(4);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.on(Trigger.everyRounds(2), run -> run.stop());
            scheduler.on(Trigger.everyRounds(1), run -> {
                float[] returns = scheduler
                        .observed(behaviour, behaviour.observed().get(0))
                        .floats();
                Arrays.sort(returns);
                if (run.position().round() == 1) {
                    double high = 0.01 * ReturnScale.percentile(returns, 0.95);
                    assertThat(parameters.tensor("returns/high").doubles()[0]).isCloseTo(high, within(1e-9));
                    assertThat(high).isNotZero();
                }
            });
            scheduler.run();
            assertThat(scheduler.save().whole("round")).isEqualTo(2);
        }
    }

    @Test
    void actionsOfABoxAreNormalWithAMeanAndADeviationWithinBounds() {
        LatentActions actions = new LatentActions.Bounded(Box.symmetric(2));
        Value outputs = graph.input("outputs", Shape.of(2));
        Value action = graph.input("action", Shape.of(1));
        double mean = Math.tanh(0.7);
        double deviation = 0.9 / (1 + Math.exp(-(0.3 + 2))) + 0.1;
        double z = (1.4 - mean) / deviation;
        float[][] found = run(
                Feeds.of("outputs", Tensor.of(Shape.of(1, 2), 0.7f, 0.3f))
                        .and("action", Tensor.of(Shape.of(1, 1), 1.4f)),
                actions.mode(outputs),
                actions.logProbability(outputs, action),
                actions.entropy(outputs),
                actions.read(action));
        assertThat(found[0][0]).isCloseTo((float) mean, within(1e-6f));
        assertThat((double) found[1][0])
                .isCloseTo(-z * z / 2 - Math.log(deviation) - Math.log(2 * Math.PI) / 2, within(1e-5));
        assertThat((double) found[2][0]).isCloseTo(Math.log(deviation) + (1 + Math.log(2 * Math.PI)) / 2, within(1e-5));
        assertThat(found[3]).containsExactly(1);
    }
}
