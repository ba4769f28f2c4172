package hocket.workbench.runs;

import hocket.programs.Session;
import hocket.schedulers.Setup;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.SkippedCheckpoints;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * A run folder with one of its checkpoints.
 *
 * @param folder where
 * @param state state of the checkpoint
 * @param skipped why newer checkpoints are unusable, a line each
 */
public record CheckpointedRun(RunFolder folder, State state, List<String> skipped) {
    /** Opens a run at a requested checkpoint. */
    public CheckpointedRun(RunFolder folder, State state) {
        this(folder, state, List.of());
    }

    /**
     * Opens a run at its newest intact checkpoint, or the one of a number.
     *
     * @throws UserError if the folder is not a run, has no such checkpoint, or one of its files is damaged
     */
    public static CheckpointedRun open(RunFolder folder, OptionalLong checkpoint) {
        folder.requireRun();
        try {
            if (checkpoint.isPresent()) {
                return new CheckpointedRun(folder, Checkpoints.read(folder.checkpoints(), checkpoint.getAsLong()));
            }
            Checkpoints.Found newest = Checkpoints.newest(folder.checkpoints());
            return new CheckpointedRun(folder, newest.state(), newest.skipped());
        } catch (IOException e) {
            throw new UserError(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Opens a run at its best checkpoint.
     *
     * @throws UserError if the folder is not a run or keeps no best checkpoint, or one of its files is damaged
     */
    public static CheckpointedRun best(RunFolder folder) {
        folder.requireRun();
        BestCheckpoint.Kept kept = BestCheckpoint.of(folder)
                .orElseThrow(() -> new UserError("--best: " + folder
                        + " keeps no best one; a run does by on: [{every: {rounds: 20}, do: [best]}]"));
        try {
            return new CheckpointedRun(folder, Checkpoints.read(folder.best(), kept.step()));
        } catch (IOException e) {
            throw new UserError(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Returns the experiment that was run, with changes.
     *
     * @throws UserError if its file or a change is invalid
     */
    public ExperimentFile file(List<String> changes, ExperimentFile.Surroundings at) {
        return folder.file(changes, at);
    }

    /** Prints which newer checkpoints are unusable. */
    public CheckpointedRun telling(Terminal terminal) {
        SkippedCheckpoints.lines(skipped, step()).forEach(line -> terminal.remark("hocket: " + line));
        return this;
    }

    /**
     * Returns whether the run's last session ended at this checkpoint, as far as its folder tells: then its scores are
     * this one's.
     */
    public boolean isOfEnd() {
        if (!skipped.isEmpty()) {
            return false;
        }
        try {
            return Provenance.of(folder)
                    .flatMap(provenance -> Optional.ofNullable(provenance.last().left()))
                    .map(left -> left.turn() == step())
                    .orElse(true);
        } catch (UserError e) {
            return false; // damaged: nothing is known
        }
    }

    /**
     * Returns the experiment that was run, read in another context. Throws as {@link #selected(CommandContext, List)}.
     */
    public SelectedExperiment selected(ExperimentFile.Surroundings at) {
        return SelectedExperiment.ofTrained(folder, file(List.of(), at));
    }

    /** Returns the experiment that was run; its data is read only when rows are requested. */
    public SelectedExperiment selected(CommandContext commandContext) {
        return selected(commandContext, List.of());
    }

    /**
     * Returns the experiment with other paths of its data.
     *
     * @throws UserError if another setting is changed
     */
    public SelectedExperiment selected(CommandContext commandContext, List<String> changes) {
        ExperimentFile file = file(changes, commandContext.surroundings(List.of()));
        List<String> differences = file.differences(file(List.of(), commandContext.surroundings(List.of())));
        if (!differences.isEmpty()) {
            throw new UserError(
                    "--set: a trained run keeps its settings; only the path of its data can be changed, not "
                            + String.join(", ", differences));
        }
        return SelectedExperiment.ofTrained(folder, file);
    }

    /**
     * Throws if the data of an evaluation differs from the training data, where that is known.
     *
     * @throws UserError if it differs, naming both checksums
     * @throws UncheckedIOException if the data cannot be read
     */
    public void requireSameData(SelectedExperiment selectedExperiment) {
        List<String> differences = Sessions.changedData(folder, selectedExperiment.setup());
        if (!differences.isEmpty()) {
            throw new UserError("a run is evaluated on its training data, and " + String.join("; ", differences));
        }
    }

    /** Returns the number of turns taken. */
    public long step() {
        return state.whole("step");
    }

    /**
     * Applies a function to the saved parameters. The state of the experiment's Java turns, such as the scaling of
     * observations, is restored as well.
     *
     * @throws UserError if the checkpoint does not match the experiment
     * @throws CommandFailure if a part of the experiment fails
     */
    public <T> T with(SelectedExperiment selectedExperiment, Function<Parameters, T> use) {
        Setup setup = selectedExperiment.setup();
        try (Parameters parameters = parameters(setup, selectedExperiment.seed())) {
            return CommandFailure.unless(() -> {
                restoreActions(setup);
                return use.apply(parameters);
            });
        }
    }

    private void restoreActions(Setup setup) {
        try {
            setup.restoreActions(state);
        } catch (IllegalArgumentException e) {
            throw new UserError(folder.checkpoints() + " does not fit its experiment: " + e.getMessage(), e);
        }
    }

    /** Evaluates the saved parameters with as many threads as they were trained with. Throws as {@link #with}. */
    public SortedMap<String, Double> scores(SelectedExperiment selectedExperiment, Evaluation evaluation) {
        return with(selectedExperiment, parameters -> {
            try (Session session =
                    Session.over(parameters, selectedExperiment.file().threads())) {
                return NonNull.by(evaluation, "scores()", evaluation.scores(session));
            }
        });
    }

    /**
     * Returns the saved parameters in a store of their own, whose noise has another seed. Close it after use.
     *
     * @throws UserError if they do not match the experiment
     */
    public Parameters parameters(Setup setup, long seed) {
        Parameters parameters = setup.initialise(seed);
        try {
            fill(parameters);
            return parameters;
        } catch (IllegalArgumentException e) {
            parameters.close();
            throw new UserError(folder.checkpoints() + " does not fit its experiment: " + e.getMessage(), e);
        }
    }

    private void fill(Parameters parameters) {
        parameters.restore(state.state("parameters").snapshot());
    }
}
