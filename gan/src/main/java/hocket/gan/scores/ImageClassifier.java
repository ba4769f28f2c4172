package hocket.gan.scores;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.gan.data.Images;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.schedulers.Budget;
import hocket.schedulers.Resample;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A small convolutional classifier of images, trained by Hocket, which scores generated samples. The same images, seed
 * and thread count give the same classifier. Close it after use.
 */
public final class ImageClassifier implements AutoCloseable {
    private static final int BATCH = 64;
    private static final int CLASSIFIED_AT_ONCE = 256;
    private static final int CHANNELS = 64;
    private static final int MOST_EPOCHS = 20;
    private static final int ROWS = 1000 * BATCH;

    private final Graph graph = new Graph();
    private final int classes;
    private final Parameters parameters;
    private final Session session;

    private final Turn.Descend learn;

    /** Makes an untrained classifier. */
    private ImageClassifier(Images images, long seed, int threads) {
        classes = images.classes();
        Value image = graph.input("image", Shape.of(images.channels(), images.height(), images.width()));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value logits;
        try (Scope<Value> classifier = graph.module("classifier")) {
            Window same =
                    kernel(3).pad(1).weights(Weights.weights(Initialiser.he()).withoutBias());
            Value h = relu(batchNorm("bn1", conv("conv1", image, 32, same)));
            h = relu(batchNorm("bn2", conv("conv2", h, CHANNELS, same.stride(2))));
            int cells = h.shape().size() / CHANNELS;
            graph.name("features", mean(reshape(h, CHANNELS, cells), 1));
            h = dropout("dropout", flatten(h), 0.3);
            logits = dense("logits", h, classes);
        }
        graph.name("probabilities", softmax(logits));
        Loss loss = Loss.of(mean(softmaxCrossEntropy(logits, label)))
                .metric("error_rate", Operators.errorRate(logits, label));
        learn = Turn.of("learn", Program.compile("learn", Mode.TRAIN, loss)).updates("classifier/**", adam(1e-3));
        parameters = Parameters.initialise(graph.declarations(), Streams.seed(seed));
        session = Session.over(graph, parameters, Mode.EVAL, threads);
    }

    private ImageClassifier trained(Images images, int epochs) {
        try (Scheduler scheduler = Scheduler.over(parameters, session.threads())) {
            scheduler.plan(learn).feed(images.batches(Math.min(BATCH, images.count())), Resample.EACH_TURN);
            scheduler.run(Budget.epochs("image", epochs));
            return this;
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Trains a classifier for 20 epochs, or for about 1,000 steps if these are fewer.
     *
     * @param images with labels
     * @param threads on which the result may depend
     * @throws IllegalArgumentException if the images have no labels
     */
    public static ImageClassifier train(Images images, int threads) {
        return train(images, 0, Math.max(1, Math.min(MOST_EPOCHS, ROWS / images.count())), threads);
    }

    /** Trains a classifier for some epochs. Throws as {@link #train(Images, int)}. */
    static ImageClassifier train(Images images, long seed, int epochs, int threads) {
        if (!images.isLabelled()) {
            throw new IllegalArgumentException("a classifier needs images with labels, got " + images);
        }
        return new ImageClassifier(images, seed, threads).trained(images, epochs);
    }

    /**
     * Makes a classifier with the parameters of another, {@link #trained()}, for images of the same size and classes.
     */
    static ImageClassifier of(Images images, Snapshot learnt, int threads) {
        ImageClassifier classifier = new ImageClassifier(images, 0, threads);
        classifier.parameters.restore(learnt);
        return classifier;
    }

    /** The trained parameters. */
    Snapshot trained() {
        return parameters.snapshot();
    }

    /**
     * Computes the probability of each class for each image.
     *
     * @param images (N, channels, height, width) in -1..1
     * @return row-major (N, classes)
     */
    public float[] probabilities(Tensor images) {
        return outputs("probabilities", classes, images);
    }

    /**
     * Computes the means of the last convolution's channels over each image.
     *
     * @param images (N, channels, height, width) in -1..1
     * @return (N, 64)
     */
    FeatureRows features(Tensor images) {
        return new FeatureRows(outputs("classifier/features", CHANNELS, images), CHANNELS);
    }

    /** Computes a value of a size for each image, some images at a time. */
    private float[] outputs(String value, int size, Tensor images) {
        int count = images.shape().get(0);
        int row = images.shape().size() / count;
        float[] pixels = images.floats();
        float[] outputs = new float[count * size];
        for (int from = 0; from < count; from += CLASSIFIED_AT_ONCE) {
            int n = Math.min(CLASSIFIED_AT_ONCE, count - from);
            Tensor part =
                    Tensor.of(images.shape().with(0, n), Arrays.copyOfRange(pixels, from * row, (from + n) * row));
            float[] some = session.run(value, Feeds.of("image", part)).floats();
            System.arraycopy(some, 0, outputs, from * size, some.length);
        }
        return outputs;
    }

    /** The number of classes. */
    public int classes() {
        return classes;
    }

    /** The share of labelled images that are misclassified. */
    public double errorRate(Images images) {
        return errorRate(ImageSetScores.tensor(images), images.labels());
    }

    /**
     * Returns the share of images whose predicted class is not their label.
     *
     * @param images (N, channels, height, width) in -1..1
     * @param labels the label of each image
     */
    public double errorRate(Tensor images, int[] labels) {
        float[] p = probabilities(images);
        int[] predicted = IntStream.range(0, labels.length)
                .map(i -> ClassScores.largest(p, i, classes))
                .toArray();
        return ConfusionMatrix.of(labels, predicted, classes).errorRate();
    }

    @Override
    public void close() {
        session.close();
        parameters.close();
    }
}
