package hocket.examples;

import static hocket.programs.Mode.EVAL;
import static hocket.programs.Mode.TRAIN;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.gan.data.Digits;
import hocket.gan.losses.GanLoss;
import hocket.gan.networks.DcganDiscriminator;
import hocket.gan.networks.DcganGenerator;
import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.training.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A custom experiment: a GAN whose discriminator gets a second turn while its features hardly separate real and
 * generated images, with a validation of its own: the distance between the mean features of generated and real images.
 *
 * <p>{@code examples/run OwnExperiment [iterations] [FOLDER]}: 300 iterations in ten seconds. The folder then holds
 * configuration.json, metrics.jsonl, log.txt, samples and checkpoints; with the same folder it resumes.
 */
public final class OwnExperiment extends Experiment {
    /** The settings, written into the folder. */
    record Settings(
            @Setting(help = "number of iterations") long iterations,
            @Setting(help = "images of a turn") int batch,

            @Setting(help = "distance of features below which the discriminator gets a second turn")
            double near) {}

    private final Settings settings;
    private final Source digits;
    private final Program judge;
    private final Program draw;
    private final Turn.Descend d;
    private final Turn.Descend g;
    private double distance;
    private long extra;

    OwnExperiment(Path folder, Settings settings) {
        super(folder, 7);
        this.settings = settings;
        digits = Digits.load().batches(settings.batch());
        Graph graph = new Graph();
        Shape image = Shape.of(1, 8, 8);
        Value real = graph.input("image", image);
        Value noise = graph.noise("noise", Shape.of(32));
        Network<Value, Value> generator =
                graph.module("generator", z -> DcganGenerator.usual().width(16).generate(z, image));
        Network<Value, Value> discriminator =
                graph.module("discriminator", DcganDiscriminator.usual().width(16)::logit);
        Value fake = graph.name("fake", generator.apply(noise));
        GanLoss loss = GanLoss.nonSaturating();
        judge = Program.compile("judge", EVAL, discriminator.apply(real));
        draw = Program.compile("draw", EVAL, fake);
        d = Turn.of("d", Program.compile("d", TRAIN, loss.discriminator(discriminator, real, fake)))
                .updates("discriminator/**", adam(4e-4).beta1(0.5));
        g = Turn.of("g", Program.compile("g", TRAIN, loss.generator(discriminator, fake)))
                .updates("generator/**", adam(4e-4).beta1(0.5));
    }

    public static void main(String[] args) throws IOException {
        long iterations = args.length > 0 ? Long.parseLong(args[0]) : 300;
        Path folder = args.length > 1 ? Path.of(args[1]) : Files.createTempDirectory("own-experiment");
        OwnExperiment experiment = new OwnExperiment(folder, new Settings(iterations, 64, 0.02));
        if (Files.exists(folder.resolve("checkpoints"))) {
            experiment.resume();
        } else {
            experiment.run();
        }
        System.out.printf(
                "distance of features %.3f, %d further turns of the discriminator, in %s%n",
                experiment.distance, experiment.extra, folder);
    }

    /** Returns the distance between the mean features of generated and real images, by the last validation. */
    double distance() {
        return distance;
    }

    /** Returns the number of further turns of the discriminator. */
    long extra() {
        return extra;
    }

    @Override
    protected void setupData() {
        feed(digits);
    }

    @Override
    protected Graph setupModel() {
        return judge.graph();
    }

    @Override
    protected void trainBatch() {
        step(d);
        if (iteration() > 0 && distance < settings.near()) {
            step(d);
            extra++;
        }
        step(g);
    }

    @Override
    protected void validate() {
        Tensor images = compute(draw, Feeds.rows(64)).get(0);
        State before = digits.save();
        Feeds real = digits.draw(judge, parameters().streams());
        digits.restore(before);
        // The layer before the logit is not a program's target, so it is accessed by its path.
        double[] ofReal = means(value(judge, "discriminator/conv1", real));
        double[] ofFalse = means(value(judge, "discriminator/conv1", Feeds.of("image", images)));
        double sum = 0;
        for (int i = 0; i < ofReal.length; i++) {
            sum += (ofReal[i] - ofFalse[i]) * (ofReal[i] - ofFalse[i]);
        }
        distance = Math.sqrt(sum);
        log("validation", "distance", distance);
        show(String.format("iteration-%06d", iteration()), images);
    }

    /** Returns the mean of each channel over rows and pixels. */
    private static double[] means(Tensor features) {
        int channels = features.shape().get(1);
        double[] means = new double[channels];
        double[] values = features.doubles();
        int rows = features.shape().get(0);
        int places = values.length / rows / channels;
        for (int i = 0; i < values.length; i++) {
            means[i / places % channels] += values[i] / rows / places;
        }
        return means;
    }

    @Override
    protected long maxIteration() {
        return settings.iterations();
    }

    @Override
    protected long validInterval() {
        return 50;
    }

    @Override
    protected long saveInterval() {
        return 100;
    }

    @Override
    protected Record configuration() {
        return settings;
    }

    @Override
    protected State saveOwn() {
        return State.empty().with("distance", distance).with("extra", extra);
    }

    @Override
    protected void restoreOwn(State state) {
        distance = state.real("distance");
        extra = state.whole("extra");
    }
}
