package hocket.examples;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.gan.data.Digits;
import hocket.gan.losses.GanLoss;
import hocket.gan.networks.DcganDiscriminator;
import hocket.gan.networks.DcganGenerator;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.schedulers.Rows;
import hocket.schedulers.inference.Inferencer;
import hocket.schedulers.trainer.Model;
import hocket.schedulers.trainer.Trainer;
import hocket.schedulers.trainer.TrainerEvent.EndEpoch;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Training, testing and inferring in a line each: a regression, then a GAN. A saved model infers without a trainer.
 *
 * <p>{@code examples/run OneLiners [epochs]}: 40 epochs of the regression and 2 of the GAN in four seconds; the
 * regression's mean error is about 0.25, that of a constant above 1.
 */
public final class OneLiners {
    private static final int ROWS = 512;

    private OneLiners() {}

    /** Mean error of the trainer and of its saved model on held-out rows, and images of the GAN. */
    record Result(double tested, double inferred, Tensor images) {}

    public static void main(String[] args) throws IOException {
        Result result = run(args.length > 0 ? Integer.parseInt(args[0]) : 40, 2);
        System.out.printf("mean absolute error %.3f, inferred %.3f%n", result.tested(), result.inferred());
        System.out.println("images " + result.images());
    }

    /** {@code y = sin(2a) + b·c}, learnt from rows of (a, b, c). */
    private static Model regression() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3));
        Value y = graph.input("y", Shape.of(1));
        Network<Value, Value> net = graph.module(
                "net", in -> dense("out", dropout("drop", relu(batchNorm("norm", dense("hidden", in, 128))), 0.05), 1));
        Value error = subtract(net.apply(x), y);
        return Model.minimise(Loss.of(mean(square(error))).metric("absolute_error", mean(abs(error))))
                .infers(net.apply(x));
    }

    /** A discriminator and a generator: two objectives, minimised alternately. */
    private static Model gan() {
        Graph graph = new Graph();
        Shape image = Shape.of(1, 8, 8);
        Value real = graph.input("image", image);
        Value noise = graph.noise("noise", Shape.of(32));
        Network<Value, Value> generator =
                graph.module("generator", z -> DcganGenerator.usual().width(16).generate(z, image));
        Network<Value, Value> discriminator =
                graph.module("discriminator", DcganDiscriminator.usual().width(16)::logit);
        Value fake = generator.apply(noise);
        GanLoss loss = GanLoss.nonSaturating();
        return Model.minimise("d", "discriminator/**", loss.discriminator(discriminator, real, fake))
                .and("g", "generator/**", loss.generator(discriminator, fake))
                .infers(fake);
    }

    static Result run(int epochs, int epochsOfGan) throws IOException {
        Path saved = Files.createTempDirectory("models");
        Tensor x = inputs("test");
        Tensor y = outputs(x);
        double tested;
        try (Trainer trainer = Trainer.of(OneLiners::regression).with(adam(5e-3))) {
            trainer.on(EndEpoch.class, end -> {
                        if (end.epoch() % 10 == 0) {
                            System.out.printf("epoch %d: cost %.4f%n", end.epoch(), end.cost());
                        }
                    })
                    .train(rows(inputs("train")).batches(64), epochs)
                    .saveInferenceModel(saved.resolve("regression"));
            tested = trainer.test(rows(x).batches(64)).metric("absolute_error");
        }
        double inferred = 0;
        try (Inferencer inferencer = Inferencer.load(saved.resolve("regression"))) {
            float[] guessed = inferencer.infer(x).floats();
            for (int i = 0; i < ROWS; i++) {
                inferred += Math.abs(guessed[i] - y.floats()[i]) / ROWS;
            }
        }
        try (Trainer trainer = Trainer.of(OneLiners::gan).with(adam(4e-4).beta1(0.5))) {
            trainer.train(Digits.load().batches(64), epochsOfGan).saveInferenceModel(saved.resolve("gan"));
        }
        try (Inferencer generator = Inferencer.load(saved.resolve("gan"))) {
            return new Result(tested, inferred, generator.sample(16, 7).tensor());
        }
    }

    private static Rows rows(Tensor x) {
        return Rows.of("x", x).and("y", outputs(x));
    }

    private static Tensor inputs(String name) {
        double[] uniform = new double[ROWS * 3];
        Streams.seed(1).at(name).uniform(0, uniform);
        float[] x = new float[uniform.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (4 * uniform[i] - 2);
        }
        return Tensor.of(Shape.of(ROWS, 3), x);
    }

    private static Tensor outputs(Tensor x) {
        float[] in = x.floats();
        float[] y = new float[ROWS];
        for (int i = 0; i < ROWS; i++) {
            y[i] = (float) Math.sin(2 * in[3 * i]) + in[3 * i + 1] * in[3 * i + 2];
        }
        return Tensor.of(Shape.of(ROWS, 1), y);
    }
}
