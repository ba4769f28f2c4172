package hocket.rl.models;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.sigmoidCrossEntropy;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.step;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.programs.layers.Weights;
import hocket.rl.losses.BalancedKl;
import hocket.rl.losses.CategoricalAtoms;
import hocket.rl.losses.Symlog;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.StepSequence;
import hocket.rl.settings.WorldModelSettings;
import hocket.rl.spaces.Box;
import hocket.scopes.Initialiser;
import java.util.Arrays;

/**
 * A world model (Hafner et al. 2023, "Mastering diverse domains through world models"): latent dynamics with an encoder of
 * observations, and predictions of observations, rewards and whether the episode continues. All parameters are {@code model/…}.
 */
public final class WorldModel {
    private static final double BYTE = 255;

    private final Network<Value, Value> encoder;
    private final LatentDynamics dynamics;
    private final Network<Value, Value> decoder;
    private final Network<Value, Value> reward;
    private final Network<Value, Value> continues;
    private final CategoricalAtoms atoms;
    private final Box observations;
    private final LatentActions actions;

    /**
     * Declares the networks.
     *
     * @param body layers of each network but the last; those of the encoder
     * @param observations the observation space
     * @param actions that its networks read
     */
    public WorldModel(
            Graph graph, NetworkBody body, Box observations, LatentActions actions, WorldModelSettings settings) {
        atoms = settings.atoms();
        this.observations = observations;
        this.actions = actions;
        NetworkBody read = new NetworkBody(compressed(observations), body.encoder(), body.mlp());
        encoder = graph.module("model/encoder", x -> body.mlp().trunk(read.features(compressed(observations, x))));
        dynamics = new LatentDynamics(graph, settings, body.mlp());
        decoder = graph.module("model/decoder", x -> body.mlp().body(x, observations.width(), 1));
        reward = graph.module("model/reward", x -> predicted(body, x));
        continues = graph.module("model/continue", x -> body.mlp().body(x, 1, 1));
    }

    /** Returns observations as the networks read and predict them: bytes divided by 255, of other numbers their symlog. */
    static Value compressed(Box observations, Value x) {
        return observations.spansBytes() ? scale(x, 1 / BYTE) : Symlog.symlog(x);
    }

    private static Box compressed(Box seen) {
        float[] ones = new float[seen.width()];
        Arrays.fill(ones, 1);
        return seen.spansBytes() ? new Box(seen.shape(), new float[ones.length], ones) : seen;
    }

    /**
     * Builds the layers of a network of rewards or values in the open scope, from features (…, f) to the logits of the atoms
     * (…, n). Its last layer is zeros at first, so that it predicts about 0.
     */
    public Value predicted(NetworkBody body, Value features) {
        Weights zeros = Weights.weights(Initialiser.zeros()).bias(Initialiser.zeros());
        return dense("out", body.mlp().trunk(features), atoms.returns().size(), zeros);
    }

    /** Returns the atoms of rewards and values. */
    public CategoricalAtoms atoms() {
        return atoms;
    }

    /** Returns the observation space. */
    public Box observations() {
        return observations;
    }

    /** Returns the actions that its networks read. */
    public LatentActions actions() {
        return actions;
    }

    /** Returns the latent dynamics. */
    public LatentDynamics dynamics() {
        return dynamics;
    }

    /** Returns the logits of the latent of an observation: (k·n). */
    public Value posterior(Value memory, Value observation) {
        return dynamics.posterior(memory, encoder.apply(observation));
    }

    /**
     * Returns the states of recorded steps.
     *
     * @param noise its name
     */
    public LatentDynamics.Observed observe(StepSequence steps, String noise) {
        int learnt = steps.layout().learnt();
        return dynamics.observe(
                encoder,
                steps.learnt(steps.observations()),
                steps.learnt(steps.starts()),
                actions.read(steps.actions()),
                steps.state(),
                dynamics.noise(noise, learnt));
    }

    /** Returns the loss of predictions of recorded steps, with each part as a metric. */
    public Loss loss(StepSequence steps, LatentDynamics.Observed states, BalancedKl balance) {
        Categorical posterior = dynamics.distribution(states.logits());
        Categorical prior = dynamics.distribution(dynamics.prior(states.memory()));
        Value divergence = balance.loss(posterior, prior);

        Value target = compressed(observations, flat(steps.learnt(steps.observations())));
        Value observation = mean(sum(square(subtract(decoder.apply(states.features()), target)), 1));
        Value rewards = atoms.crossEntropy(reward.apply(states.next()), atoms.twoHot(steps.rewards()));
        Value going = sigmoidCrossEntropy(continueLogits(states.next()), step(steps.discounts()));
        Value ends = mean(multiply(steps.valid(), going)); // of a truncated episode it is unknown
        return Loss.of(add(add(observation, mean(rewards)), add(ends, divergence)))
                .metric("observation", observation)
                .metric("reward", mean(rewards))
                .metric("continue", ends)
                .metric("divergence", mean(BalancedKl.divergence(posterior, prior)));
    }

    /**
     * Returns the predicted rewards and discounts of imagined steps.
     *
     * @param gamma discount of a step
     */
    public ImaginedReturns returns(Imagination imagined, double gamma) {
        Value rewards = atoms.expectation(reward.apply(imagined.memories()));
        return new ImaginedReturns(rewards, scale(sigmoid(continueLogits(imagined.memories())), gamma));
    }

    private Value continueLogits(Value memory) {
        Value one = continues.apply(memory);
        int[] extents = one.shape().extents();
        return reshape(one, Arrays.copyOf(extents, extents.length - 1));
    }

    /** (T, …) as (T, n). */
    private static Value flat(Value x) {
        return reshape(x, x.shape().get(0), x.shape().size() / x.shape().get(0));
    }
}
