package hocket.gan.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.errorRate;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmaxCrossEntropy;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * A classifier made of two halves: module {@code left} sees the left half of an image, {@code right} the right, and
 * {@code whole} reads both. Two sources of images (channels, height, width) feed it, by columns {@code image_left} and
 * {@code label_left}, and {@code image_right} and {@code label_right}. The programs, each of the whole network with the
 * metric {@code error_rate}, are:
 *
 * <ul>
 *   <li>{@code left}: cross entropy in nats on the first source, minimised by {@code left/**};
 *   <li>{@code right}: the same on the second source, minimised by {@code right/**}.
 * </ul>
 *
 * {@code whole/**} may be shared between the two.
 *
 * @param width the units of each half
 * @param classes the number of classes: labels are 0..classes-1
 * @param weights initialiser of the layers' weights
 */
public record HalfAndHalf(
        @Setting(usually = "64", least = 1, most = 16384, help = "units of each half")
        int width,

        @Setting(usually = "10", least = 2, help = "number of classes, with labels from 0")
        int classes,

        @Setting(
                usually = "xavier_uniform",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements NetworkDefinition, HalfAndHalfCopies {
    /** Makes networks with Xavier's weights. */
    public HalfAndHalf(int width, int classes) {
        this(width, classes, Initialiser.xavier());
    }

    /** @throws IllegalArgumentException if width is below 1, or there are not two classes */
    public HalfAndHalf {
        HalfAndHalfCopies.check(width, classes);
    }

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        Network<Value, Value> left = half(graph, "left", 0);
        Network<Value, Value> right = half(graph, "right", 1);
        Network<Value, Value> whole = graph.module(
                "whole",
                x -> dense("logits", concat(0, left.apply(x), right.apply(x)), classes, Weights.weights(weights)));
        return Networks.of(graph, learn(graph, columns, whole, "left"), learn(graph, columns, whole, "right"));
    }

    private Network<Value, Value> half(Graph graph, String side, int position) {
        return graph.module(side, x -> {
            int across = x.shape().get(2) / 2;
            Value seen = slice(x, 2, position * across, (position + 1) * across);
            return relu(dense("hidden", flatten(seen), width, Weights.weights(weights)));
        });
    }

    private static Program learn(Graph graph, Columns columns, Network<Value, Value> whole, String side) {
        Shape shape = columns.shape("image_" + side);
        if (shape.rank() != 3 || shape.get(2) % 2 != 0) {
            throw new IllegalArgumentException(
                    "column image_" + side + ": must be images (channels, height, width) of even width, was " + shape);
        }
        Value image = graph.input("image_" + side, shape);
        Value label = graph.input("label_" + side, columns.shape("label_" + side), ElementType.INT64);
        Value logits = whole.apply(image);
        Loss loss = Loss.of(mean(softmaxCrossEntropy(logits, label))).metric("error_rate", errorRate(logits, label));
        return Program.compile(side, Mode.TRAIN, loss);
    }
}
