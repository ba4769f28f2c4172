package hocket.examples;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Mode.EVAL;
import static hocket.programs.Mode.TRAIN;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Budget.epochs;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.Trigger.everyEpochOf;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.scopes.Streams.seed;

import hocket.gan.data.Digits;
import hocket.gan.data.ImageGrid;
import hocket.gan.losses.GanLoss;
import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.file.Path;

/**
 * A convolutional GAN on 1,797 handwritten digits: generator and discriminator share a store, take turns, and update
 * their own parameters.
 *
 * <p>{@code examples/run DigitsGan [epochs]}: the default 40 epochs take about ten seconds on two cores; then {@code
 * digits.png} has 64 samples that resemble digits ({@code ./hocket run digits-gan} trains longer).
 */
public final class DigitsGan {
    private DigitsGan() {}

    public static void main(String[] args) {
        int epochs = args.length > 0 ? Integer.parseInt(args[0]) : 40;
        Tensor samples = run(epochs, true);
        new ImageGrid(8, 1, 8).write(Path.of("digits.png"), samples.floats(), 1, 8, 8);
        System.out.println("64 samples in digits.png");
    }

    /** Trains and draws 64 samples (64, 1, 8, 8). */
    static Tensor run(int epochs, boolean say) {
        Graph graph = new Graph();
        Value z = graph.noise("noise", Shape.of(64));
        Value real = graph.input("image", Shape.of(1, 8, 8));

        Value fake;
        try (var generator = graph.module("generator")) {
            Value h = relu(batchNorm("bn0", dense("project", z, 512)));
            try (var up = graph.scope("up")) {
                h = reshape(h, 128, 2, 2);
                h = relu(batchNorm(
                        "bn1", convTranspose("conv1", h, 64, kernel(4).stride(2).pad(1))));
                fake = graph.name(
                        "image",
                        tanh(convTranspose("conv2", h, 1, kernel(4).stride(2).pad(1))));
            }
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Value h = leakyRelu(conv("conv1", x, 64, kernel(4).stride(2).pad(1)), 0.2);
            h = leakyRelu(conv("conv2", h, 128, kernel(4).stride(2).pad(1)), 0.2);
            return dense("logit", flatten(h), 1);
        });

        GanLoss loss = GanLoss.nonSaturating();
        Program dStep = Program.compile("d_step", TRAIN, loss.discriminator(discriminator, real, fake));
        Program gStep = Program.compile("g_step", TRAIN, loss.generator(discriminator, fake));
        Program draw = Program.compile("draw", EVAL, fake).reading("generator", "ema/generator");

        var d = Turn.of("d", dStep).updates("discriminator/**", adam(2e-4).beta1(0.5));
        var g = Turn.of("g", gStep).updates("generator/**", adam(2e-4).beta1(0.5));
        var ema = Turn.average("ema", "generator/**", "ema/generator/**", 0.99);

        try (var parameters =
                        Parameters.initialise(graph.declarations(), seed(7)).copy("generator/**", "ema/generator/**");
                var scheduler = Scheduler.over(parameters)) {
            scheduler
                    .plan(sequence(d, g, ema))
                    .feed(Digits.load().batches(64), EACH_TURN)
                    .on(everyEpochOf("image"), run -> {
                        if (say && run.position().epoch() % 10 == 0) {
                            System.out.printf(
                                    "epoch %3.0f  d %.3f  g %.3f%n",
                                    run.position().epoch(),
                                    scheduler.average("d/loss", 28).orElseThrow(),
                                    scheduler.average("g/loss", 28).orElseThrow());
                        }
                    })
                    .run(epochs("image", epochs));
            return scheduler.now().session().run(draw, Feeds.rows(64)).get(0);
        }
    }
}
