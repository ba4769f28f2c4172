package hocket.examples;

import static hocket.programs.Layers.dense;
import static hocket.programs.Mode.TRAIN;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.errorRate;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.scopes.Streams.seed;

import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.util.List;

/**
 * Two sources train two halves of one network: the left half reads the left half of the digits and learns from the
 * first 900 images, the right half from the rest; a classifier reads both.
 *
 * <p>{@code examples/run LeftAndRightHalves [rounds]}: 600 rounds in two seconds; each side has an error rate below 10
 * %.
 */
public final class LeftAndRightHalves {
    private LeftAndRightHalves() {}

    /** Error rates of the two turns at the end. */
    record Result(double left, double right) {}

    public static void main(String[] args) {
        System.out.println(run(args.length > 0 ? Integer.parseInt(args[0]) : 600));
    }

    static Result run(int rounds) {
        Graph graph = new Graph();
        Network<Value, Value> left = graph.module("left", x -> relu(dense("h", reshape(slice(x, 2, 0, 4), 32), 64)));
        Network<Value, Value> right = graph.module("right", x -> relu(dense("h", reshape(slice(x, 2, 4, 8), 32), 64)));
        Network<Value, Value> whole =
                graph.module("whole", x -> dense("logits", concat(0, left.apply(x), right.apply(x)), 10));

        // Each turn calls the whole network on its own images and updates one half of it; both share the classifier on
        // top.
        Turn.Descend moveLeft = Turn.of("left", learn(graph, whole, "left"))
                .updates("left/**", adam(1e-3))
                .shares("whole/**", adam(1e-3));
        Turn.Descend moveRight = Turn.of("right", learn(graph, whole, "right"))
                .updates("right/**", adam(1e-3))
                .shares("whole/**", adam(1e-3));

        try (Parameters parameters = Parameters.initialise(graph.declarations(), seed(7));
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler
                    .plan(sequence(moveLeft, moveRight))
                    .feed(
                            new Optdigits(Part.FIRST_HALF)
                                    .open("first", 64, true)
                                    .feeding("first", List.of("image_left", "label_left")),
                            EACH_TURN)
                    .feed(
                            new Optdigits(Part.SECOND_HALF)
                                    .open("second", 64, true)
                                    .feeding("second", List.of("image_right", "label_right")),
                            EACH_TURN)
                    .run(rounds(rounds));
            return new Result(
                    scheduler.average("left/error_rate", 50).orElseThrow(),
                    scheduler.average("right/error_rate", 50).orElseThrow());
        }
    }

    private static Program learn(Graph graph, Network<Value, Value> whole, String side) {
        Value image = graph.input("image_" + side, Shape.of(1, 8, 8));
        Value label = graph.input("label_" + side, Shape.scalar(), ElementType.INT64);
        Value logits = whole.apply(image);
        Loss loss = Loss.of(mean(softmaxCrossEntropy(logits, label))).metric("error_rate", errorRate(logits, label));
        return Program.compile("learn_" + side, TRAIN, loss);
    }
}
