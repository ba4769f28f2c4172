package hocket.workbench.sweeps;

import hocket.schedulers.LiveRun;
import hocket.schedulers.state.State;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.SelectedExperiment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the settings of a population can change during training: a run with one of their values must be able to
 * continue from the state of a run with another one. Sizes of networks, the number of environments, and what changes
 * the plan or the budget, cannot.
 *
 * @param trial a trial that the experiment accepts
 */
record ExplorableSettings(SweepFile file, SweepTrial trial) {
    /** @throws UserError if a setting cannot change, at its key */
    void require() {
        ExperimentFile base = file.base(trial.changes());
        State state;
        try (LiveRun run = begin(base)) {
            state = run.scheduler().save();
        }
        file.spec().parameters().forEach((name, range) -> {
            for (String value : range.extremes()) {
                if (!value.equals(trial.settings().get(name))) {
                    changed(name, value).ifPresent(changed -> require(base, state, changed, name, value));
                }
            }
        });
    }

    /** Returns the experiment with another value; empty if it does not go with the others. */
    private Optional<ExperimentFile> changed(String name, String value) {
        List<String> changes = new ArrayList<>(trial.changes());
        changes.add(name + "=" + value);
        try {
            return Optional.of(file.base(changes));
        } catch (UserError e) {
            return Optional.empty(); // a member that comes to these values fails and is replaced
        }
    }

    /** Continues a run with either value from the state of one with the other. */
    private void require(ExperimentFile base, State state, ExperimentFile changed, String name, String value) {
        try (LiveRun one = begin(base);
                LiveRun other = begin(changed)) {
            State others = other.scheduler().save();
            other.scheduler().restore(state);
            one.scheduler().restore(others);
            if (!one.scheduler()
                    .phase()
                    .budget()
                    .equals(other.scheduler().phase().budget())) {
                throw new IllegalArgumentException("it changes the budget");
            }
        } catch (RuntimeException e) {
            throw file.refusal(
                    "parameters/" + name,
                    "cannot change during training, as a population needs it to, from "
                            + trial.settings().get(name) + " to " + value + ": " + e.getMessage());
        }
    }

    private static LiveRun begin(ExperimentFile file) {
        return SelectedExperiment.of(file).definition().begin(file.spec().seed(), 1);
    }
}
