package hocket.rl.algorithms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.scale;
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
import hocket.rl.networks.Memory;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.TableCollector;
import hocket.rl.returns.Gae;
import hocket.rl.returns.Truncation;
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
 * Advantage actor-critic (Mnih et al. 2016), its environments stepping together, as A2C of Stable-Baselines3: short
 * rollouts, each used for one update by RMSprop.
 *
 * <p>A round is {@code sequence(collect, update)}.
 */
public record A2c(
        @Setting(help = "the environment: a name such as CartPole-v1, or a user's class")
        String environment,

        @Setting(
                name = "environments",
                former = "worlds",
                usually = "{}",
                help = "number of environments, and their wrappers")
        EnvironmentSettings worlds,

        @Setting(usually = "500000", least = 1, most = 1e12, help = "total number of environment steps")
        long totalSteps,

        @Setting(usually = "5", least = 1, most = 1e6, help = "steps of a rollout in each environment")
        int rollout,

        @Setting(usually = "7e-4", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(usually = "false", help = "whether the rate decays linearly to 0")
        boolean rateFalls,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "1", least = 0, most = 1, help = "lambda of the generalised advantages; 1 is n-step returns")
        double gaeLambda,

        @Setting(usually = "bootstrap", help = "how returns treat a time limit")
        Truncation truncation,

        @Setting(usually = "false", help = "whether the advantages of a rollout are normalised")
        boolean normaliseAdvantages,

        @Setting(usually = "0.5", least = 0, most = 1e9, help = "share of the value loss")
        double valueCoefficient,

        @Setting(usually = "0", least = 0, most = 1e9, help = "share of the entropy bonus")
        double entropyCoefficient,

        @Setting(usually = "0.5", least = 1e-9, most = 1e9, help = "largest norm of all gradients together")
        double clipGradients,

        @Setting(
                usually = "flat",
                help = "layers from an observation to the features that the hidden layers read: flat, convolutional, …")
        Encoder encoder,

        @Setting(
                usually = "none",
                help =
                        "layers with a state from step to step, after the encoder: none, {lstm: {units: 64}}, gru, attention, …")
        Memory memory,

        @Setting(usually = "[64, 64]", least = 1, most = 1e5, help = "units of the hidden layers")
        List<Integer> hidden,

        @Setting(usually = "tanh", help = "activation after each hidden layer")
        Mlp.Activation activation)
        implements EnvironmentDefinition, A2cCopies {

    /** Returns the default settings. */
    public static A2c usual(String environment) {
        return A2cCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        int rows = worlds.rows(rollout);
        long rounds = StepBudgets.rounds(totalSteps, rows);
        TrainingEnvironments all = worlds.open(world, gamma).withNotes(StepBudgets.notes(totalSteps, rounds * rows));
        Mlp mlp = new Mlp(hidden, activation, Mlp.Initialisation.ORTHOGONAL);
        NetworkBody body = new NetworkBody(all.observationSpace(), encoder, mlp);
        ActorCritic agent = ActorCritic.of(body, all.actionSpace(), all.isMasked(), memory, rollout);
        TableCollector collector = TableCollector.of(all, agent, rollout, new Gae(gamma, gaeLambda, truncation));

        Minibatches batches =
                new Minibatches(collector.table(), collector.table().rows());
        if (normaliseAdvantages) {
            batches.normalising("advantage");
        }
        Program program = Program.compile("update", Mode.TRAIN, loss(agent));
        Rate falling = rateFalls ? StepBudgets.falling(rate, rounds) : Rate.constant(rate);
        UpdateRule rule = chain(
                clipByGlobalNorm(clipGradients), rmsProp(rate).rate(falling).epsilon(1e-5));
        Plan round = Plan.sequence(
                Turn.act("collect", collector), Turn.of("update", program).updates("**", rule));
        return worlds.evaluated(
                Setup.of(
                                Networks.of(
                                        agent.graph(), program, agent.acting().program(), agent.evaluator()),
                                round,
                                Budget.rounds(rounds))
                        .feed(batches, Resample.EACH_TURN),
                world,
                agent.best(),
                agent.acting(),
                all);
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
                .metric("value_loss", ofValue);
    }
}
