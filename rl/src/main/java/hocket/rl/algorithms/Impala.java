package hocket.rl.algorithms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.scale;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.rmsProp;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.PolicyGradient;
import hocket.rl.losses.ValueLoss;
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.ActorSettings;
import hocket.rl.replay.LocalTrajectories;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.TrajectoryBatch;
import hocket.rl.returns.Truncation;
import hocket.rl.returns.VTrace;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import java.util.List;
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
        @Setting(help = "the environment: a name such as CartPole-v1, or a user's class")
        String environment,

        @Setting(
                name = "environments",
                former = "worlds",
                usually = "{}",
                help = "number of environments of an actor; normalisation is not supported")
        EnvironmentSettings worlds,

        @Setting(usually = "500000", least = 1, most = 1e12, help = "total number of environment steps")
        long totalSteps,

        @Setting(usually = "20", least = 1, most = 1e6, help = "steps of a trajectory")
        int unroll,

        @Setting(
                usually = "8",
                least = 1,
                most = 1e6,
                help = "trajectories of an update; a multiple of environments.count")
        int trajectories,

        @Setting(
                usually = "1",
                least = 0,
                most = 1e4,
                help = "in one process: updates between copies to the acting policy, which lags by at least one; 0"
                        + " acts with the trained policy itself")
        int actorLag,

        @Setting(usually = "7e-4", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(usually = "false", help = "whether the rate decays linearly to 0")
        boolean rateFalls,

        @Setting(usually = "rms-prop", help = "the optimizer")
        Rule optimizer,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "1", least = 0, most = 1, help = "lambda of V-trace; 1 in the paper")
        double lambda,

        @Setting(usually = "1", least = 0, most = 1e9, help = "largest importance ratio in the value targets (rho)")
        double rhoBar,

        @Setting(usually = "1", least = 0, most = 1e9, help = "largest importance ratio in the advantages")
        double policyRhoBar,

        @Setting(usually = "bootstrap", help = "how returns treat a time limit")
        Truncation truncation,

        @Setting(usually = "0.5", least = 0, most = 1e9, help = "share of the value loss")
        double valueCoefficient,

        @Setting(usually = "0.01", least = 0, most = 1e9, help = "share of the entropy bonus")
        double entropyCoefficient,

        @Setting(usually = "0.5", least = 1e-9, most = 1e9, help = "largest norm of all gradients together")
        double clipGradients,

        @Setting(
                usually = "flat",
                help = "layers from an observation to the features that the hidden layers read: flat, convolutional, …")
        Encoder encoder,

        @Setting(usually = "[64, 64]", least = 1, most = 1e5, help = "units of the hidden layers")
        List<Integer> hidden,

        @Setting(usually = "tanh", help = "activation after each hidden layer")
        Mlp.Activation activation)
        implements EnvironmentDefinition, ImpalaCopies {
    /** Rules by which it may learn. */
    public enum Rule {
        RMS_PROP,
        ADAM
    }

    /** The scope of the behaviour policy's parameters. */
    private static final String BEHAVIOUR = "behaviour/actor";

    /** Returns the default settings. */
    public static Impala usual(String environment) {
        return ImpalaCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        check();
        TrainingEnvironments all = worlds.open(world, gamma);
        Mlp mlp = new Mlp(hidden, activation, Mlp.Initialisation.ORTHOGONAL);
        NetworkBody body = new NetworkBody(all.observationSpace(), encoder, mlp);
        ActorCritic agent = ActorCritic.of(body, all.actionSpace(), all.isMasked());
        Program behaviour = Program.compile("behaviour", Mode.EVAL, agent.logProbability());
        ActorSettings acting = new ActorSettings(agent.acting(), behaviour, unroll);
        ActorSettings own = actorLag == 0 ? acting : acting.reading("actor", BEHAVIOUR);
        TrajectoryBatch collector = new TrajectoryBatch(
                all,
                acting,
                new LocalTrajectories(all, own, actorLag),
                agent.evaluator(),
                trajectories,
                gamma,
                truncation,
                new VTrace(lambda, rhoBar, policyRhoBar));
        int rows = collector.table().rows();
        long updates = StepBudgets.rounds(totalSteps, rows);
        long rounds = StepBudgets.rounds(updates, Math.max(1, actorLag));
        all.withNotes(StepBudgets.notes(totalSteps, rounds * Math.max(1, actorLag) * rows));
        Program program = Program.compile("update", Mode.TRAIN, loss(agent));
        Turn update = Turn.of("update", program).updates("actor/**, critic/**", rule(updates));
        Setup setup = Setup.of(
                        Networks.of(agent.graph(), program, agent.acting().program(), behaviour, agent.evaluator()),
                        round(Turn.act("collect", collector), update),
                        Budget.rounds(rounds))
                .feed(new Minibatches(collector.table(), rows), Resample.EACH_TURN);
        return worlds.evaluated(
                actorLag == 0 ? setup : setup.copy("actor/**", BEHAVIOUR + "/**"),
                world,
                agent.best(),
                agent.acting(),
                all);
    }

    private void check() {
        AlgorithmSettings.check(this);
        worlds.requireAsTheyAre("IMPALA", "each actor would normalise by what it alone has seen");
        if (trajectories % worlds.count() != 0) {
            throw new IllegalArgumentException("trajectories must be a multiple of environments.count, "
                    + worlds.count() + ", was " + trajectories);
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

    private UpdateRule rule(long updates) {
        long rounds = StepBudgets.rounds(updates, Math.max(1, actorLag));
        Rate falling = rateFalls ? StepBudgets.falling(rate, rounds) : Rate.constant(rate);
        return chain(
                clipByGlobalNorm(clipGradients),
                optimizer == Rule.ADAM
                        ? adam(rate).rate(falling).epsilon(1e-5)
                        : rmsProp(rate).rate(falling).epsilon(1e-5));
    }

    private Loss loss(ActorCritic agent) {
        Value advantage = agent.input("advantage");
        Value target = agent.input("return");
        Value ofPolicy = PolicyGradient.loss(agent.logProbability(), advantage);
        Value ofValue = ValueLoss.STABLE_BASELINES3.loss(agent.value(), target);
        Value all = add(ofPolicy, scale(ofValue, valueCoefficient));
        Value ofEntropy = PolicyGradient.entropyLoss(agent.entropy());
        return Loss.of(entropyCoefficient == 0 ? all : add(all, scale(ofEntropy, entropyCoefficient)))
                .metric("policy_loss", ofPolicy)
                .metric("value_loss", ofValue)
                .metric("entropy", scale(ofEntropy, -1));
    }
}
