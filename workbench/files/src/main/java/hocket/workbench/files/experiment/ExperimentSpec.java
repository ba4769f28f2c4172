package hocket.workbench.files.experiment;

import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Ring;
import hocket.schedulers.Source;
import hocket.schedulers.Trigger;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.exchange.Consistency;
import hocket.schedulers.feeds.PackedSource;
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

        @Setting(usually = "", help = "summary in a line") String summary,

        @Setting(usually = "", help = "a file or built-in experiment that this one changes: maps are merged")
        String include,

        @Setting(usually = "[]", help = "jars and folders of classes that this file names")
        List<Path> classpath,

        @Setting(usually = "7", help = "seed of weights, noise and the order of the data")
        long seed,

        @Setting(
                usually = "0",
                least = 0,
                most = 1024,
                help = "compute threads, 0 for all cores; results may depend on it")
        int threads,

        @Setting(
                usually = "1",
                least = 1,
                most = 32,
                help = "replicas in this process that share the rows of each turn and the threads; changes results"
                        + " by rounding")
        int workers,

        @Setting(
                usually = "{}",
                help = "how weights may differ between processes, by glob; default: equal weights after each turn")
        Map<String, Consistency> exchange,

        @Setting(
                usually = "0",
                least = 0,
                most = 1e6,
                help = "rows of turns that read no feed; 0 for the first feed's batch size")
        @AlternativeTo(ALGORITHM)
        int noiseRows,

        @Setting(help = "a whole experiment, by class: networks, data, turns, plan and budget")
        Optional<Definition> algorithm,

        @Setting(help = "the networks, by class") @AlternativeTo(value = ALGORITHM, needed = true)
        Optional<NetworkDefinition> network,

        @Setting(usually = "{}", help = "changes to the network's programs, by name") @AlternativeTo(ALGORITHM)
        Map<String, ProgramSpec> programs,

        @Setting(usually = "{}", help = "data sources, by a name for budgets and triggers") @AlternativeTo(ALGORITHM)
        Map<String, FeedSpec> feeds,

        @Setting(usually = "{}", help = "the turns by name") @AlternativeTo(value = ALGORITHM, needed = true)
        Map<String, TurnSpec> turns,

        @Setting(help = "the order of turns in a round: a turn's name or a plan") @AlternativeTo(ALGORITHM)
        Optional<Plan> plan,

        @Setting(help = "the length of training") @AlternativeTo(ALGORITHM)
        Optional<BudgetSpec> budget,

        @Setting(usually = "[]", help = "actions and their triggers")
        List<WatchSpec> on,

        @Setting(usually = "{}", help = "when checkpoints are written, and which are kept")
        CheckpointPolicy checkpoints,

        @Setting(usually = "[]", help = "rings around training, by class; the first is outermost")
        List<Ring> rings,

        @Setting(usually = "[]", help = "rings to remove, by the names that plan shows")
        List<String> without,

        @Setting(usually = "", help = "the program whose first target is the samples") @AlternativeTo(ALGORITHM)
        String samples,

        @Setting(help = "the evaluation of the result, by class")
        Optional<EvaluationDefinition> evaluation,

        @Setting(help = "a metric of held-out rows") Optional<ValidationSpec> validation,

        @Setting(usually = "{}", help = "how often metrics are recorded")
        RecordedRounds metrics,

        @Setting(usually = "{}", help = "how often progress is shown")
        PrintSpec print,

        @Setting(help = "a class of your own that chooses seed and folder")
        Optional<Step> instance,

        @Setting(
                usually = "hocket.schedulers.flow.Startup",
                help = "the start of the run: new parameters, or those of another run")
        Step startup,

        @Setting(usually = "{}", help = "runners by name, for --runner; default: train")
        Map<String, RunnerSpec> runners,

        @Setting(help = "a class of your own that runs at the end")
        Optional<Step> terminal,

        @Setting(help = "versions and machine, recorded in run folders")
        Optional<RecordedSpec> recorded) {
    /** The key of a class that builds what other files spell out. */
    static final String ALGORITHM = "algorithm";

    /** A change to a program. */
    public record ProgramSpec(
            @Setting(
                    usually = "{}",
                    help = "modules whose parameters it reads from another path: {generator: ema/generator}")
            Map<String, String> reading) {}

    /** Data. */
    public record FeedSpec(
            @Inline @AllowedClasses({SourceDefinition.class, Source.class})
            Object source,

            @Setting(usually = "64", least = 1, most = 1e7, help = "rows of a batch")
            int batch,

            @Setting(
                    name = "resample",
                    former = "draw",
                    usually = "each-turn",
                    help = "whether the turns of a round read the same batch")
            Resample draw,

            @Setting(usually = "true", help = "whether rows are reshuffled every epoch")
            boolean shuffled,

            @Setting(usually = "[]", help = "inputs that its columns feed, in order; default: inputs of the same names")
            List<String> feedOrder,

            @Setting(
                    usually = "1",
                    least = 1,
                    most = 100,
                    help = "rows that are joined along the first axis as one, for a packed discriminator")
            int pack) {
        /**
         * Returns a source at its beginning; reads the data.
         *
         * @throws IllegalArgumentException if it cannot be opened, naming the setting
         */
        public Source open(String name, boolean inOrder) {
            return feeding(name, unnamed(name, inOrder));
        }

        /** Returns the facts of the source that are known without its data; empty if only the data tells. */
        public Optional<DescribedFeed> declared() {
            return source instanceof SourceDefinition definition
                    ? NonNull.by(definition, "declaredColumns()", definition.declaredColumns())
                            .filter(columns -> feedOrder.isEmpty() || feedOrder.size() == columns.size())
                            .map(columns -> new DescribedFeed(
                                    PackedSource.columns(Source.Column.named(columns, feedOrder), pack),
                                    batch,
                                    OptionalLong.empty(),
                                    List.of()))
                    : Optional.empty();
        }

        /**
         * Returns the source in order and row by row, so that an epoch has all rows; a class that is a source returns
         * its own batches.
         *
         * @throws IllegalArgumentException if it cannot be opened, naming the setting, or if it has no epochs
         */
        public Source openRows(String name) {
            Source rows = source instanceof SourceDefinition definition
                    ? definition.open(name, pack, false)
                    : (Source) source;
            if (!rows.hasEpochs()) {
                throw new IllegalArgumentException(
                        "feed: must be one whose rows come to an end, and those of this one come from outside");
            }
            return feeding(name, rows);
        }

        /** Returns a source of packs whose columns feed the inputs that the file names. */
        Source feeding(String name, Source rows) {
            return PackedSource.of(rows, pack).feeding(name, feedOrder);
        }

        /** Returns the source of single rows, with its columns under their own names. */
        Source unnamed(String name, boolean inOrder) {
            return source instanceof SourceDefinition definition
                    ? NonNull.by(definition, "open()", definition.open(name, batch * pack, shuffled && !inOrder))
                    : (Source) source;
        }
    }

    /** A trigger with its actions. */
    public record WatchSpec(
            @Setting(help = "when") Trigger every,

            @Setting(name = "do", help = "save, samples, validate, score, best, stop, set, scale, or a class")
            List<ActionSpec> actions) {}

    /** A metric over rows that are not trained on. */
    public record ValidationSpec(
            @Setting(help = "the feed of the rows") FeedSpec feed,

            @Setting(help = "an EVAL program that reads the rows")
            String program,

            @Setting(usually = "loss", help = "a metric of the program, or loss for its first target")
            String metric) {}

    /** The interval of progress reports. */
    public record PrintSpec(
            @Setting(usually = "0.2", least = 0.01, most = 1e6, help = "seconds between redrawings in a terminal")
            double redraw,

            @Setting(
                    usually = "10",
                    least = 0.01,
                    most = 1e6,
                    help = "seconds between lines without a terminal; each tenth of the run has a line, too")
            double line) {}

    /** A way to run. */
    public record RunnerSpec(
            @Inline @Setting(usually = "hocket.schedulers.flow.Train", help = "the runner")
            Step step,

            @Setting(usually = "[]", help = "plans with budgets, in sequence")
            List<PhaseSpec> phases) {}

    /** A phase: one of several plans. */
    public record PhaseSpec(
            @Setting(help = "name of the phase") String name,
            @Setting(help = "the plan of a round") Plan plan,
            @Setting(help = "the length of the phase") BudgetSpec budget) {}

    /** The software and machine that ran an experiment. */
    public record RecordedSpec(
            @Setting(help = "Hocket's version") String hocket,
            @Setting(help = "engine of the programs") String lowering,
            @Setting(help = "kernels of the optimizers") String kernels,

            @Setting(usually = "train", help = "name of the runner")
            String runner) {
        /** Returns engine and kernels for people: {@code jvm, vector kernels}; kernels alone where no program was run. */
        public String computedBy() {
            return (lowering.isEmpty() ? "" : lowering.replace("jvm " + kernels, "jvm") + ", ") + kernels + " kernels";
        }
    }
}
