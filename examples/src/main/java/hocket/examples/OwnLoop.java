package hocket.examples;

import static hocket.programs.Mode.TRAIN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.scopes.Streams.seed;

import hocket.gan.data.Digits;
import hocket.gan.losses.GanLoss;
import hocket.gan.networks.DcganDiscriminator;
import hocket.gan.networks.DcganGenerator;
import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;

/**
 * A loop by hand: it takes turns one by one and chooses the next by their results.
 *
 * <p>{@code examples/run OwnLoop [rounds]}: 200 rounds in two seconds. The discriminator gets a second turn if it
 * misclassified more than a third of the images.
 */
public final class OwnLoop {
    private OwnLoop() {}

    /** The number of turns of each side, and the mean pixel of the last generated images. */
    record Result(int discriminator, int generator, double pixel) {}

    public static void main(String[] args) {
        System.out.println(run(args.length > 0 ? Integer.parseInt(args[0]) : 200));
    }

    static Result run(int rounds) {
        Graph graph = new Graph();
        Shape image = Shape.of(1, 8, 8);
        Value noise = graph.noise("noise", Shape.of(32));
        Value real = graph.input("image", image);
        Value fake;
        try (var generator = graph.module("generator")) {
            fake = graph.name("image", DcganGenerator.usual().width(16).generate(noise, image));
        }
        Network<Value, Value> discriminator =
                graph.module("discriminator", DcganDiscriminator.usual().width(16)::logit);
        GanLoss loss = GanLoss.leastSquares();
        Turn.Descend d = Turn.of("d", Program.compile("d_step", TRAIN, loss.discriminator(discriminator, real, fake)))
                .updates("discriminator/**", adam(4e-4).beta1(0.5));
        Turn.Descend g = Turn.of("g", Program.compile("g_step", TRAIN, loss.generator(discriminator, fake)))
                .updates("generator/**", adam(4e-4).beta1(0.5))
                .observes(fake);
        Source images = Digits.load().batches(32);
        int turnsOfD = 0;
        try (Parameters parameters = Parameters.initialise(graph.declarations(), seed(7));
                Scheduler scheduler = Scheduler.over(parameters)) {
            for (int i = 0; i < rounds; i++) {
                Event.Descended seen = (Event.Descended) scheduler.step(d, images);
                turnsOfD++;
                if (seen.metrics().get("error_rate") > 1.0 / 3) {
                    scheduler.step(d, images);
                    turnsOfD++;
                }
                scheduler.step(g);
            }
            Tensor drawn = scheduler.observed(g, fake);
            double sum = 0;
            for (double pixel : drawn.doubles()) {
                sum += pixel;
            }
            return new Result(turnsOfD, rounds, sum / drawn.shape().size());
        }
    }
}
