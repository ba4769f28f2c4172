package hocket.rl.algorithms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.scale;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.ClippedSurrogate;
import hocket.rl.losses.PolicyGradient;
import hocket.rl.losses.ValueLoss;
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Memory;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.Table;
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
import hocket.schedulers.triggers.Below;
import hocket.scopes.Shape;
import java.util.List;
import java.util.function.Supplier;

/**
 * Proximal policy optimisation (Schulman et al. 2017), with the details that its implementations agree on (Huang et al.
 * 2022, "The 37 implementation details of proximal policy optimization"): rollouts in several environments at once,
 * generalised advantages, minibatches in a new order each epoch, advantages normalised in each, Adam with epsilon 1e-5,
 * one norm of all gradients clipped.
 *
 * <p>A round is a rollout and its epochs: {@code sequence(collect, update × n)}. With a target KL, as in
 * Stable-Baselines3, an update whose minibatch shows an approximate KL above 1.5 of it, before the update, is skipped
 * and is the last of its round.
 */
public record Ppo(
        @Setting(help = "the environment: a name such as CartPole-v1, or a user's class")
        String environment,

        @Setting(
                name = "environments",
                former = "worlds",
                usually = "{}",
                help = "number of environments, and their wrappers")
        EnvironmentSettings worlds,

        @Setting(usually = "100000", least = 1, most = 1e12, help = "total number of environment steps")
        long totalSteps,

        @Setting(usually = "2048", least = 1, most = 1e6, help = "steps of a rollout in each environment")
        int rollout,

        @Setting(usually = "64", least = 1, most = 1e7, help = "rows of a minibatch; divides a rollout's")
        int minibatch,

        @Setting(usually = "10", least = 1, most = 1e4, help = "passes over a rollout")
        int epochs,

        @Setting(usually = "3e-4", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(usually = "false", help = "whether the rate decays linearly to 0")
        boolean rateFalls,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "0.95", least = 0, most = 1, help = "lambda of the generalised advantages")
        double gaeLambda,

        @Setting(usually = "bootstrap", help = "how returns treat a time limit")
        Truncation truncation,

        @Setting(usually = "0.2", least = 1e-9, most = 1e3, help = "clip range of probability ratios")
        double clipRange,

        @Setting(usually = "false", help = "whether the clip range decays linearly to 0")
        boolean clipRangeFalls,

        @Setting(
                usually = "0",
                least = 0,
                most = 1e9,
                help = "ends the updates of a round if the approximate KL exceeds 1.5 times this value; 0 for never")
        double targetKl,

        @Setting(usually = "0", least = 0, most = 1e9, help = "clip range of values; 0 for no clipping")
        double valueClip,

        @Setting(
                usually = "stable-baselines3",
                help = "the library whose value loss is used; they differ in a factor and in clipping")
        ValueLoss valueLoss,

        @Setting(usually = "0.5", least = 0, most = 1e9, help = "share of the value loss")
        double valueCoefficient,

        @Setting(usually = "0", least = 0, most = 1e9, help = "share of the entropy bonus")
        double entropyCoefficient,

        @Setting(usually = "true", help = "whether the advantages of a minibatch are normalised")
        boolean normaliseAdvantages,

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
        Mlp.Activation activation,

        @Setting(usually = "orthogonal", help = "how weights are initialised")
        Mlp.Initialisation weights)
        implements EnvironmentDefinition, PpoCopies {

    /** Returns the default settings. */
    public static Ppo usual(String environment) {
        return PpoCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        check();
        TrainingEnvironments all = open(world);
        ActorCritic agent = agent(all);
        TableCollector collector = TableCollector.of(all, agent, rollout, gae());
        Turn.Descend update = update(agent);
        Plan round = Plan.sequence(Turn.act("collect", collector), updating(update));
        return worlds.evaluated(
                Setup.of(
                                Networks.of(
                                        agent.graph(),
                                        update.program(),
                                        agent.acting().program(),
                                        agent.evaluator()),
                                round,
                                Budget.rounds(rounds()))
                        .feed(minibatches(collector.table()), Resample.EACH_TURN),
                world,
                agent.best(),
                agent.acting(),
                all);
    }

    TrainingEnvironments open(Supplier<? extends Environment> world) {
        return worlds.open(world, gamma).withNotes(StepBudgets.notes(totalSteps, rounds() * rows()));
    }

    long rounds() {
        return StepBudgets.rounds(totalSteps, rows());
    }

    /** Rows of a rollout of all environments. */
    int rows() {
        return worlds.rows(rollout);
    }

    /** Updates of a round. */
    int updates() {
        return passes("epochs", epochs);
    }

    /** The updates of a round: all of them, or until the policy has changed too much. */
    Plan updating(Turn.Descend update) {
        return targetKl == 0
                ? update.times(updates())
                : Plan.until(new Below("update/" + Turn.MOVED, 1, 1), update, updates());
    }

    /** Minibatches of a round, the rollout being gone through so often as a setting says. */
    int passes(String setting, int times) {
        int each = rows() / minibatch;
        if ((long) times * each > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(setting + " times the minibatches of a rollout must be at most "
                    + Integer.MAX_VALUE + ", was " + times + " × " + each);
        }
        return times * each;
    }

    /** @throws IllegalArgumentException if a setting is outside its bounds, or some do not go together */
    void check() {
        AlgorithmSettings.check(this);
        if (rows() % minibatch != 0) {
            throw new IllegalArgumentException("minibatch must divide the rows of a rollout, " + rows() + " (rollout "
                    + rollout + " × environments.count " + worlds.count() + "), was " + minibatch);
        }
        if (memory.remembers() && minibatch % rollout != 0) {
            throw new IllegalArgumentException(
                    "minibatch must be a multiple of rollout with a memory, which learns from"
                            + " whole rollouts of an environment, was " + minibatch + " with rollout " + rollout);
        }
        updates(); // refuses too many
    }

    ActorCritic agent(TrainingEnvironments all) {
        NetworkBody body = new NetworkBody(all.observationSpace(), encoder, new Mlp(hidden, activation, weights));
        return ActorCritic.of(body, all.actionSpace(), all.isMasked(), memory, rollout);
    }

    Gae gae() {
        return new Gae(gamma, gaeLambda, truncation);
    }

    Minibatches minibatches(Table collected) {
        Minibatches rows = new Minibatches(collected, memory.remembers() ? minibatch / rollout : minibatch);
        if (normaliseAdvantages) {
            rows.normalising("advantage");
        }
        return clipRangeFalls ? rows.with("clip_range", Rate.linear(clipRange, 0, 0, rounds())) : rows;
    }

    Turn.Descend update(ActorCritic agent) {
        Rate falling = rateFalls ? StepBudgets.falling(rate, rounds()) : Rate.constant(rate);
        UpdateRule rule =
                chain(clipByGlobalNorm(clipGradients), adam(rate).rate(falling).epsilon(1e-5));
        Turn.Descend update = Turn.of("update", Program.compile("update", Mode.TRAIN, loss(agent)))
                .updates("actor/**, critic/**", rule); // one norm of both gradients
        return targetKl == 0 ? update : update.unlessAbove("approximate_kl", 1.5 * targetKl);
    }

    private Loss loss(ActorCritic agent) {
        Value old = agent.input("log_probability");
        Value advantage = agent.input("advantage");
        Value target = agent.input("return");
        ClippedSurrogate surrogate = clipRangeFalls
                ? ClippedSurrogate.of(
                        agent.logProbability(), old, advantage, agent.graph().input("clip_range", Shape.of()))
                : ClippedSurrogate.of(agent.logProbability(), old, advantage, clipRange);
        Value ofValue = valueClip == 0
                ? valueLoss.loss(agent.value(), target)
                : valueLoss.clipped(agent.value(), agent.input("value"), target, valueClip);
        Value ofEntropy = PolicyGradient.entropyLoss(agent.entropy());
        Value all = add(surrogate.loss(), scale(ofValue, valueCoefficient));
        return Loss.of(entropyCoefficient == 0 ? all : add(all, scale(ofEntropy, entropyCoefficient)))
                .metric("policy_loss", surrogate.loss())
                .metric("value_loss", ofValue)
                .metric("entropy", scale(ofEntropy, -1))
                .metric("approximate_kl", surrogate.approximateKl())
                .metric("clip_fraction", surrogate.clipFraction());
    }
}
