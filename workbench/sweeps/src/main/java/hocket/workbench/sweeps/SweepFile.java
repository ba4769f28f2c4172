package hocket.workbench.sweeps;

import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.scopes.SimilarNames;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.experiment.WrittenSettings;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.files.forms.Form;
import hocket.workbench.files.forms.Forms;
import hocket.workbench.files.forms.ReadingContext;
import hocket.workbench.files.forms.Schemas;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import hocket.workbench.files.yaml.YamlWriter;
import hocket.workbench.runs.SelectedExperiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A sweep file with its experiment. */
public final class SweepFile {
    private static final Form FORM = Forms.of(SweepSpec.class);

    /** Keys that may change when a sweep is resumed; the experiment is compared separately. */
    private static final List<String> FREE =
            List.of("name", "summary", "experiment", "set", "at_once", "strategy/random/trials");

    private final YamlNode.Keys complete;
    private final SweepSpec spec;
    private final String experiment;
    private final List<String> changes;
    private final ExperimentFile.Surroundings at;
    private final ExperimentFile base;

    private SweepFile(
            YamlNode.Keys complete,
            SweepSpec spec,
            String experiment,
            List<String> changes,
            ExperimentFile.Surroundings at,
            ExperimentFile base) {
        this.complete = complete;
        this.spec = spec;
        this.experiment = experiment;
        this.changes = changes;
        this.at = at;
        this.base = base;
    }

    /**
     * Reads a sweep and its experiment, and checks that the experiment accepts all values.
     *
     * @param changes overrides of the experiment for all trials, over those of the file
     * @throws UserError if there are problems: all of them, each at its line
     */
    public static SweepFile read(Path file, List<String> changes, ExperimentFile.Surroundings at) {
        FileProblems fileProblems = new FileProblems();
        YamlNode tree = tree(file, fileProblems);
        ReadingContext readingContext = new ReadingContext(fileProblems, Classes.of(List.of()), at.here());
        Optional<SweepSpec> spec = FORM.read(tree, "", readingContext).map(SweepSpec.class::cast);
        if (spec.isEmpty() || !fileProblems.isEmpty()) {
            throw new UserError(fileProblems);
        }
        YamlNode.Keys complete = (YamlNode.Keys) FORM.complete(tree, readingContext);
        if (spec.get().name().isEmpty()) {
            complete = complete.with(
                    "name", new YamlNode.Scalar(tree.spot(), ExperimentFile.baseName(file.toString()), false));
        }
        String experiment = experiment(spec.get().experiment(), file, at);
        Check check = new Check(tree, spec.get(), experiment, at, fileProblems);
        check.base();
        check.settings();
        if (!fileProblems.isEmpty()) {
            throw new UserError(fileProblems);
        }
        List<String> shared = new ArrayList<>(written(spec.get().set()));
        shared.addAll(changes);
        ExperimentFile base = ExperimentFile.read(experiment, shared, at);
        check.parameters(shared);
        check.objective(base);
        check.seeds();
        check.grid();
        if (!fileProblems.isEmpty()) {
            throw new UserError(fileProblems);
        }
        return new SweepFile(complete, spec.get(), experiment, shared, at, base);
    }

