package hocket.rl.networks;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.minimum;
import static hocket.programs.Operators.oneHot;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;

/** A network that tells the steps of an expert from those of an agent. */
public final class StepDiscriminator {
    private StepDiscriminator() {}

    /**
     * A step.
     *
     * @param observation of the space's shape
     * @param action of the space's shape and type
     */
    public record Step(Value observation, Value action) {}

    /**
     * Makes the module {@code discriminator}, from a step to the logit (1) of its being the expert's.
     *
     * @throws IllegalArgumentException if it is applied to actions that are neither discrete nor of a box
     */
    public static Network<Step, Value> network(Graph graph, Space actions, Mlp mlp) {
        return graph.module("discriminator", step -> mlp.body(features(actions, step), 1, 1));
    }

    /** Concatenates observation and action of each row; an action of a box is as the environment receives it. */
    static Value features(Space actions, Step step) {
        Value done;
        if (actions instanceof Discrete discrete) {
            done = oneHot(step.action(), discrete.n());
        } else if (actions instanceof Box box) {
            done = clipped(box, step.action());
        } else {
            throw new IllegalArgumentException(
                    "environment: the discriminator needs discrete actions or those of a box, these are " + actions);
        }
        Value seen = step.observation();
        return concat(0, seen.shape().rank() == 1 ? seen : flatten(seen), done);
    }

    /** The policy's actions are clipped only for the environment, as the expert's were. */
    private static Value clipped(Box box, Value action) {
        float[] low = new float[box.width()];
        float[] high = new float[box.width()];
        for (int i = 0; i < low.length; i++) {
            low[i] = box.low(i);
            high[i] = box.high(i);
        }
        Graph graph = action.graph();
        Shape shape = Shape.of(low.length);
        return minimum(maximum(action, graph.constant(Tensor.of(shape, low))), graph.constant(Tensor.of(shape, high)));
    }
}
