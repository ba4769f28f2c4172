package hocket.rl.algorithms;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.networks.ActorCritic;
import hocket.rl.replay.ActorSettings;
import hocket.rl.replay.LocalTrajectories;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.TrajectoryBatch;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.LossSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OptimizerRule;
import hocket.rl.settings.TaskSettings;
import hocket.rl.settings.VTraceSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.util.function.Supplier;

/**
 * Importance-weighted actor-learner architecture (Espeholt et al. 2018): actors unroll a policy that is some updates
 * old, and the learner corrects for that by V-trace. In one process the learner steps the environments itself, by a
 * copy of the policy ({@code behaviour/actor/…}) that is updated before every k-th update, so it always lags by at
 * least one; with actor processes, the lag is theirs.
 *
 * <p>A round is {@code sequence(collect, behaviour, update)}, or with a larger lag {@code sequence((collect, update) ×
 * (lag - 1), collect, behaviour, update)}. The losses are means over the rows of a batch, as those of {@link A2c}; in
 * the paper they are sums, for a rate that is as many times smaller. The trace is cut at c̄ = 1, and by lambda.
 */
public record Impala(
        @SettingGroup(usually = "total_steps: 500000") TaskSettings task,

        @Setting(usually = "20", least = 1, most = 1e6, help = "steps of a trajectory")
        int unroll,

        @Setting(
                usually = "8",
                least = 1,
                most = 1e6,
                help = "trajectories of an update; environments.count divides it")
        int trajectories,

        @Setting(
                usually = "1",
                least = 0,
                most = 1e4,
                help = "in one process: updates between copies to the acting policy, which lags by at least one; 0"
                        + " acts with the trained policy itself")
        int actorLag,

        @Setting(usually = "rms-prop", help = "the optimizer")
        OptimizerRule optimizer,

        @SettingGroup GradientSettings gradients,
        @SettingGroup VTraceSettings returns,
        @SettingGroup(usually = "entropy_coefficient: 0.01") LossSettings losses,
        @SettingGroup NetworkSettings network)
        implements EnvironmentDefinition, ImpalaCopies {
    /** The scope of the behaviour policy's parameters. */
    private static final String BEHAVIOUR = "behaviour/actor";

    /** Returns the default settings. */
    public static Impala usual(String environment) {
        return ImpalaCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        check();
        long stepsOfRound = (long) unroll * trajectories * Math.max(1, actorLag);
        long rounds = task.rounds(stepsOfRound);
        TrainingEnvironments all = task.open(world, gamma(), stepsOfRound);
        ActorCritic agent = ActorCritic.of(network.body(all.observationSpace()), all.actionSpace(), all.isMasked());
        Program behaviour = Program.compile("behaviour", Mode.EVAL, agent.logProbability());
        ActorSettings acting = new ActorSettings(agent.acting(), behaviour, unroll);
        ActorSettings own = actorLag == 0 ? acting : acting.reading("actor", BEHAVIOUR);
        TrajectoryBatch collector = new TrajectoryBatch(
                all,
                acting,
                new LocalTrajectories(all, own, actorLag),
                agent.evaluator(),
                trajectories,
                gamma(),
                truncation(),
                returns.vTrace());
        Program program = Program.compile("update", Mode.TRAIN, losses.policyGradient(agent));
        Turn update =
                Turn.of("update", program).updates("actor/**, critic/**", gradients.rule(optimizer, rounds, 1e-5));
        Setup setup = Setup.of(
                        agent.programs(program, behaviour),
                        round(Turn.act("collect", collector), update),
                        Budget.rounds(rounds))
                .feed(new Minibatches(collector.table(), collector.table().rows()), Resample.EACH_TURN);
        Setup lagging = actorLag == 0 ? setup : setup.copy("actor/**", BEHAVIOUR + "/**");
        return environments().evaluated(lagging, world, agent.best(), agent.acting(), all);
    }

    private void check() {
        AlgorithmSettings.check(this);
        environments().requireAsTheyAre("IMPALA", "each actor would normalise by what it alone has seen");
        if (trajectories % environments().count() != 0) {
            throw new IllegalArgumentException("trajectories must be a multiple of environments.count, "
                    + environments().count() + ", was " + trajectories);
        }
        if ((long) unroll * trajectories > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("unroll times trajectories must be at most " + Integer.MAX_VALUE
                    + ", was " + unroll + " × " + trajectories);
        }
    }

    private Plan round(Turn collect, Turn update) {
        if (actorLag == 0) {
            return Plan.sequence(collect, update);
        }
        Turn renew = Turn.follow("behaviour", "actor/**", BEHAVIOUR + "/**", 0);
        return actorLag == 1
                ? Plan.sequence(collect, renew, update)
                : Plan.sequence(Plan.sequence(collect, update).times(actorLag - 1), collect, renew, update);
    }
}