    private static YamlNode tree(Path file, FileProblems fileProblems) {
        if (!Files.isRegularFile(file)) {
            throw new UserError("there is no sweep file " + file);
        }
        try {
            Optional<YamlNode> tree = YamlReader.read(file.toString(), Files.readAllBytes(file), fileProblems);
            if (tree.isEmpty() || !fileProblems.isEmpty()) {
                throw new UserError(fileProblems);
            }
            return tree.get();
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /** Returns the experiment's file in the sweep's folder, unless a built-in experiment has the name. */
    private static String experiment(String named, Path file, ExperimentFile.Surroundings at) {
        Path beside = file.resolveSibling(named);
        return !ExperimentFile.isBuiltIn(named, at) && Files.exists(beside) ? beside.toString() : named;
    }

    private static List<String> written(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    public SweepSpec spec() {
        return spec;
    }

    public String name() {
        return ((YamlNode.Scalar) complete.get("name").orElseThrow()).text();
    }

    /** Returns the experiment with the settings of all trials. */
    public ExperimentFile base() {
        return base;
    }

    /**
     * Returns that experiment with further changes, such as those of a trial. Throws {@link UserError} if they do not
     * fit.
     */
    public ExperimentFile base(List<String> more) {
        List<String> all = new ArrayList<>(changes);
        all.addAll(more);
        return ExperimentFile.read(experiment, all, at);
    }

    /** Returns an error at a key of the file. */
    UserError refusal(String key, String rule) {
        FileProblems fileProblems = new FileProblems();
        fileProblems.add(complete.spotOf(key), key, rule);
        return new UserError(fileProblems);
    }

    /** Returns the complete sweep as a file next to its experiment. */
    String text(String experimentBeside) {
        YamlNode.Scalar beside = new YamlNode.Scalar(complete.spot(), experimentBeside, false);
        return YamlWriter.text(complete.with("experiment", beside).without("set"));
    }

    /** Returns the keys, in order, whose difference from another file prevents resuming. */
    List<String> differences(SweepFile other) {
        return WrittenSettings.changes(complete.leaves(), other.complete.leaves()).stream()
                .map(WrittenSettings.Change::path)
                .filter(path -> !FREE.contains(path) && !FREE.contains(path.split("/", 2)[0]))
                .toList();
    }

    /** Returns the JSON schema of sweep files. */
    public static Map<String, Object> schema() {
        return Schemas.alone(FORM, "Hocket sweep", Classes.of(List.of()));
    }

    /** Finds settings that the experiment rejects. */
    private record Check(
            YamlNode tree, SweepSpec spec, String experiment, ExperimentFile.Surroundings at, FileProblems problems) {
        private static final String SEED = "seed";
        /** The number of trials to find one that accepts a value which the experiment alone rejects. */
        private static final int LOOKED_AT = 16;

        void base() {
            refusal(List.of(), List.of()).ifPresent(userError -> add("experiment", "", userError));
        }

        /** Checks the settings of all trials, each alone, to find which is wrong. */
        void settings() {
            if (problems.isEmpty()) {
                spec.set().forEach((name, value) -> {
                    String change = name + "=" + value;
                    refusal(List.of(), List.of(change))
                            .ifPresent(userError -> add("set/" + name, "--set " + change + ": ", userError));
                });
            }
        }

        void parameters(List<String> shared) {
            boolean isGrid = spec.strategy() instanceof StrategySpec.GridSpec;
            spec.parameters().forEach((name, range) -> {
                String key = "parameters/" + name;
                if (spec.set().containsKey(name)) {
                    problems.add(tree.spotOf(key), key, "is also in set: remove one of the two");
                } else if (name.equals(SEED)) {
                    problems.add(tree.spotOf(key), key, "is not a parameter: seeds: N gives each trial N seeds");
                } else if (!isGrid && range.isOfGrid()) {
                    problems.add(tree.spotOf(key), key, "points are for strategy: grid");
                } else {
                    range(name, range, shared);
                }
            });
        }

        /**
         * Adds the first value of a range that is rejected with the experiment's values and with those of all trials
         * looked at.
         */
        private void range(String name, RangeSpec range, List<String> shared) {
            for (String value : range.extremes()) {
                String change = name + "=" + value;
                Optional<UserError> refused = refusal(shared, List.of(change));
                if (refused.isPresent() && !isTakenByATrial(shared, change)) {
                    add("parameters/" + name, "--set " + change + ": ", refused.get());
                    return;
                }
            }
        }

        private boolean isTakenByATrial(List<String> shared, String change) {
            if (spec.strategy() instanceof StrategySpec.GridSpec && !isGrid()) {
                return false;
            }
            return SweepTrial.of(spec).stream().limit(LOOKED_AT).anyMatch(sweepTrial -> {
                List<String> changes = new ArrayList<>(sweepTrial.changes());
                changes.add(change);
                return refusal(shared, changes).isEmpty();
            });
        }

        /** Checks that each range has a number of points, and that there are not too many. */
        private boolean isGrid() {
            FileProblems before = new FileProblems();
            new Check(tree, spec, experiment, at, before).grid();
            return before.isEmpty();
        }

        void objective(ExperimentFile base) {
            if (!problems.isEmpty()) {
                return;
            }
            Setup setup = SelectedExperiment.of(base).setup();
            if (spec.objective().isMetric()) {
                requireReported(setup, spec.objective().name());
            } else if (setup.evaluation().isEmpty()) {
                problems.add(
                        tree.spotOf("objective"),
                        "objective",
                        "experiment " + base.name() + " has no evaluation, so there is no score "
                                + spec.objective().name() + "; a metric has a slash, such as d/loss");
            }
        }

        /** A turn of Java, a validation and others may record any metric; that of a program has those of its program and its settings. */
        private void requireReported(Setup setup, String name) {
            Turn turn = setup.turnsByName().get(name.substring(0, name.indexOf('/')));
            if (turn == null || turn.descend().isEmpty() || turn.mayReport(name)) {
                return;
            }
            List<String> known = new ArrayList<>(turn.series());
            UpdatePlan.rehearsed(turn.updates().stream().map(Turn.Update::rule).toList())
                    .settings()
                    .keySet()
                    .forEach(setting -> known.add(turn.name() + "/" + setting));
            if (!known.contains(name)) {
                problems.add(
                        tree.spotOf("objective"),
                        "objective",
                        "turn " + turn.name() + " has no metric " + name + SimilarNames.among(name, known));
            }
        }

        /** Checks that each member of a population is one run. */
        void seeds() {
            if (spec.strategy() instanceof StrategySpec.PopulationSpec && spec.seeds() > 1) {
                problems.add(
                        tree.spotOf("seeds"),
                        "seeds",
                        "must be 1 for a population, each of whose members has a seed of its own, was " + spec.seeds());
            }
        }

        /** Checks that a grid is possible, and not too large. */
        void grid() {
            if (!(spec.strategy() instanceof StrategySpec.GridSpec)) {
                return;
            }
            double count = 1;
            for (Map.Entry<String, RangeSpec> parameter : spec.parameters().entrySet()) {
                try {
                    count *= parameter.getValue().points().size();
                } catch (IllegalArgumentException e) {
                    String key = "parameters/" + parameter.getKey();
                    problems.add(tree.spotOf(key), key, String.valueOf(e.getMessage()), e);
                }
            }
            if (count > StrategySpec.MOST_TRIALS) {
                problems.add(
                        tree.spotOf("strategy"),
                        "strategy",
                        String.format(
                                Locale.ROOT,
                                "the grid has %,.0f trials; a sweep has at most %,d",
                                count,
                                StrategySpec.MOST_TRIALS));
            }
        }

        private Optional<UserError> refusal(List<String> shared, List<String> more) {
            List<String> changes = new ArrayList<>(shared);
            changes.addAll(more);
            try {
                ExperimentFile.read(experiment, changes, at);
                return Optional.empty();
            } catch (UserError userError) {
                return Optional.of(userError);
            }
        }

        /** Adds the experiment's error at the key of the sweep file. */
        private void add(String key, String before, UserError userError) {
            for (String line : userError.lines()) {
                problems.add(
                        tree.spotOf(key),
                        key,
                        line.startsWith(before) ? line.substring(before.length()) : line,
                        userError);
            }
        }
    }
}
