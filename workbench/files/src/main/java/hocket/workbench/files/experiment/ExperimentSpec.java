package hocket.workbench.files.experiment;

import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Ring;
import hocket.schedulers.Source;
import hocket.schedulers.Trigger;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.exchange.Consistency;
import hocket.schedulers.flow.Step;
import hocket.schedulers.rings.RecordedRounds;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import hocket.workbench.files.forms.AllowedClasses;
import hocket.workbench.files.forms.AlternativeTo;
import hocket.workbench.files.forms.Inline;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The content of an experiment file. This record reads the file, completes it and makes its JSON schema. */
public record ExperimentSpec(
        @Setting(usually = "", help = "its name, also that of its run folders")
        String name,

        @Setting(usually = "", help = "what it does, in a line")
        String summary,

        @Setting(usually = "", help = "a file or built-in experiment that this one changes: maps are merged")
        String include,

        @Setting(usually = "[]", help = "jars and folders of classes that this file names")
        List<Path> classpath,

        @Setting(usually = "7", help = "of weights, noise and the order of the data")
        long seed,

        @Setting(
                usually = "0",
                least = 0,
                most = 1024,
                help = "threads that compute, 0 for all; results may depend on it")
        int threads,

        @Setting(
                usually = "1",
                least = 1,
                most = 32,
                help = "replicas in this process that share the rows of each turn, and the threads; results depend on"
                        + " it, to rounding")
        int workers,

        @Setting(
                usually = "{}",
                help = "how far the weights of several processes may be from each other, by glob; without, they are the"
                        + " same in each turn")
        Map<String, Consistency> exchange,

        @Setting(
                usually = "0",
                least = 0,
                most = 1e6,
                help = "rows of turns that read no feed; 0 as many as the first feed's")
        @AlternativeTo(ALGORITHM)
        int noiseRows,

        @Setting(help = "a whole experiment, by class: networks, data, turns, plan and budget")
        Optional<Definition> algorithm,

        @Setting(help = "the networks, by class") @AlternativeTo(value = ALGORITHM, needed = true)
        Optional<NetworkDefinition> network,

        @Setting(usually = "{}", help = "changes to the network's programs, by name") @AlternativeTo(ALGORITHM)
        Map<String, ProgramSpec> programs,

        @Setting(usually = "{}", help = "where data comes from, by a name for budgets and triggers")
        @AlternativeTo(ALGORITHM)
        Map<String, FeedSpec> feeds,

        @Setting(usually = "{}", help = "what changes something, by name")
        @AlternativeTo(value = ALGORITHM, needed = true)
        Map<String, TurnSpec> turns,

        @Setting(help = "a round: a turn's name, or several put together") @AlternativeTo(ALGORITHM)
        Optional<Plan> plan,

        @Setting(help = "how long") @AlternativeTo(ALGORITHM)
        Optional<BudgetSpec> budget,

        @Setting(usually = "[]", help = "what is done beside training, and when")
        List<WatchSpec> on,

        @Setting(usually = "{}", help = "how checkpoints are written, and which are kept")
        CheckpointPolicy checkpoints,

        @Setting(usually = "[]", help = "what is around training, by class: the first is outermost")
        List<Ring> rings,

        @Setting(usually = "[]", help = "rings that are taken away, by the names that plan shows")
        List<String> without,

        @Setting(usually = "", help = "the program that draws samples: its first target") @AlternativeTo(ALGORITHM)
        String samples,

        @Setting(help = "how the result is judged, by class")
        Optional<EvaluationDefinition> evaluation,

        @Setting(help = "a figure over rows that are not trained on")
        Optional<ValidationSpec> validation,

        @Setting(usually = "{}", help = "how often metrics are recorded")
        RecordedRounds metrics,

        @Setting(usually = "{}", help = "how often progress is shown")
        PrintSpec print,

        @Setting(help = "a step of one's own that decides seed and folder, by class")
        Optional<Step> instance,

        @Setting(usually = "hocket.schedulers.flow.Startup", help = "what the run starts from")
        Step startup,

        @Setting(usually = "{}", help = "ways to run by name, for --runner; train is the usual one")
        Map<String, RunnerSpec> runners,

        @Setting(help = "a step of one's own at the end, by class")
        Optional<Step> terminal,

        @Setting(help = "what ran it: written into run folders")
        Optional<RecordedSpec> recorded) {
    /** The key of a class that builds what other files spell out. */
    static final String ALGORITHM = "algorithm";

    /** A change to a program. */
    public record ProgramSpec(
            @Setting(usually = "{}", help = "modules whose parameters it reads elsewhere: {generator: ema/generator}")
            Map<String, String> reading) {}

    /** Data. */
    public record FeedSpec(
            @Inline @AllowedClasses({SourceDefinition.class, Source.class})
            Object source,

            @Setting(usually = "64", least = 1, most = 1e7, help = "rows a draw")
            int batch,

            @Setting(
                    name = "resample",
                    former = "draw",
                    usually = "each-turn",
                    help = "whether the turns of a round read the same rows")
            Resample draw,

            @Setting(usually = "true", help = "whether every epoch has an order of its own")
            boolean shuffled,

            @Setting(
                    usually = "[]",
                    help = "which inputs its columns feed, in their order; without, those of their names")
            List<String> feedOrder) {
        /**
         * Returns a source at its beginning; reads the data.
         *
         * @throws IllegalArgumentException if it cannot be opened, naming the setting
         */
        public Source open(String name, boolean inOrder) {
            return unnamed(name, inOrder).feeding(name, feedOrder);
        }

        /** Returns the facts of the source that are known without its data; empty if only the data tells. */
        public Optional<DescribedFeed> declared() {
            return source instanceof SourceDefinition definition
                    ? NonNull.by(definition, "declaredColumns()", definition.declaredColumns())
                            .filter(columns -> feedOrder.isEmpty() || feedOrder.size() == columns.size())
                            .map(columns -> new DescribedFeed(
                                    Source.Column.named(columns, feedOrder), batch, OptionalLong.empty(), List.of()))
                    : Optional.empty();
        }

        /**
         * Returns the source in order and row by row, so that an epoch has all rows; a class that is a source returns
         * its own batches.
         *
         * @throws IllegalArgumentException likewise, or if it has no epochs
         */
        public Source openRows(String name) {
            Source rows =
                    source instanceof SourceDefinition definition ? definition.open(name, 1, false) : (Source) source;
            if (!rows.hasEpochs()) {
                throw new IllegalArgumentException(
                        "feed: must be one whose rows come to an end, and those of this one come from outside");
            }
            return rows.feeding(name, feedOrder);
        }

        /** Returns the source with its columns under their own names. */
        Source unnamed(String name, boolean inOrder) {
            return source instanceof SourceDefinition definition
                    ? NonNull.by(definition, "open()", definition.open(name, batch, shuffled && !inOrder))
                    : (Source) source;
        }
    }

    /** A trigger with its actions. */
    public record WatchSpec(
            @Setting(help = "when") Trigger every,

            @Setting(name = "do", help = "save, samples, validate, score, best, stop, set, scale, or a class")
            List<ActionSpec> deeds) {}

    /** A metric over rows that are not trained on. */
    public record ValidationSpec(
            @Setting(help = "where the rows come from") FeedSpec feed,

            @Setting(help = "an EVAL program that reads them")
            String program,

            @Setting(usually = "loss", help = "one of its metrics, or loss for its first target")
            String metric) {}

    /** The interval of progress reports. */
    public record PrintSpec(
            @Setting(usually = "0.2", least = 0.01, most = 1e6, help = "seconds between redrawings in a terminal")
            double redraw,

            @Setting(
                    usually = "10",
                    least = 0.01,
                    most = 1e6,
                    help = "seconds between lines elsewhere; also each tenth")
            double line) {}

    /** A way to run. */
    public record RunnerSpec(
            @Inline @Setting(usually = "hocket.schedulers.flow.Train", help = "what runs")
            Step step,

            @Setting(usually = "[]", help = "plans with budgets, one after the other")
            List<PhaseSpec> phases) {}

    /** One of several plans. */
    public record PhaseSpec(
            @Setting(help = "its name") String name,
            @Setting(help = "a round") Plan plan,
            @Setting(help = "how long, from its beginning") BudgetSpec budget) {}

    /** The software and machine that ran an experiment. */
    public record RecordedSpec(
            @Setting(help = "Hocket's version") String hocket,
            @Setting(help = "what ran the programs") String lowering,
            @Setting(help = "what ran the optimizers") String kernels,

            @Setting(usually = "train", help = "which of the runners it was")
            String runner) {}
}
