package hocket.gan.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.errorRate;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * A denoising autoencoder (Vincent et al. 2008) on a column {@code image} (any shape, -1..1), and a classifier on its
 * codes with a column {@code label} (), INT64. They are trained one after the other. All layers are dense. Programs:
 *
 * <ul>
 *   <li>{@code autoencoder}: the mean squared error per pixel of the image decoded from the code of a noisy copy;
 *       minimised by {@code encoder/**} and {@code decoder/**};
 *   <li>{@code classifier}: cross entropy in nats, metric {@code error_rate}; minimised by {@code classifier/**}; its
 *       gradient reaches nothing else;
 *   <li>{@code classify}: the same without dropout, for evaluation.
 * </ul>
 *
 * @param code the numbers of an image's code
 * @param width the units of the hidden layer of encoder, decoder and classifier
 * @param noise the standard deviation of the noise added to each pixel before encoding
 * @param classes the number of classes: labels are 0..classes-1
 * @param weights initialiser of the layers' weights
 */
public record AutoencoderClassifier(
        @Setting(usually = "32", least = 1, help = "size of the code of an image")
        int code,

        @Setting(usually = "256", least = 1, most = 16384, help = "units of each hidden layer")
        int width,

        @Setting(usually = "0.5", help = "deviation of the noise on images that the autoencoder learns to remove")
        double noise,

        @Setting(usually = "10", least = 2, help = "number of classes, with labels from 0")
        int classes,

        @Setting(
                usually = "xavier_uniform",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements NetworkDefinition, AutoencoderClassifierCopies {
    /** Makes networks with Xavier's weights. */
    public AutoencoderClassifier(int code, int width, double noise, int classes) {
        this(code, width, noise, classes, Initialiser.xavier());
    }

    private static final double DROPOUT = 0.3;

    /** @throws IllegalArgumentException if code or width is below 1, noise not above 0, or there are not two classes */
    public AutoencoderClassifier {
        AutoencoderClassifierCopies.check(code, width, classes);
        Limits.positive("noise", noise);
    }

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        Weights used = Weights.weights(weights);
        Shape shape = columns.shape("image");
        Value image = graph.input("image", shape);
        Value label = graph.input("label", columns.shape("label"), ElementType.INT64);
        Value noisy = add(image, scale(graph.noise("noise", shape), noise));
        Network<Value, Value> encoder =
                graph.module("encoder", x -> dense("code", relu(dense("hidden", flatten(x), width, used)), code, used));
        Network<Value, Value> decoder = graph.module(
                "decoder", x -> tanh(dense("pixels", relu(dense("hidden", x, width, used)), shape.size(), used)));
        Network<Value, Value> classifier = graph.module(
                "classifier",
                x -> dense(
                        "logits", dropout("dropout", relu(dense("hidden", x, width, used)), DROPOUT), classes, used));

        Value decoded = decoder.apply(encoder.apply(noisy));
        Value logits = classifier.apply(stopGradient(encoder.apply(image)));
        Loss classes = Loss.of(mean(softmaxCrossEntropy(logits, label))).metric("error_rate", errorRate(logits, label));
        return Networks.of(
                graph,
                Program.compile("autoencoder", Mode.TRAIN, mean(square(subtract(decoded, flatten(image))))),
                Program.compile("classifier", Mode.TRAIN, classes),
                Program.compile("classify", Mode.EVAL, classes));
    }
}
