package hocket.examples;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Mode.TRAIN;
import static hocket.programs.Operators.errorRate;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.scopes.Streams.seed;

import hocket.gan.data.Digits;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Recorder;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.rings.Recording;
import hocket.schedulers.trainer.Model;
import hocket.schedulers.trainer.Trainer;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.training.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One training at three levels of the API: a classifier of digits trained in a line, by a class that extends {@link
 * Experiment}, and by a hand-written loop with the same rings. All three results are bit-equal.
 *
 * <p>{@code examples/run ThreeLevels [epochs]}: three epochs in a second each; prints three digests, which are equal.
 */
public final class ThreeLevels {
    private static final long SEED = 7;
    private static final int BATCH = 64;

    private ThreeLevels() {}

    public static void main(String[] args) throws IOException {
        run(args.length > 0 ? Integer.parseInt(args[0]) : 3)
                .forEach((level, digest) -> System.out.println(digest + "  " + level));
    }

    /** The digests of the three stores, by level. */
    static SortedMap<String, String> run(int epochs) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        digests.put("1 a line", line(epochs));
        digests.put("2 an experiment", experiment(epochs));
        digests.put("3 a loop by hand", loop(epochs));
        return digests;
    }

    /** Returns the model that all three train. */
    private static Model classifier() {
        Graph graph = new Graph();
        Value image = graph.input("image", Shape.of(1, 8, 8));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Network<Value, Value> net =
                graph.module("net", x -> dense("logits", relu(batchNorm("norm", dense("hidden", flatten(x), 64))), 10));
        Value logits = net.apply(image);
        return Model.minimise(
                        "classify",
                        "net/**",
                        Loss.of(mean(softmaxCrossEntropy(logits, label)))
                                .metric("error_rate", errorRate(logits, label)))
                .infers(logits);
    }

    // The first level: a line.

    private static String line(int epochs) {
        try (Trainer trainer =
                Trainer.of(ThreeLevels::classifier).with(adam(1e-3)).seed(SEED)) {
            trainer.train(Digits.load().batches(BATCH), epochs);
            return trainer.live().parameters().digest();
        }
    }

    // The second: a class that defines the step of a batch; the base class has the rest.

    private static final class Classifying extends Experiment {
        private final int epochs;
        private Source digits = Digits.load().batches(BATCH);
        private Turn.Descend classify = turn(ThreeLevels.classifier());
        private String digest = "";

        Classifying(Path folder, int epochs) {
            super(folder, SEED);
            this.epochs = epochs;
        }

        @Override
        protected void setupData() {
            feed(digits);
        }

        @Override
        protected Graph setupModel() {
            return classify.program().graph();
        }

        @Override
        protected void trainBatch() {
            step(classify);
            if (iteration() + 1 == maxIteration()) {
                digest = parameters().digest();
            }
        }

        @Override
        protected long maxIteration() {
            return epochs * digits.drawsAnEpoch().orElseThrow();
        }
    }

    private static String experiment(int epochs) throws IOException {
        Classifying experiment = new Classifying(Files.createTempDirectory("classifying"), epochs);
        experiment.run();
        return experiment.digest;
    }

    // The third: a hand-written loop with any rings around it.

    private static String loop(int epochs) {
        Turn.Descend classify = turn(classifier());
        Source digits = Digits.load().batches(BATCH);
        try (Parameters parameters =
                        Parameters.initialise(classify.program().graph().declarations(), seed(SEED));
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler.ring(new Recording(new Silent())).on(Trigger.everyRounds(10), run -> {
                if (run.position().round() > 10_000) {
                    run.stop();
                }
            });
            scheduler.loop(() -> {
                while (digits.epoch() < epochs && !scheduler.isAskedToEnd()) {
                    scheduler.round(() -> scheduler.step(classify, digits));
                }
            });
            return parameters.digest();
        }
    }

    private static Turn.Descend turn(Model model) {
        Model.Objective only = model.objectives().get(0);
        return Turn.of(only.name(), Program.compile(only.name(), TRAIN, only.loss()))
                .updates(only.selection(), adam(1e-3));
    }

    /** Ignores metrics; a real recorder writes a file, a page or a line on the screen. */
    private static final class Silent implements Recorder {
        @Override
        public void scalar(Event.Position at, String turn, String name, double value) {}

        @Override
        public void images(Event.Position at, String name, Tensor images) {}

        @Override
        public void text(Event.Position at, String name, String text) {}
    }
}
