package hocket.rl.models;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.straightThrough;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.programs.layers.Scan;
import hocket.programs.layers.Scan.Steps;
import hocket.programs.operators.Leaf.Distribution.Uniform;
import hocket.programs.operators.Leaf.Redraw;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.RecurrentBody;
import hocket.rl.settings.WorldModelSettings;
import hocket.schedulers.settings.Limits;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * A recurrent state-space model with categorical latents (Hafner et al. 2019, "Learning latent dynamics for planning from
 * pixels"; 2021, "Mastering Atari with discrete world models"). A state is a memory h and a latent z, k choices of n classes:
 *
 * <pre>
 * z_t ~ posterior(h_t, observation_t)   or, imagined, z_t ~ prior(h_t)
 * h_{t+1} = cell(h_t, z_t, action_t)    h = 0 where an episode starts
 * </pre>
 *
 * Rewards and ends of an action are predicted from the memory that it leads to, so that no observation after the end of an
 * episode is needed. Parameters are {@code model/posterior/…}, {@code model/prior/…} and {@code model/cell/…}.
 */
public final class LatentDynamics {
    private final Graph graph;
    private final WorldModelSettings settings;
    private final Network<Value, Value> posterior;
    private final Network<Value, Value> prior;
    private final Network<Inputs, Value> cell;

    /**
     * The inputs of the cell.
     *
     * @param memory before a step, (…, units)
     * @param chosen the latent and the action of the step, (…, m)
     */
    private record Inputs(Value memory, Value chosen) {}

    /**
     * States of T steps.
     *
     * @param memory h before each step, (T, units)
     * @param latent z of each step, (T, k·n), with the gradient of its probabilities
     * @param logits of the posterior, (T, k·n)
     * @param next h after each step, (T, units)
     */
    public record Observed(Value memory, Value latent, Value logits, Value next) {
        /** Returns h and z, (T, units + k·n). */
        public Value features() {
            return LatentDynamics.features(memory, latent);
        }
    }

    /** Declares the networks, with layers like these before their last one. */
    public LatentDynamics(Graph graph, WorldModelSettings settings, Mlp layers) {
        this.graph = graph;
        this.settings = settings;
        Limits.elements("latent: choices and classes", settings.choices(), settings.classes());
        posterior = graph.module("model/posterior", x -> layers.body(x, width(), 1));
        prior = graph.module("model/prior", x -> layers.body(x, width(), 1));
        cell = graph.module("model/cell", this::cell);
    }

    /** Returns k·n, the numbers of a latent. */
    public int width() {
        return settings.choices() * settings.classes();
    }

    /** Returns the numbers of a memory. */
    public int units() {
        return settings.memoryUnits();
    }

    /** Returns (…, units + k·n) of a memory and a latent. */
    public static Value features(Value memory, Value latent) {
        return joined(memory, latent);
    }

    private static Value joined(Value one, Value other) {
        return concat(one.shape().rank() - 1, one, other);
    }

    /** Returns noise for the latents of some steps, (steps…, k, n). */
    public Value noise(String name, int... steps) {
        Shape shape = Shape.of(settings.choices(), settings.classes());
        for (int i = steps.length - 1; i >= 0; i--) {
            shape = shape.prepend(steps[i]);
        }
        return graph.noise(name, shape, new Uniform(0, 1), Redraw.EACH_TURN);
    }

    /** Returns the distribution of latents with some logits (…, k·n), mixed with the uniform one. */
    public Categorical distribution(Value logits) {
        int axis = logits.shape().rank() - 1;
        int[] extents = Arrays.copyOf(logits.shape().extents(), axis + 2);
        extents[axis] = settings.choices();
        extents[axis + 1] = settings.classes();
        return new Categorical(reshape(logits, extents)).mixedWithUniform(settings.uniform());
    }

    /** Returns the logits of latents that are not observed yet: (…, k·n) of memories (…, units). */
    public Value prior(Value memory) {
        return prior.apply(memory);
    }

    /** Returns the logits of latents of observations: (…, k·n). */
    public Value posterior(Value memory, Value embedded) {
        return posterior.apply(joined(memory, embedded));
    }

    /** Samples latents with some logits, (…, k·n); gradients go to the probabilities (Bengio et al. 2013). */
    public Value sample(Value logits, Value noise) {
        Categorical latent = distribution(logits);
        return chosen(latent, latent.sample(noise), logits);
    }

    /** Returns the most probable latents with some logits, (…, k·n). */
    public Value mode(Value logits) {
        Categorical latent = distribution(logits);
        return chosen(latent, latent.mode(), logits);
    }

    private Value chosen(Categorical latent, Value index, Value like) {
        Value one = straightThrough(oneHot(index, settings.classes()), softmax(latent.logits()));
        return reshape(one, like.shape().extents());
    }

    /** Returns the memory after steps, (…, units). */
    public Value next(Value memory, Value latent, Value action) {
        return cell.apply(new Inputs(memory, joined(latent, action)));
    }

    /** A GRU whose gates are normalised, as that of DreamerV2. */
    private Value cell(Inputs inputs) {
        int axis = inputs.memory().shape().rank() - 1;
        Value gates = layerNorm("norm", dense("gates", joined(inputs.memory(), inputs.chosen()), 3 * units()), 1, 1e-3);
        Value reset = sigmoid(slice(gates, axis, 0, units()));
        Value candidate = tanh(multiply(reset, slice(gates, axis, units(), 2 * units())));
        Value update = sigmoid(shift(slice(gates, axis, 2 * units(), 3 * units()), -1));
        return add(inputs.memory(), multiply(update, subtract(candidate, inputs.memory())));
    }

    /**
     * Goes through T observed steps.
     *
     * @param encoder of an observation
     * @param observations (T, …)
     * @param starts 1 where an episode starts, else 0, (T)
     * @param actions (T, a)
     * @param before the memory before the first step, (units)
     * @param noise (T, k, n)
     */
    Observed observe(
            Network<Value, Value> encoder, Value observations, Value starts, Value actions, Value before, Value noise) {
        Steps steps = Scan.over(List.of(observations, starts, actions, noise), List.of(before), (now, state) -> {
            Value memory = RecurrentBody.before(state.get(0), now.get(1));
            Value logits = posterior(memory, encoder.apply(now.get(0)));
            Value latent = sample(logits, now.get(3));
            Value next = next(memory, latent, now.get(2));
            return new Scan.Next(List.of(next), List.of(memory, latent, logits, next));
        });
        List<Value> all = steps.outputs();
        return new Observed(all.get(0), all.get(1), all.get(2), all.get(3));
    }
}
