package hocket.rl.settings;

import hocket.rl.actors.CandidateEpisodes;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.schedulers.settings.Setting;
import java.util.function.Supplier;

/** The environments of a search for weights, and its candidates. */
public record SearchSettings(
        @Setting(help = "the environment: a name such as CartPole-v1 or Pendulum-v1, or a user's class")
        String environment,

        @Setting(usually = "{}", help = "the environments' wrappers and options")
        EnvironmentSettings environments,

        @Setting(usually = "100", least = 1, most = 1e9, help = "number of generations")
        long generations,

        @Setting(usually = "50", least = 2, most = 1e6, help = "candidates of a generation")
        int population,

        @Setting(usually = "1", least = 1, most = 1e5, help = "episodes of a candidate, which are stepped together")
        int episodes)
        implements EnvironmentTask, SearchSettingsCopies {

    /**
     * Opens an environment, for its spaces.
     *
     * @throws IllegalArgumentException if there are settings that belong to environments of one policy
     */
    public TrainingEnvironments open(Supplier<? extends Environment> world) {
        environments.requireOne("episodes says how many are stepped together");
        environments.requireAsTheyAre("a search", "candidates would see other numbers");
        environments.requireRewardsAsTheyAre("", "a search compares returns as they are");
        TrainingEnvironments all = environments.open(world, 1);
        all.close();
        return all;
    }

    /** Returns the episodes of candidates, whose weights are under {@code candidate}. */
    public CandidateEpisodes candidates(Supplier<? extends Environment> world, Policy policy) {
        Policy candidate = new Policy(
                policy.program().reading("actor/**", "candidate/actor/**"), policy.selection(), policy.transform());
        return new CandidateEpisodes(environments.seen(world), candidate, episodes);
    }
}
