package hocket.rl.algorithms;

import hocket.rl.actors.EpisodeReturns;
import hocket.rl.actors.Performance;
import hocket.rl.actors.Policy;
import hocket.rl.actors.Worlds;
import hocket.rl.envs.Autoreset;
import hocket.rl.envs.Checked;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.Environments;
import hocket.rl.envs.OneHot;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.VectorNormalisation;
import hocket.schedulers.Setting;
import hocket.schedulers.Setup;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * How an environment is used in training: what an algorithm's settings hold beside its name, in files under {@code worlds}.
 * An algorithm makes the environment by {@link #named}, opens so many of them by {@link #open}, and says by {@link #judged}
 * how what it trains is judged in them.
 */
public record EnvironmentSettings(
        @Setting(usually = "1", least = 1, most = 1e5, help = "how many step together")
        int count,

        @Setting(usually = "false", help = "whether observations are brought to mean 0 and variance 1")
        boolean normaliseObservations,

        @Setting(usually = "false", help = "whether rewards are scaled so that returns have variance 1")
        boolean normaliseRewards,

        @Setting(
                usually = "true",
                help = "whether a class of one's own is played for three episodes before training, and what it does not"
                        + " keep to is said")
        boolean checked) {
    /** So many, as they are. */
    public static EnvironmentSettings of(int count) {
        return new EnvironmentSettings(count, false, false, true);
    }

    /**
     * Environments of a name, or of a class of one's own with a constructor that takes nothing.
     *
     * @throws IllegalArgumentException if there is none, naming what is near
     */
    public static Supplier<Environment> named(String name) {
        if (!Environments.names().contains(name) && (name.contains(".") || OwnClass.isThere(name))) {
            return OwnClass.named("environment", name, Environment.class);
        }
        try {
            Environments.make(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("environment: " + e.getMessage(), e);
        }
        return () -> Environments.make(name);
    }

    /**
     * An environment that is given in Java, for a setting that names it.
     *
     * @param setting where it is named, for messages
     * @param named what the setting says
     * @param environment makes one
     * @throws IllegalArgumentException if its name is another
     */
    static <E extends Environment> Supplier<E> own(String setting, String named, Supplier<E> environment) {
        Environment one = environment.get();
        boolean asMade = Environments.names().contains(named)
                && Environments.make(named).name().equals(one.name());
        if (!named.equals(one.name())
                && !named.equals(one.unwrapped().getClass().getName())
                && !asMade) {
            throw new IllegalArgumentException(
                    setting + " must be the name of the environment that is given, " + one.name() + ", was " + named);
        }
        return environment;
    }

    /**
     * The environments, at their beginning. One of a user's own stops the run where it goes wrong; a numbered observation,
     * or one of several whole numbers, becomes one number for each that there may be, 1 or 0.
     *
     * @param environment makes one
     * @param gamma discount of a step, by which rewards are normalised where they are
     */
    public Worlds open(Supplier<? extends Environment> environment, double gamma) {
        AtomicInteger made = new AtomicInteger();
        VectorEnvironment all = VectorEnvironment.of(
                () -> OneHot.ofNumbers(Checked.unlessBuiltIn(environment.get(), made.getAndIncrement())),
                count,
                Autoreset.SAME_STEP);
        return new Worlds(
                normaliseObservations || normaliseRewards
                        ? new VectorNormalisation(all, normaliseObservations, normaliseRewards, gamma)
                        : all);
    }

    /**
     * Rows of a rollout of so many steps in each environment: {@code rollout × count}.
     *
     * @throws IllegalArgumentException if there are too many
     */
    int rows(int rollout) {
        long rows = (long) rollout * count;
        if (rows > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("rollout times worlds.count must be at most " + Integer.MAX_VALUE
                    + ", was " + rollout + " × " + count);
        }
        return (int) rows;
    }

    /**
     * Refuses normalisation, for algorithms with a replay.
     *
     * @param algorithm its name, for the message
     * @throws IllegalArgumentException if observations or rewards are normalised
     */
    public void requireAsTheyAre(String algorithm) {
        requireAsTheyAre(
                algorithm,
                "its replay would keep transitions as they were normalised when they were collected, beside others that"
                        + " were normalised otherwise");
    }

    /** The same for another reason. */
    void requireAsTheyAre(String algorithm, String because) {
        requireAsTheyAre(algorithm, because, "normalise_observations", normaliseObservations);
        requireAsTheyAre(algorithm, because, "normalise_rewards", normaliseRewards);
    }

    private static void requireAsTheyAre(String algorithm, String because, String setting, boolean normalise) {
        if (normalise) {
            throw new IllegalArgumentException(
                    "worlds." + setting + " must be false for " + algorithm + ", was true: " + because);
        }
    }

    /**
     * A run that is judged by the returns of 100 episodes, and filmed, of a policy that it trains. It warns of what an
     * {@link EnvironmentChecker} finds in environments of a user's own.
     *
     * @param environment makes the one that is played in
     * @param policy what plays
     * @param trained the environments of training: observations are normalised as there
     */
    public Setup judged(Setup setup, Supplier<? extends Environment> environment, Policy policy, Worlds trained) {
        Setup warned = checked ? setup.warnedBy(() -> EnvironmentChecker.checkUnlessBuiltIn(environment)) : setup;
        return warned.evaluated(new EpisodeReturns(environment, policy, trained.normalisation(), 100))
                .filmed(new Performance(environment, policy, trained.normalisation()));
    }
}
