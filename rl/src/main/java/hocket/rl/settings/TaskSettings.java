package hocket.rl.settings;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.function.Supplier;

/** The environments that an agent learns in, and for how long. */
public record TaskSettings(
        @Setting(help = "the environment: a name such as CartPole-v1 or Pendulum-v1, or a user's class")
        String environment,

        @Setting(
                former = "worlds",
                usually = "{}",
                help = "number of environments, of each actor where there are several, and their wrappers")
        EnvironmentSettings environments,

        @Setting(usually = "100000", least = 1, most = 1e12, help = "total number of environment steps")
        long totalSteps)
        implements EnvironmentTask, TaskSettingsCopies {

    /** Returns the rounds of a run: total steps by those of a round, rounded up. */
    public long rounds(long stepsOfRound) {
        return StepBudgets.rounds(totalSteps, stepsOfRound);
    }

    /**
     * Opens the environments at their start; a note says if rounds, which are whole, take more steps than the total.
     *
     * @param world makes one
     * @param gamma discount of a step, for the normalisation of rewards
     * @param stepsOfRound environment steps of a round
     */
    public TrainingEnvironments open(Supplier<? extends Environment> world, double gamma, long stepsOfRound) {
        return environments.open(world, gamma).withNotes(notes(stepsOfRound));
    }

    /** Returns a line that says if rounds, which are whole, take more steps than the total; else none. */
    public List<String> notes(long stepsOfRound) {
        return StepBudgets.notes(totalSteps, rounds(stepsOfRound) * stepsOfRound);
    }
}
