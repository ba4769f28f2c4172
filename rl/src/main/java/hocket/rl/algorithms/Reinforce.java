package hocket.rl.algorithms;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.PolicyGradient;
import hocket.rl.networks.Actor;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.Rollout;
import hocket.rl.returns.RewardToGo;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.RateSettings;
import hocket.rl.settings.TaskSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import hocket.scopes.Shape;
import java.util.function.Supplier;

/**
 * REINFORCE (Williams 1992): each action is made more probable by the discounted reward that followed it, to the end of
 * its episode; a time limit ends an episode.
 *
 * <p>An episode counts if it starts early enough that even the longest possible one would end within the rollout; steps
 * of other episodes have weight 0. So this depends on the episode's start and never on its course, which keeps the
 * gradient unbiased. Counting the episodes that a rollout happens to see whole would leave out long ones more often
 * than short ones.
 *
 * <p>A round is {@code sequence(collect, update)}.
 */
public record Reinforce(
        @SettingGroup(usually = "total_steps: 200000") TaskSettings task,

        @Setting(
                usually = "2000",
                least = 1,
                most = 1e6,
                help = "steps of a rollout in each environment; at least the longest episode")
        int rollout,

        @SettingGroup(usually = "rate: 5e-3") RateSettings rates,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "mean", help = "the baseline of returns")
        RewardToGo.Baseline baseline,

        @SettingGroup NetworkSettings network)
        implements EnvironmentDefinition, ReinforceCopies {

    /** Returns the default settings. */
    public static Reinforce usual(String environment) {
        return ReinforceCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        int rows = environments().rows(rollout);
        TrainingEnvironments all = task.open(world, gamma, rows);
        Actor actor = Actor.of(network.body(all.observationSpace()), all.actionSpace(), all.isMasked());
        RewardToGo returns = new RewardToGo(gamma, baseline, () -> longest(all));
        Rollout collector = new Rollout(all, actor.acting(), rollout, returns);

        Value ret = actor.graph().input("advantage", Shape.of());
        Value loss = PolicyGradient.loss(actor.logProbability(), ret);
        Program program = Program.compile("update", Mode.TRAIN, Loss.of(loss));
        Plan round = Plan.sequence(
                Turn.act("collect", collector),
                Turn.of("update", program).updates("actor/**", rates.adam(task.rounds(rows), RateUnit.ROUND)));
        Setup setup = Setup.of(
                        Networks.of(actor.graph(), program, actor.acting().program()),
                        round,
                        Budget.rounds(task.rounds(rows)))
                .feed(new Minibatches(collector.table(), rows), Resample.EACH_TURN)
                .trainedOnlyIf(() -> longest(all));
        return environments().evaluated(setup, world, actor.best(), actor.acting(), all);
    }

    /** @throws IllegalArgumentException if an episode may be longer than a rollout */
    private int longest(TrainingEnvironments all) {
        int longest = all.maxEpisodeSteps()
                .orElseThrow(() -> new IllegalArgumentException("environments.limit must be given for REINFORCE in "
                        + environment() + ", whose episodes have no limit: only an episode that is sure to end in its"
                        + " rollout counts"));
        if (rollout < longest) {
            throw new IllegalArgumentException("rollout must be at least as long as an episode can be, " + longest
                    + " steps, was " + rollout + ": long episodes would be left out more often than short ones;"
                    + " environments.limit shortens episodes");
        }
        return longest;
    }
}
