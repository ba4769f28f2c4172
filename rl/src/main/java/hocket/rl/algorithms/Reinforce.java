package hocket.rl.algorithms;

import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.PolicyGradient;
import hocket.rl.networks.Actor;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.Rollout;
import hocket.rl.returns.AdvantageEstimator;
import hocket.rl.returns.RolloutLayout;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;
import java.util.List;
import java.util.function.IntSupplier;
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
        @Setting(help = "the environment: a name such as CartPole-v1, or a user's class")
        String environment,

        @Setting(
                name = "environments",
                former = "worlds",
                usually = "{}",
                help = "number of environments, and their wrappers")
        EnvironmentSettings worlds,

        @Setting(usually = "200000", least = 1, most = 1e12, help = "total number of environment steps")
        long totalSteps,

        @Setting(
                usually = "2000",
                least = 1,
                most = 1e6,
                help = "steps of a rollout in each environment; at least the longest episode")
        int rollout,

        @Setting(usually = "5e-3", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "mean", help = "the baseline of returns")
        Baseline baseline,

        @Setting(
                usually = "flat",
                help = "layers from an observation to the features that the hidden layers read: flat, convolutional, …")
        Encoder encoder,

        @Setting(usually = "[64, 64]", least = 1, most = 1e5, help = "units of the hidden layers")
        List<Integer> hidden,

        @Setting(usually = "tanh", help = "activation after each hidden layer")
        Mlp.Activation activation)
        implements EnvironmentDefinition, ReinforceCopies {
    /** The baseline of a return. */
    public enum Baseline {
        /** No baseline. */
        NONE,
        /** The mean of the rollout's returns, in units of their deviation. */
        MEAN
    }

    /** Returns the default settings. */
    public static Reinforce usual(String environment) {
        return ReinforceCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        int rows = worlds.rows(rollout);
        long rounds = StepBudgets.rounds(totalSteps, rows);
        TrainingEnvironments all = worlds.open(world, gamma).withNotes(StepBudgets.notes(totalSteps, rounds * rows));
        Mlp mlp = new Mlp(hidden, activation, Mlp.Initialisation.ORTHOGONAL);
        NetworkBody body = new NetworkBody(all.observationSpace(), encoder, mlp);
        Actor actor = Actor.of(body, all.actionSpace(), all.isMasked());
        Rollout collector = new Rollout(all, actor.acting(), rollout, new ToGo(gamma, baseline, () -> longest(all)));

        Value ret = actor.graph().input("advantage", Shape.of());
        Value loss = PolicyGradient.loss(actor.logProbability(), ret);
        Program program = Program.compile("update", Mode.TRAIN, Loss.of(loss));
        Plan round = Plan.sequence(
                Turn.act("collect", collector), Turn.of("update", program).updates("actor/**", adam(rate)));
        return worlds.evaluated(
                Setup.of(Networks.of(actor.graph(), program, actor.acting().program()), round, Budget.rounds(rounds))
                        .feed(new Minibatches(collector.table(), rows), Resample.EACH_TURN)
                        .trainedOnlyIf(() -> longest(all)),
                world,
                actor.best(),
                actor.acting(),
                all);
    }

    /** @throws IllegalArgumentException if an episode may be longer than a rollout */
    private int longest(TrainingEnvironments all) {
        int longest = all.maxEpisodeSteps()
                .orElseThrow(() -> new IllegalArgumentException("environments.limit must be given for REINFORCE in "
                        + environment + ", whose episodes have no limit: only an episode that is sure to end in its"
                        + " rollout counts"));
        if (rollout < longest) {
            throw new IllegalArgumentException("rollout must be at least as long as an episode can be, " + longest
                    + " steps, was " + rollout + ": long episodes would be left out more often than short ones;"
                    + " environments.limit shortens episodes");
        }
        return longest;
    }

    /** {@code G_t = reward_t + gamma·G_{t+1}} to the end of the episode; 0 in episodes that do not count. */
    static final class ToGo implements AdvantageEstimator {
        private final double gamma;
        private final Baseline baseline;
        private final IntSupplier longest;
        private boolean[] first = {};

        /** @param longest the most steps that an episode can have; asked when there is a rollout */
        ToGo(double gamma, Baseline baseline, IntSupplier longest) {
            this.gamma = gamma;
            this.baseline = baseline;
            this.longest = longest;
        }

        @Override
        public void begins(boolean[] environments) {
            first = environments.clone();
        }

        @Override
        public void advantages(
                RolloutLayout layout,
                float[] rewards,
                float[] values,
                boolean[] terminated,
                boolean[] truncated,
                float[] finalValues,
                float[] lastValues,
                float[] advantages,
                float[] returns) {
            boolean[] counts = new boolean[layout.steps() * layout.environments()];
            int most = longest.getAsInt();
            for (int e = 0; e < layout.environments(); e++) {
                mark(layout, e, most, terminated, truncated, counts);
                double toGo = 0;
                for (int t = layout.steps() - 1; t >= 0; t--) {
                    int i = layout.at(t, e);
                    toGo = counts[i] ? rewards[i] + (terminated[i] || truncated[i] ? 0 : gamma * toGo) : 0;
                    returns[i] = (float) toGo;
                }
            }
            compare(counts, returns, advantages);
        }

        /** Marks the steps of the episodes that count. */
        private void mark(
                RolloutLayout layout, int e, int most, boolean[] terminated, boolean[] truncated, boolean[] counts) {
            boolean begins = first[e];
            boolean isCounted = false;
            for (int t = 0; t < layout.steps(); t++) {
                int i = layout.at(t, e);
                isCounted = begins ? t + most <= layout.steps() : isCounted;
                counts[i] = isCounted;
                begins = terminated[i] || truncated[i];
            }
            if (isCounted && !begins) {
                throw new IllegalStateException(
                        "an episode must end within the " + most + " steps of its environment's limit, but has not");
            }
        }

        private void compare(boolean[] counts, float[] returns, float[] advantages) {
            int counted = 0;
            double sum = 0;
            for (int i = 0; i < counts.length; i++) {
                counted += counts[i] ? 1 : 0;
                sum += returns[i]; // 0 where it does not count
            }
            boolean isCompared = baseline == Baseline.MEAN && counted > 0;
            double mean = isCompared ? sum / counted : 0;
            double squares = 0;
            for (int i = 0; i < counts.length; i++) {
                squares += counts[i] ? (returns[i] - mean) * (returns[i] - mean) : 0;
            }
            double unit = isCompared ? Math.sqrt(squares / counted) + 1e-8 : 1;
            for (int i = 0; i < counts.length; i++) {
                advantages[i] = counts[i] ? (float) ((returns[i] - mean) / unit) : 0;
            }
        }
    }
}
