package hocket.rl.models;

import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.programs.operators.Leaf.Distribution.Uniform;
import hocket.programs.operators.Leaf.Redraw;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Policy.ActionTransform;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.stream.IntStream;
import java.util.stream.IntStream.Builder;

/** Actions as the networks of a world model read them, and the distribution of a policy over them. */
public sealed interface LatentActions {
    /**
     * Returns the actions of environments.
     *
     * @param algorithm needs them, for the message
     * @throws IllegalArgumentException if they are neither discrete and all allowed nor in a box with finite bounds
     */
    static LatentActions of(TrainingEnvironments all, String algorithm) {
        return all.actionSpace() instanceof Box
                ? new Bounded(AlgorithmSettings.boundedActions(all, algorithm))
                : new Choice(AlgorithmSettings.unmaskedActions(all, algorithm));
    }

    /** Returns how many numbers the model reads of an action. */
    int width();

    /** Returns how many outputs of an actor make a distribution. */
    int outputs();

    /** Returns what the model reads of actions that were recorded or sampled: (…, width). */
    Value read(Value actions);

    /** Returns noise for actions of some steps, (steps…, width). */
    Value noise(Graph graph, String name, int... steps);

    /** Samples actions, (…, width). */
    Value sample(Value outputs, Value noise);

    /** Returns the most probable actions, (…, width). */
    Value mode(Value outputs);

    /** Returns the log-probabilities or densities of sampled actions (…, width): (…). */
    Value logProbability(Value outputs, Value actions);

    /** Returns the entropies, (…) in nats. */
    Value entropy(Value outputs);

    /** Returns the target of a policy's program that {@link #selection} reads, for an action (width). */
    Value given(Value action);

    /** Returns the selection of actions from what a program gives. */
    ActionSelection selection();

    /** Returns the mapping of actions to the environment's. */
    ActionTransform transform();

    private static Shape shape(int width, int... steps) {
        Builder extents = IntStream.builder();
        IntStream.of(steps).forEach(extents);
        return Shape.of(extents.add(width).build().toArray());
    }

    /** One of n actions, as n numbers of which one is 1. */
    record Choice(Discrete actions) implements LatentActions {
        @Override
        public int width() {
            return actions.n();
        }

        @Override
        public int outputs() {
            return actions.n();
        }

        /** Of indices (…), INT64, as they are recorded; samples are already read. */
        @Override
        public Value read(Value chosen) {
            return chosen.type().isFloating() ? chosen : oneHot(chosen, actions.n());
        }

        @Override
        public Value noise(Graph graph, String name, int... steps) {
            return graph.noise(name, shape(width(), steps), new Uniform(0, 1), Redraw.EACH_TURN);
        }

        @Override
        public Value sample(Value logits, Value noise) {
            return oneHot(new Categorical(logits).sample(noise), actions.n());
        }

        @Override
        public Value mode(Value logits) {
            return oneHot(new Categorical(logits).mode(), actions.n());
        }

        @Override
        public Value logProbability(Value logits, Value chosen) {
            return sum(multiply(chosen, logSoftmax(logits)), logits.shape().rank() - 1);
        }

        @Override
        public Value entropy(Value logits) {
            return new Categorical(logits).entropy();
        }

        /** The index. */
        @Override
        public Value given(Value action) {
            double[] numbers = IntStream.range(0, actions.n()).asDoubleStream().toArray();
            Graph graph = action.graph();
            return sum(
                    multiply(action, graph.constant(Tensor.rounded(Shape.of(actions.n()), graph.floatType(), numbers))),
                    0);
        }

        @Override
        public ActionSelection selection() {
            return ActionSelection.deterministic(1);
        }

        @Override
        public ActionTransform transform() {
            return ActionTransform.SAME;
        }
    }

    /**
     * Actions of a box, scaled to -1..1: normal around {@code tanh(m)} with deviations {@code 0.9·sigmoid(s + 2) + 0.1}, and clipped
     * where they are read, as DreamerV3's.
     */
    record Bounded(Box actions) implements LatentActions {
        private static final double LEAST = 0.1;
        private static final double RANGE = 0.9;
        private static final double WIDE = 2;

        @Override
        public int width() {
            return actions.width();
        }

        @Override
        public int outputs() {
            return 2 * actions.width();
        }

        private DiagonalGaussian normal(Value outputs) {
            int axis = outputs.shape().rank() - 1;
            Value deviation = sigmoid(shift(slice(outputs, axis, width(), 2 * width()), WIDE));
            return new DiagonalGaussian(
                    tanh(slice(outputs, axis, 0, width())), log(shift(scale(deviation, RANGE), LEAST)));
        }

        @Override
        public Value read(Value chosen) {
            return clip(chosen, -1, 1);
        }

        @Override
        public Value noise(Graph graph, String name, int... steps) {
            return graph.noise(name, shape(width(), steps));
        }

        @Override
        public Value sample(Value outputs, Value noise) {
            return normal(outputs).sample(noise);
        }

        @Override
        public Value mode(Value outputs) {
            return normal(outputs).mode();
        }

        @Override
        public Value logProbability(Value outputs, Value chosen) {
            return normal(outputs).logProbability(chosen);
        }

        @Override
        public Value entropy(Value outputs) {
            return normal(outputs).entropy();
        }

        @Override
        public Value given(Value action) {
            return action;
        }

        @Override
        public ActionSelection selection() {
            return ActionSelection.deterministic(width());
        }

        @Override
        public ActionTransform transform() {
            return ActionTransform.SCALED;
        }
    }
}
