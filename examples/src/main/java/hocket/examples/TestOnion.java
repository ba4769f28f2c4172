package hocket.examples;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Mode.EVAL;
import static hocket.programs.Mode.TRAIN;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.errorRate;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.schedulers.Budget.epochs;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.Trigger.everyEpochs;
import static hocket.schedulers.Trigger.everyRounds;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Definition;
import hocket.schedulers.Event;
import hocket.schedulers.Learn;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.rings.NestedRun;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A run inside another: training runs a test every 200 batches, or, with one changed line, every 10 epochs. Then
 * inference: the training rings without the innermost one.
 *
 * <p>{@code examples/run TestOnion [epochs]}: 60 epochs in some seconds; each test prints a line, and at the end the
 * error rate is about 6 %.
 */
public final class TestOnion {
    private static final Trigger EVERY_200_BATCHES = everyRounds(200);
    private static final Trigger EVERY_10_EPOCHS = everyEpochs("first", 10);

    private TestOnion() {}

    /** Error rates on held-out rows of each test, and of the rings without learning at the end. */
    record Result(List<Double> tests, double inferred) {}

    public static void main(String[] args) {
        int epochs = args.length > 0 ? Integer.parseInt(args[0]) : 60;
        Result result = run(epochs, EVERY_200_BATCHES); // the line to change: EVERY_10_EPOCHS
        result.tests().forEach(error -> System.out.printf("test: error rate %.3f%n", error));
        System.out.printf("inferred with the same onion: error rate %.3f%n", result.inferred());
        System.out.println(run(epochs, EVERY_10_EPOCHS).tests().size() + " tests, by the epoch");
    }

    /** A ring that reports the mean error rate of a run's turns when it ends. */
    private record MeanError(List<Double> into, List<Double> batches) implements Ring {
        @Override
        public void descended(Run run, Event.Descended turn) {
            batches.add(turn.metrics().get("error_rate"));
        }

        @Override
        public void finalise(Run run, Next next) {
            next.proceed();
            into.add(batches.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
            batches.clear();
        }
    }

    static Result run(int epochs, Trigger whenToTest) {
        Graph graph = new Graph();
        Value image = graph.input("image", Shape.of(1, 8, 8));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Network<Value, Value> net = graph.module(
                "net",
                x -> dense(
                        "logits", dropout("drop", relu(batchNorm("norm", dense("hidden", flatten(x), 64))), 0.2), 10));
        Value logits = net.apply(image);
        Loss loss = Loss.of(mean(softmaxCrossEntropy(logits, label))).metric("error_rate", errorRate(logits, label));

        // The inner run: one epoch of other rows with the same weights, in EVAL mode.
        List<Double> tests = new ArrayList<>();
        Definition test =
                () -> Setup.of(graph, Turn.evaluate("test", Program.compile("test", EVAL, loss)), epochs("second", 1))
                        .feed(new Optdigits(Part.SECOND_HALF).open("second", 64, false), EACH_TURN)
                        .ring(new MeanError(tests, new ArrayList<>()));

        // The outer run.
        Turn.Descend classify =
                Turn.of("classify", Program.compile("classify", TRAIN, loss)).updates("net/**", adam(1e-3));
        Definition training = () -> Setup.of(graph, classify, epochs("first", epochs))
                .feed(new Optdigits(Part.FIRST_HALF).open("first", 64, true), EACH_TURN)
                .ring(new NestedRun("test", whenToTest, test));

        try (LiveRun run = training.begin(7)) {
            run.run();

            // Inference is the training run without the ring that learns: the same turns in EVAL mode on other rows.
            List<Double> inferred = new ArrayList<>();
            Definition inference = () -> Setup.of(graph, classify, epochs("second", 1))
                    .feed(new Optdigits(Part.SECOND_HALF).open("second", 64, false), EACH_TURN)
                    .ring(new MeanError(inferred, new ArrayList<>()));
            try (LiveRun onion =
                    inference.over(run.parameters(), run.scheduler().threads())) {
                onion.scheduler().without(Learn.NAME);
                onion.run();
            }
            return new Result(tests, inferred.get(0));
        }
    }
}
