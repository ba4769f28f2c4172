package hocket.rl.algorithms;

import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Actor;
import hocket.rl.actors.Mlp;
import hocket.rl.actors.Worlds;
import hocket.rl.envs.Environment;
import hocket.rl.losses.PolicyGradient;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.Rollout;
import hocket.rl.returns.Advantages;
import hocket.rl.returns.Layout;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Draw;
import hocket.schedulers.Networks;
import hocket.schedulers.Plan;
import hocket.schedulers.Setting;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.scopes.Shape;
import java.util.List;
import java.util.function.Supplier;

/**
 * REINFORCE (Williams 1992): each action is made more probable by the discounted reward that followed it, to the end of its
 * episode. A step whose episode the rollout does not see to its end weighs nothing; a time limit ends an episode.
 *
 * <p>A round is {@code sequence(collect, update)}.
 */
public record Reinforce(
        @Setting(help = "the environment: a name such as CartPole-v1, or a class of one's own")
        String environment,

        @Setting(usually = "{}", help = "how many environments, and what is done to what they give")
        EnvironmentSettings worlds,

        @Setting(usually = "200000", least = 1, most = 1e12, help = "environment steps in all")
        long totalSteps,

        @Setting(usually = "2000", least = 1, most = 1e6, help = "steps of a rollout in each environment")
        int rollout,

        @Setting(usually = "5e-3", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "mean", help = "what a return is compared with")
        Baseline baseline,

        @Setting(usually = "[64, 64]", least = 1, most = 1e5, help = "units of the hidden layers")
        List<Integer> hidden,

        @Setting(usually = "tanh", help = "after each hidden layer")
        Mlp.Activation activation)
        implements Definition {
    /** What a return is compared with. */
    public enum Baseline {
        /** Nothing. */
        NONE,
        /** The mean of the rollout's returns, in units of their deviation. */
        MEAN
    }

    /** All usual. */
    public static Reinforce usual(String environment) {
        return new Reinforce(
                environment,
                EnvironmentSettings.of(1),
                200_000,
                2000,
                5e-3,
                0.99,
                Baseline.MEAN,
                List.of(64, 64),
                Mlp.Activation.TANH);
    }

    /** With so many environment steps in all. */
    public Reinforce totalSteps(long steps) {
        return Copy.with(this, "totalSteps", steps);
    }

    /** With environments used in this way. */
    public Reinforce worlds(EnvironmentSettings settings) {
        return Copy.with(this, "worlds", settings);
    }

    /** With rollouts of so many steps in each environment. */
    public Reinforce rollout(int steps) {
        return Copy.with(this, "rollout", steps);
    }

    /** With another learning rate. */
    public Reinforce rate(double learningRate) {
        return Copy.with(this, "rate", learningRate);
    }

    /** With another discount of a step. */
    public Reinforce gamma(double discount) {
        return Copy.with(this, "gamma", discount);
    }

    /** With returns compared with something else. */
    public Reinforce baseline(Baseline with) {
        return Copy.with(this, "baseline", with);
    }

    /** With hidden layers of so many units. */
    public Reinforce hidden(List<Integer> units) {
        return Copy.with(this, "hidden", units);
    }

    /** With something else after each hidden layer. */
    public Reinforce activation(Mlp.Activation after) {
        return Copy.with(this, "activation", after);
    }

    @Override
    public Setup setup() {
        return in(EnvironmentSettings.named(environment));
    }

    /**
     * The same in environments of one's own.
     *
     * @throws IllegalArgumentException also if {@code environment} is not their name
     */
    public Setup setup(Supplier<? extends Environment> world) {
        return in(EnvironmentSettings.own("environment", environment, world));
    }

    private Setup in(Supplier<? extends Environment> world) {
        Settings.check(this);
        int rows = worlds.rows(rollout);
        Worlds all = worlds.open(world, gamma);
        Actor actor =
                Actor.of(all.observationSpace(), all.actionSpace(), new Mlp(hidden, activation, Mlp.Begin.ORTHOGONAL));
        Rollout collector = new Rollout(all, actor.acting(), rollout, new ToGo(gamma, baseline));

        Value ret = actor.graph().input("advantage", Shape.of());
        Value loss = PolicyGradient.loss(actor.logProbability(), ret);
        Program program = Program.compile("update", Mode.TRAIN, Loss.of(loss));
        Plan round = Plan.sequence(
                Turn.act("collect", collector), Turn.of("update", program).updates("actor/**", adam(rate)));
        return worlds.judged(
                Setup.of(
                                Networks.of(
                                        actor.graph(), program, actor.acting().program()),
                                round,
                                Budget.rounds(Budgets.rounds(totalSteps, rows)))
                        .feed(new Minibatches(collector, rows, false), Draw.EACH_TURN),
                world,
                actor.best(),
                all);
    }

    /**
     * {@code G_t = reward_t + gamma·G_{t+1}} to the end of the episode, 0 where that is not seen; scaled so that the mean
     * over all rows is the mean over those that count.
     */
    record ToGo(double gamma, Baseline baseline) implements Advantages {
        @Override
        public void advantages(
                Layout layout,
                float[] rewards,
                float[] values,
                boolean[] terminated,
                boolean[] truncated,
                float[] finalValues,
                float[] lastValues,
                float[] advantages,
                float[] returns) {
            int rows = layout.steps() * layout.environments();
            boolean[] counts = new boolean[rows];
            int counted = 0;
            double sum = 0;
            for (int e = 0; e < layout.environments(); e++) {
                boolean seenToEnd = false;
                double toGo = 0;
                for (int t = layout.steps() - 1; t >= 0; t--) {
                    int i = layout.at(t, e);
                    boolean ended = terminated[i] || truncated[i];
                    seenToEnd |= ended;
                    toGo = seenToEnd ? rewards[i] + (ended ? 0 : gamma * toGo) : 0;
                    returns[i] = (float) toGo;
                    counts[i] = seenToEnd;
                    counted += seenToEnd ? 1 : 0;
                    sum += toGo;
                }
            }
            double mean = baseline == Baseline.MEAN && counted > 0 ? sum / counted : 0;
            double scale = counted == 0 ? 0 : (double) rows / counted / deviation(returns, counts, mean, counted);
            for (int i = 0; i < rows; i++) {
                advantages[i] = counts[i] ? (float) ((returns[i] - mean) * scale) : 0;
            }
        }

        private double deviation(float[] returns, boolean[] counts, double mean, int counted) {
            if (baseline == Baseline.NONE) {
                return 1;
            }
            double squares = 0;
            for (int i = 0; i < counts.length; i++) {
                squares += counts[i] ? (returns[i] - mean) * (returns[i] - mean) : 0;
            }
            return Math.sqrt(squares / counted) + 1e-8;
        }
    }
}
