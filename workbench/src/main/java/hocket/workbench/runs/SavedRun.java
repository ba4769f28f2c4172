package hocket.workbench.runs;

import hocket.programs.Session;
import hocket.schedulers.Evaluation;
import hocket.schedulers.Given;
import hocket.schedulers.Setup;
import hocket.schedulers.State;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.PassedOver;
import hocket.scopes.Parameters;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * A run folder with a checkpoint in it.
 *
 * @param folder where
 * @param state of one checkpoint
 * @param skipped why newer checkpoints could not be used, a line each
 */
public record SavedRun(RunFolder folder, State state, List<String> skipped) {
    /** A run by a checkpoint that was asked for. */
    public SavedRun(RunFolder folder, State state) {
        this(folder, state, List.of());
    }

    /**
     * A run by its newest checkpoint that is whole, or the one of a number.
     *
     * @throws Refusal if the folder is no run, has no such checkpoint, or one of its files is damaged
     */
    public static SavedRun open(RunFolder folder, OptionalLong checkpoint) {
        folder.requireRun();
        try {
            if (checkpoint.isPresent()) {
                return new SavedRun(folder, Checkpoints.read(folder.checkpoints(), checkpoint.getAsLong()));
            }
            Checkpoints.Found newest = Checkpoints.newest(folder.checkpoints());
            return new SavedRun(folder, newest.state(), newest.skipped());
        } catch (IOException e) {
            throw new Refusal(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * A run by its best checkpoint.
     *
     * @throws Refusal if the folder is no run or keeps no best one, or one of its files is damaged
     */
    public static SavedRun best(RunFolder folder) {
        folder.requireRun();
        Best.Kept kept = Best.of(folder)
                .orElseThrow(() -> new Refusal("--best: " + folder
                        + " keeps no best one; a run does by on: [{every: {rounds: 20}, do: [best]}]"));
        try {
            return new SavedRun(folder, Checkpoints.read(folder.best(), kept.step()));
        } catch (IOException e) {
            throw new Refusal(String.valueOf(e.getMessage()), e);
        }
    }

    /** A run by its best checkpoint, or its newest. Throws as these do. */
    public static SavedRun open(RunFolder folder, boolean best) {
        return best ? best(folder) : open(folder, OptionalLong.empty());
    }

    /**
     * What was run, with changes.
     *
     * @throws Refusal if its file or a change is refused
     */
    public ExperimentFile file(List<String> changes, ExperimentFile.Surroundings at) {
        return folder.file(changes, at);
    }

    /** Says which newer checkpoints could not be used. */
    public SavedRun telling(Terminal terminal) {
        PassedOver.lines(skipped, step()).forEach(line -> terminal.remark("hocket: " + line));
        return this;
    }

    /** Whether it is how the run's last sitting ended, as far as its folder tells: what was judged then is this. */
    public boolean isOfEnd() {
        if (!skipped.isEmpty()) {
            return false;
        }
        try {
            return Provenance.of(folder)
                    .flatMap(provenance -> Optional.ofNullable(provenance.last().left()))
                    .map(left -> left.turn() == step())
                    .orElse(true);
        } catch (Refusal e) {
            return false; // damaged: it tells nothing
        }
    }

    /** The experiment that was run, read in other surroundings. Throws as {@link #selected(Workplace, List)}. */
    public Selected selected(ExperimentFile.Surroundings at) {
        return Selected.of(file(List.of(), at), folder.remembered());
    }

    /** The experiment that was run; its data is read only when rows are wanted. */
    public Selected selected(Workplace workplace) {
        return selected(workplace, List.of());
    }

    /**
     * The same, with other places of its data.
     *
     * @throws Refusal if another setting is changed
     */
    public Selected selected(Workplace workplace, List<String> changes) {
        ExperimentFile file = file(changes, workplace.surroundings(List.of()));
        List<String> differences = file.differences(file(List.of(), workplace.surroundings(List.of())));
        if (!differences.isEmpty()) {
            throw new Refusal(
                    "--set: what was trained keeps its settings; only where its data lies can be changed, not "
                            + String.join(", ", differences));
        }
        return Selected.of(file, folder.remembered());
    }

    /**
     * Refuses to judge by other data than what was trained on, where that is known.
     *
     * @throws Refusal if it differs, naming both sums
     * @throws UncheckedIOException if it cannot be read
     */
    public void requireSameData(Selected selected) {
        List<String> differences = Provenance.of(folder)
                .map(provenance -> new DataRead(selected.setup())
                        .known()
                        .differences(provenance.last().feeds()))
                .orElse(List.of());
        if (!differences.isEmpty()) {
            throw new Refusal(
                    "a run is judged by the data that it was trained on, and " + String.join("; ", differences));
        }
    }

    /** Turns that had been taken. */
    public long step() {
        return state.whole("step");
    }

    /**
     * Makes something of the saved parameters. What the experiment's turns of Java remember, such as how they scale what
     * they observe, is as it was saved, too.
     *
     * @throws Refusal if the checkpoint does not fit the experiment
     * @throws Failure if a part of the experiment fails
     */
    public <T> T with(Selected selected, Function<Parameters, T> use) {
        Setup setup = selected.setup();
        try (Parameters parameters = parameters(setup, selected.seed())) {
            return Failure.unless(() -> {
                restoreActions(setup);
                return use.apply(parameters);
            });
        }
    }

    private void restoreActions(Setup setup) {
        try {
            setup.restoreActions(state);
        } catch (IllegalArgumentException e) {
            throw new Refusal(folder.checkpoints() + " does not fit its experiment: " + e.getMessage(), e);
        }
    }

    /** What is thought of the saved parameters, with as many threads as they were trained with. Throws as {@link #with}. */
    public SortedMap<String, Double> scores(Selected selected, Evaluation evaluation) {
        return with(selected, parameters -> {
            try (Session session = Session.over(parameters, selected.file().threads())) {
                return Given.by(evaluation, "scores()", evaluation.scores(session));
            }
        });
    }

    /**
     * The saved parameters in a store of their own, which draws noise by another seed. Close it after use.
     *
     * @throws Refusal if they do not fit the experiment
     */
    public Parameters parameters(Setup setup, long seed) {
        Parameters parameters = setup.initialise(seed);
        try {
            fill(parameters);
            return parameters;
        } catch (IllegalArgumentException e) {
            parameters.close();
            throw new Refusal(folder.checkpoints() + " does not fit its experiment: " + e.getMessage(), e);
        }
    }

    private void fill(Parameters parameters) {
        parameters.restore(state.state("parameters").snapshot());
    }
}
