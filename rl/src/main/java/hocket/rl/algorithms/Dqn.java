package hocket.rl.algorithms;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.reshape;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.sgd;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Distributions;
import hocket.programs.layers.Weights;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.losses.Dueling;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.Replay;
import hocket.rl.replay.ReplayCollector;
import hocket.rl.replay.Transition;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Budget;
import hocket.schedulers.Count;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.plans.Repeat;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Deep Q-learning (Mnih et al. 2015), with double Q-learning (van Hasselt et al. 2016), dueling networks (Wang et al.
 * 2016) and n-step returns as settings; the defaults are those of Stable-Baselines3. Without hidden layers, without
 * replay and with a target update at each step it is Watkins' Q-learning.
 *
 * <p>A round updates the target network and lasts until its next update: {@code sequence(target, (collect, q × n) ×
 * m)}; if the target is updated in every collect, {@code sequence(collect, target, q × n)}. A collect does not learn,
 * so a target that is due in it is updated before it: if {@code targetEvery} is not a multiple of the steps of a collect,
 * m alternates between two numbers. Rounds are complete, so up to {@code targetEvery} steps more than {@code
 * totalSteps} are possible; if {@code totalSteps} is smaller, a round has {@code totalSteps} steps.
 */
public record Dqn(
        @Setting(help = "the environment: a name such as CartPole-v1, or a user's class")
        String environment,

        @Setting(
                name = "environments",
                former = "worlds",
                usually = "{}",
                help = "number of environments, and their wrappers")
        EnvironmentSettings worlds,

        @Setting(usually = "50000", least = 1, most = 1e12, help = "total number of environment steps")
        long totalSteps,

        @Setting(usually = "1000000", least = 1, most = 1e9, help = "capacity of the replay buffer in transitions")
        int replay,

        @Setting(usually = "100", least = 1, most = 1e9, help = "random steps before the first update")
        int learningStarts,

        @Setting(usually = "32", least = 1, most = 1e6, help = "transitions of an update")
        int batch,

        @Setting(usually = "4", least = 1, most = 1e6, help = "steps in each environment between updates")
        int collect,

        @Setting(usually = "1", least = 1, most = 1e6, help = "number of updates after these steps")
        int updates,

        @Setting(usually = "10000", least = 1, most = 1e9, help = "steps between updates of the target network")
        long targetEvery,

        @Setting(usually = "1e-4", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(usually = "adam", help = "the optimizer") Rule optimizer,

        @Setting(usually = "10", least = 1e-9, most = 1e9, help = "largest norm of all gradients together")
        double clipGradients,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "1", least = 1, most = 1000, help = "number of steps of an n-step return")
        int nSteps,

        @Setting(usually = "1", least = 0, most = 1, help = "initial share of random actions")
        double epsilonFrom,

        @Setting(usually = "0.05", least = 0, most = 1, help = "final share of random actions")
        double epsilonTo,

        @Setting(usually = "0.1", least = 0, most = 1, help = "share of the steps over which it decays")
        double explorationFraction,

        @Setting(usually = "false", help = "whether the rate decays linearly to 0")
        boolean rateFalls,

        @Setting(usually = "false", help = "double Q-learning")
        boolean doubleQ,

        @Setting(usually = "false", help = "a dueling network")
        boolean dueling,

        @Setting(usually = "huber", help = "the loss of the temporal-difference errors")
        RegressionLoss regression,

        @Setting(
                usually = "flat",
                help = "layers from an observation to the features that the hidden layers read: flat, convolutional, …")
        Encoder encoder,

        @Setting(usually = "[64, 64]", least = 1, most = 1e5, help = "units of the hidden layers; [] for a table")
        List<Integer> hidden)
        implements EnvironmentDefinition, DqnCopies {
    /** The optimizers that it supports. */
    public enum Rule {
        ADAM,
        SGD
    }

    /** Returns the default settings. */
    public static Dqn usual(String environment) {
        return DqnCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        AlgorithmSettings.checkReplay(replay, batch, nSteps);
        long steps = StepBudgets.learning(totalSteps, learningStarts);
        if (dueling && hidden.isEmpty() && encoder.equals(Encoder.flat())) {
            throw new IllegalArgumentException("dueling must be false without hidden layers, was true with hidden []");
        }
        Rhythm rhythm = Rhythm.of(targetEvery, (long) collect * worlds.count(), steps);
        TrainingEnvironments all = worlds.open(world, gamma)
                .withNotes(StepBudgets.notes(totalSteps, learningStarts, worlds.count(), rhythm.made()));
        if (!(all.actionSpace() instanceof Discrete actions)) {
            throw new IllegalArgumentException(
                    "environment: Q-learning needs discrete actions, these are " + all.actionSpace());
        }
        Replay memory = new Replay(all.observationSpace(), actions, replay, batch, all.isMasked());
        memory.expect(totalSteps);
        Graph graph = new Graph();
        Transition step = Transition.of(graph, memory);

        Network<Value, Value> q = graph.module("q", seen -> values(all.observationSpace(), seen, actions.n()));
        Network<Value, Value> target = q.at("target/q");
        Value values = q.apply(step.observation());
        Value frozen = target.apply(step.next());
        Value ahead = doubleQ
                ? BellmanTargets.doubleQ(frozen, allowed(q.apply(step.next()), step.nextMask()))
                : BellmanTargets.maxQ(allowed(frozen, step.nextMask()));
        Value taken = pick(values, step.action());
        Value loss = regression.loss(BellmanTargets.bootstrapped(step.reward(), step.discount(), ahead), taken);

        Value mask = all.isMasked() ? graph.input(Policy.MASK, Shape.of(actions.n())) : null;
        Program act = Program.compile("act", Mode.EVAL, allowed(values, mask));
        Program learn = Program.compile("q", Mode.TRAIN, Loss.of(loss).metric("value", mean(taken)));
        Policy policy = new Policy(act, ActionSelection.greedy(actions), Policy.ActionTransform.SAME);
        Exploration exploration =
                new Exploration.Epsilon(epsilonFrom, epsilonTo, (long) (explorationFraction * totalSteps));
        ReplayCollector experience =
                new ReplayCollector(all, policy, exploration, memory, learningStarts, collect, nSteps, gamma);

        Turn collecting = Turn.act("collect", experience);
        Turn renew = Turn.follow("target", "q/**", "target/q/**", 0);
        Rate falling = rateFalls ? StepBudgets.falling(rate, rhythm.rounds()) : Rate.constant(rate);
        GradientTransformation rule =
                optimizer == Rule.ADAM ? adam(rate).rate(falling) : sgd(rate).rate(falling);
        Plan learning = Turn.of("q", learn)
                .updates("q/**", chain(clipByGlobalNorm(clipGradients), rule))
                .times(updates);
        Plan round = rhythm.collects().equals(new Count.Times(1))
                ? Plan.sequence(collecting, renew, learning)
                : Plan.sequence(renew, new Repeat(rhythm.collects(), Plan.sequence(collecting, learning)));
        return worlds.evaluated(
                Setup.of(Networks.of(graph, learn, act), round, Budget.rounds(rhythm.rounds()))
                        .copy("q/**", "target/q/**")
                        .feed(memory, Resample.EACH_TURN),
                world,
                policy,
                all);
    }

    /** Returns values of actions that are lower than any other where an action is not allowed. */
    private static Value allowed(Value values, @Nullable Value mask) {
        return mask == null ? values : Distributions.maskedLogits(values, mask);
    }

    /**
     * The interval of target updates.
     *
     * @param collects collects of a round, which begins with an update of the target
     * @param rounds of the run
     * @param made total steps of all rounds
     */
    private record Rhythm(Count collects, long rounds, long made) {
        static Rhythm of(long targetEvery, long each, long steps) {
            long all = StepBudgets.rounds(steps, each);
            if (targetEvery <= each || targetEvery % each == 0 || targetEvery / each >= all) {
                int collects = (int) Math.min(Math.max(1, targetEvery / each), all);
                long rounds = StepBudgets.rounds(all, collects);
                return new Rhythm(new Count.Times(collects), rounds, rounds * collects * each);
            }
            long rounds = StepBudgets.rounds(all * each, targetEvery);
            return new Rhythm(new UntilDue(targetEvery, each), rounds, rounds * targetEvery / each * each);
        }
    }

    /** Returns the number of collects between two updates of the target. */
    record UntilDue(long every, long each) implements Count {
        @Override
        public int at(ScheduleView view) {
            return (int) (before(view.round() + 1) - before(view.round()));
        }

        private long before(long round) {
            return round * every / each;
        }

        @Override
        public String toString() {
            return "(" + every / each + " or " + (every / each + 1) + ")";
        }
    }

    /** Returns the values of n actions; without any layers by a table, whose columns are the observations. */
    private Value values(Space observations, Value seen, int n) {
        if (hidden.isEmpty() && encoder.equals(Encoder.flat())) {
            Value features = encoder.encode(seen, observations, Mlp.Initialisation.UNIFORM); // of one axis
            return dense(
                    "table", features, n, Weights.weights(Initialiser.zeros()).withoutBias());
        }
        Mlp mlp = new Mlp(hidden, Mlp.Activation.RELU, Mlp.Initialisation.UNIFORM);
        Value features = new NetworkBody(observations, encoder, mlp).features(seen);
        if (!dueling) {
            return mlp.body(features, n, 1);
        }
        Value trunk = mlp.trunk(features);
        Weights weights = mlp.initialisation().of(trunk, 1);
        return Dueling.MEAN.of(reshape(dense("value", trunk, 1, weights)), dense("advantage", trunk, n, weights));
    }
}
