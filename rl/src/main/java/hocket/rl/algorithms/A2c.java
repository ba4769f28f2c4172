package hocket.rl.algorithms;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.networks.ActorCritic;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.TableCollector;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.LossSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OptimizerRule;
import hocket.rl.settings.PolicySettings;
import hocket.rl.settings.ReturnSettings;
import hocket.rl.settings.TaskSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.util.function.Supplier;

/**
 * Advantage actor-critic (Mnih et al. 2016), its environments stepping together, as A2C of Stable-Baselines3: short
 * rollouts, each used for one update by RMSprop.
 *
 * <p>A round is {@code sequence(collect, update)}.
 */
public record A2c(
        @SettingGroup(usually = "total_steps: 500000") TaskSettings task,

        @Setting(usually = "5", least = 1, most = 1e6, help = "steps of a rollout in each environment")
        int rollout,

        @SettingGroup GradientSettings gradients,
        @SettingGroup(usually = "gae_lambda: 1") ReturnSettings returns,

        @Setting(usually = "false", help = "whether the advantages of a rollout are normalised")
        boolean normaliseAdvantages,

        @SettingGroup LossSettings losses,
        @SettingGroup PolicySettings policy,
        @SettingGroup NetworkSettings network)
        implements EnvironmentDefinition, A2cCopies {

    /** Returns the default settings. */
    public static A2c usual(String environment) {
        return A2cCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        policy.check(network);
        int rows = environments().rows(rollout);
        long rounds = task.rounds(rows);
        TrainingEnvironments all = task.open(world, gamma(), rows);
        ActorCritic agent = policy.actorCritic(network, all, rollout);
        TableCollector collector = TableCollector.of(all, agent, rollout, returns.estimator());

        Minibatches batches =
                new Minibatches(collector.table(), collector.table().rows());
        if (normaliseAdvantages) {
            batches.normalising("advantage");
        }
        Program program = Program.compile("update", Mode.TRAIN, losses.policyGradient(agent));
        UpdateRule rule = gradients.rule(OptimizerRule.RMS_PROP, rounds, 1e-5);
        Plan round = Plan.sequence(
                Turn.act("collect", collector), Turn.of("update", program).updates("**", rule));
        Setup setup =
                Setup.of(agent.programs(program), round, Budget.rounds(rounds)).feed(batches, Resample.EACH_TURN);
        return environments().evaluated(setup, world, agent.best(), agent.acting(), all);
    }
}
