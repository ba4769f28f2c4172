package hocket.workbench.runs;

import hocket.programs.Program;
import hocket.schedulers.Definition;
import hocket.schedulers.Setup;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.evaluation.Validation;
import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.settings.Networks;
import hocket.workbench.experiment.DescribedFeed;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.experiment.ExperimentSpec.FeedSpec;
import hocket.workbench.plans.PlanFacts;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An experiment that was chosen, read and built.
 *
 * @param file what it says
 * @param runner whose phases are taken
 * @param definition what begins runs of it
 * @param setup what it computes and trains
 */
public record SelectedExperiment(ExperimentFile file, String runner, Definition definition, Setup setup) {
    /**
     * Builds what a file says, which opens its data.
     *
     * @throws hocket.workbench.terminal.UserError if something does not fit
     */
    public static SelectedExperiment of(ExperimentFile file, String runner) {
        return of(file, runner, Map.of());
    }

    /**
     * Builds what a file says, to look at what was trained: the data of feeds that are remembered is read only when rows are
     * wanted.
     *
     * @throws hocket.workbench.terminal.UserError if something does not fit
     */
    static SelectedExperiment of(ExperimentFile file, Map<String, DescribedFeed> remembered) {
        return of(file, file.usualRunner(), remembered);
    }

    /**
     * Builds what the file of a run says, to look at it: data is read only of feeds that the run does not remember, or that
     * changes of the file have made others.
     *
     * @param unchanged the file as the run wrote it
     * @throws hocket.workbench.terminal.UserError if something does not fit
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
     * Builds what a file says, to look at its programs: data is read only of feeds that do not declare their columns. What
     * depends on the number of rows is not known.
     *
     * @throws hocket.workbench.terminal.UserError if something does not fit
     */
    public static SelectedExperiment ofDeclared(ExperimentFile file) {
        Map<String, DescribedFeed> declared = new HashMap<>();
        feeds(file).forEach((name, feed) -> feed.declared().ifPresent(known -> declared.put(name, known)));
        return of(file, declared);
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

    /** The same among several processes. */
    public SelectedExperiment among(Exchange processes) {
        return new SelectedExperiment(file, runner, definition, setup.among(processes));
    }

    /** The same with its data open, for one run. */
    public SelectedExperiment open() {
        return new SelectedExperiment(file, runner, definition, setup.open());
    }

    /** The same with new parts, for another run: data and worlds are opened once more. */
    public SelectedExperiment again() {
        return new SelectedExperiment(file, runner, definition, definition.setup());
    }

    /**
     * The experiment that a run of it wrote into its folder, with new parts, to look at while this one is trained: no data is read
     * before rows are wanted.
     */
    public SelectedExperiment toLook(RunFolder run) {
        Map<String, DescribedFeed> known = new HashMap<>();
        Stream.concat(
                        setup.feeds().stream().map(Setup.Feed::source),
                        setup.validation().stream().map(Validation::source))
                .filter(SourceDescription::hasEpochs) // rows from outside are nowhere to be read
                .forEach(source -> known.put(source.name(), DescribedFeed.of(source)));
        return of(file.written(run.experiment()), runner, known);
    }

    /** What it computes. */
    public Networks networks() {
        return setup.networks();
    }

    /** By the usual runner. */
    public static SelectedExperiment of(ExperimentFile file) {
        return of(file, file.usualRunner());
    }

    /** Programs that its turns of Java may run: all that an algorithm shows, for other files name what they run. */
    public Collection<Program> further() {
        return file.spec().algorithm().isPresent() ? networks().programs() : List.of();
    }

    /**
     * What {@code hocket plan} says of it.
     *
     * @throws IllegalArgumentException if the plan is refused, or its sources do not fit it
     */
    public PlanFacts plan() {
        return PlanFacts.of(name(), summary(), seed(), file.settings(), defined(), setup, further());
    }

    /** The warnings among these facts, and nothing else; throws likewise. */
    public List<String> warnings() {
        return PlanFacts.warnings(setup, seed(), defined(), further());
    }

    /** Turns that were written down, whether a plan takes them or not; of several runners, each takes its own. */
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
