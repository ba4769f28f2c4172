package hocket.workbench.runs;

import hocket.programs.Program;
import hocket.schedulers.Definition;
import hocket.schedulers.Setup;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.evaluation.Validation;
import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.settings.Networks;
import hocket.workbench.files.experiment.DescribedFeed;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.experiment.ExperimentSpec.FeedSpec;
import hocket.workbench.runs.plans.PlanFacts;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An experiment that was selected, read and built.
 *
 * @param file its file
 * @param runner the runner whose phases are used
 * @param definition starts runs of it
 * @param setup its programs and turns
 */
public record SelectedExperiment(ExperimentFile file, String runner, Definition definition, Setup setup) {
    /**
     * Builds the experiment of a file and opens its data.
     *
     * @throws hocket.workbench.files.UserError if parts of it contradict each other
     */
    public static SelectedExperiment of(ExperimentFile file, String runner) {
        return of(file, runner, Map.of());
    }

    private static SelectedExperiment of(ExperimentFile file, Map<String, DescribedFeed> known) {
        return of(file, file.usualRunner(), known);
    }

    /**
     * Builds the experiment of a trained run to inspect it: data is read only when rows are requested, or for feeds that
     * neither the run describes nor the file declares.
     *
     * @param file the file that the run wrote
     * @throws hocket.workbench.files.UserError if parts of it contradict each other
     */
    static SelectedExperiment ofTrained(RunFolder run, ExperimentFile file) {
        Map<String, DescribedFeed> known = declared(file);
        known.putAll(run.remembered());
        return of(file, known);
    }

    /**
     * Builds the experiment of a run's file to inspect it: data is read only for feeds that the run does not describe,
     * or that changes of the file affect.
     *
     * @param unchanged the file as the run wrote it
     * @throws hocket.workbench.files.UserError if parts of it contradict each other
     */
    public static SelectedExperiment ofRun(RunFolder run, ExperimentFile file, ExperimentFile unchanged) {
        Map<String, FeedSpec> before = feeds(unchanged);
        Map<String, DescribedFeed> remembered = run.remembered();
        feeds(file).forEach((name, feed) -> {
            if (!feed.equals(before.get(name))) {
                remembered.remove(name);
            }
        });
        return of(file, remembered);
    }

    /**
     * Builds the experiment of a file to inspect its programs: data is read only for feeds that do not declare their
     * columns. Facts that depend on the number of rows are unknown.
     *
     * @throws hocket.workbench.files.UserError if parts of it contradict each other
     */
    public static SelectedExperiment ofDeclared(ExperimentFile file) {
        return of(file, declared(file));
    }

    private static Map<String, DescribedFeed> declared(ExperimentFile file) {
        Map<String, DescribedFeed> declared = new HashMap<>();
        feeds(file).forEach((name, feed) -> feed.declared().ifPresent(known -> declared.put(name, known)));
        return declared;
    }

    private static Map<String, FeedSpec> feeds(ExperimentFile file) {
        Map<String, FeedSpec> feeds = new HashMap<>(file.spec().feeds());
        file.spec().validation().ifPresent(validation -> feeds.put("validation", validation.feed()));
        return feeds;
    }

    private static SelectedExperiment of(ExperimentFile file, String runner, Map<String, DescribedFeed> remembered) {
        Definition definition = file.definition(runner, remembered);
        return new SelectedExperiment(file, runner, definition, definition.setup());
    }

    /** Returns the experiment for one of several processes. */
    public SelectedExperiment among(Exchange processes) {
        return new SelectedExperiment(file, runner, definition, setup.among(processes));
    }

    /** Returns the experiment with its data open, for one run. */
    public SelectedExperiment open() {
        return new SelectedExperiment(file, runner, definition, setup.open());
    }

    /** Returns the experiment with new parts, for another run: data and environments are opened again. */
    public SelectedExperiment again() {
        return new SelectedExperiment(file, runner, definition, definition.setup());
    }

    /**
     * Returns the experiment in the folder of its run, with new parts, to inspect it during training: no data is read
     * before rows are requested.
     */
    public SelectedExperiment toLook(RunFolder run) {
        Map<String, DescribedFeed> known = new HashMap<>();
        Stream.concat(
                        setup.feeds().stream().map(Setup.Feed::source),
                        setup.validation().stream().map(Validation::source))
                .filter(SourceDescription::hasEpochs) // rows from outside are not in a file
                .forEach(source -> known.put(source.name(), DescribedFeed.of(source)));
        return of(file.written(run.experiment()), runner, known);
    }

    /** Returns its networks. */
    public Networks networks() {
        return setup.networks();
    }

    /** Selects the default runner. */
    public static SelectedExperiment of(ExperimentFile file) {
        return of(file, file.usualRunner());
    }

    /** Returns the programs that its Java turns may run: all of an algorithm's, since other files name theirs. */
    public Collection<Program> further() {
        return file.spec().algorithm().isPresent() ? networks().programs() : List.of();
    }

    /**
     * Returns the facts that {@code hocket plan} prints.
     *
     * @throws IllegalArgumentException if the plan is invalid, or its sources do not match it
     */
    public PlanFacts plan() {
        return PlanFacts.of(name(), summary(), seed(), file.settings(), defined(), setup, further());
    }

    /** Returns only the warnings among these facts. */
    public List<String> warnings() {
        return PlanFacts.warnings(setup, seed(), defined(), further());
    }

    /** Returns all declared turns, whether a plan takes them or not; each runner takes its own. */
    private Collection<String> defined() {
        return file.spec().runners().size() > 1
                ? List.of()
                : file.spec().turns().keySet();
    }

    public String name() {
        return file.name();
    }

    public String summary() {
        return file.spec().summary();
    }

    public long seed() {
        return file.spec().seed();
    }
}
