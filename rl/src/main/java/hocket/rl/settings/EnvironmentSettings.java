package hocket.rl.settings;

import hocket.rl.actors.EpisodeFilm;
import hocket.rl.actors.EpisodeReturns;
import hocket.rl.actors.Policy;
import hocket.rl.actors.PolicyInference;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Autoreset;
import hocket.rl.envs.CheckedEnvironment;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.envs.Environments;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.games.MultiAgentEnvironment;
import hocket.rl.envs.games.Seat;
import hocket.rl.envs.gymnasium.GymnasiumEnvironments;
import hocket.rl.envs.gymnasium.PythonSettings;
import hocket.rl.envs.wrappers.OneHotObservations;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.envs.wrappers.Wrapper;
import hocket.rl.returns.RewardTransform;
import hocket.schedulers.Setup;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.settings.Setting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The use of an environment in training: an algorithm's settings except its name, in files under {@code environments}.
 * An algorithm makes the environment by {@link #named}, opens a number of them by {@link #open}, and sets the
 * evaluation of the trained policy by {@link #evaluated}.
 */
public record EnvironmentSettings(
        @Setting(usually = "1", least = 1, most = 1e5, help = "number of environments that step together")
        int count,

        @Setting(usually = "false", help = "whether observations are normalised to mean 0 and variance 1")
        boolean normaliseObservations,

        @Setting(usually = "false", help = "whether rewards are scaled so that returns have variance 1")
        boolean normaliseRewards,

        @Setting(
                usually = "true",
                help = "whether a user's class is checked for three episodes before training, and"
                        + " violations are reported")
        boolean checked,

        @Setting(
                usually = "{}",
                help = "Gymnasium's options of a built-in environment, such as {g: 9.81} of Pendulum-v1")
        Map<String, String> options,

        @Setting(
                usually = "0",
                least = 0,
                most = 1e9,
                help = "maximum steps of an episode, counted inside of wrappers; 0 for the environment's own limit")
        int limit,

        @Setting(
                usually = "[]",
                help = "wrappers, the innermost first: {action_repeat: 4}, {frame_stack: 4}, greyscale, …")
        List<Wrapper> wrappers,

        @Setting(usually = "1", least = 1e-9, most = 1e9, help = "factor of rewards in training")
        double rewardScale,

        @Setting(
                usually = "0",
                least = 0,
                most = 1e9,
                help = "largest absolute reward in training, after scaling; 0 for no limit")
        double rewardClip,

        @Setting(usually = "{}", help = "processes of environments of Python, such as gym:Hopper-v5")
        PythonSettings python)
        implements EnvironmentSettingsCopies {
    public EnvironmentSettings {
        options = Collections.unmodifiableMap(new TreeMap<>(options));
        wrappers = List.copyOf(wrappers);
    }

    /** Settings without options, limits and changes of rewards. */
    public EnvironmentSettings(int count, boolean normaliseObservations, boolean normaliseRewards, boolean checked) {
        this(
                count,
                normaliseObservations,
                normaliseRewards,
                checked,
                Map.of(),
                0,
                List.of(),
                1,
                0,
                PythonSettings.usual());
    }

    /** A number of unchanged environments. */
    public static EnvironmentSettings of(int count) {
        return new EnvironmentSettings(count, false, false, true);
    }

    /** A built-in environment of {@link Environments}, which accepts options. */
    private record Named(String name, Map<String, Object> options) implements Supplier<Environment> {
        @Override
        public Environment get() {
            return Environments.make(name, options);
        }
    }

    /**
     * Makes environments of a name, or of a user's class with a constructor without parameters: an environment, or a game
     * of several agents.
     *
     * @throws IllegalArgumentException if there is none; the message names similar ones
     */
    public static Supplier<Environment> named(String name) {
        Optional<GymnasiumEnvironments> ofPython = GymnasiumEnvironments.named(name);
        if (ofPython.isPresent()) {
            return ofPython.get();
        }
        if (!Environments.names().contains(name) && (name.contains(".") || UserClass.isThere(name))) {
            if (UserClass.is(name, MultiAgentEnvironment.class)) {
                Supplier<MultiAgentEnvironment> game =
                        UserClass.named("environment", name, MultiAgentEnvironment.class);
                return () -> Seat.amongRandomPlayers(game.get());
            }
            return UserClass.named("environment", name, Environment.class);
        }
        Named plain = new Named(name, Map.of());
        try {
            plain.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("environment: " + e.getMessage(), e);
        }
        return plain;
    }

    /**
     * Returns an environment given in Java, for a setting that names it.
     *
     * @param setting the key of its name, for messages
     * @param named the value of the setting
     * @param environment makes one
     * @throws IllegalArgumentException if its name is another
     */
    public static <E extends Environment> Supplier<E> own(String setting, String named, Supplier<E> environment) {
        E one = environment.get();
        String name = one.name();
        String type = one.unwrapped().getClass().getName();
        boolean asMade = Environments.names().contains(named)
                && Environments.make(named).name().equals(name);
        if (!named.equals(name) && !named.equals(type) && !asMade) {
            EnvironmentChecks.close(one);
            throw new IllegalArgumentException(
                    setting + " must be the name of the environment that is given, " + name + ", was " + named);
        }
        if (environment instanceof GymnasiumEnvironments || environment instanceof Named) {
            return environment; // options make others of the same name
        }
        Queue<E> first = new ConcurrentLinkedQueue<>(List.of(one));
        return () -> Objects.requireNonNullElseGet(first.poll(), environment);
    }

    /**
     * Opens environments at their start. An error in a user's class stops the run; discrete observations are one-hot
     * encoded.
     *
     * @param environment makes one
     * @param gamma discount of a step, for the normalisation of rewards
     */
    public TrainingEnvironments open(Supplier<? extends Environment> environment, double gamma) {
        Supplier<? extends Environment> optioned = optioned(environment);
        AtomicInteger made = new AtomicInteger();
        VectorEnvironment all = VectorEnvironment.of(
                () -> {
                    int index = made.getAndIncrement();
                    return wrapped(optioned.get(), each -> CheckedEnvironment.unlessBuiltIn(each, index));
                },
                count,
                Autoreset.SAME_STEP);
        return open(all, gamma).withNotes(versions(optioned));
    }

    /** Returns a line with the versions of Python and its packages, for people; none for environments of Java. */
    public static List<String> versions(Supplier<? extends Environment> environment) {
        return environment instanceof GymnasiumEnvironments ofPython
                ? List.of("environments of " + ofPython.versions())
                : List.of();
    }

    /**
     * Opens a vector of environments at their start, with normalisation and changes of rewards as set.
     *
     * @param gamma discount of a step, for the normalisation of rewards
     */
    public TrainingEnvironments open(VectorEnvironment all, double gamma) {
        if (normaliseRewards && !rewards().equals(RewardTransform.NONE)) {
            throw new IllegalArgumentException(
                    "environments.reward_scale and environments.reward_clip must be 1 and 0 where"
                            + " environments.normalise_rewards is true, were " + rewardScale + " and " + rewardClip
                            + ": normalised rewards have a scale of their own, and are clipped at 10");
        }
        return new TrainingEnvironments(
                        normaliseObservations || normaliseRewards
                                ? new VectorNormalisation(all, normaliseObservations, normaliseRewards, gamma)
                                : all,
                        rewards())
                .withNotes(notes());
    }

    /**
     * Checks that nothing is put around a game that agents play as it is.
     *
     * @param key of these settings, for the message
     * @param why it must be as it is
     * @throws IllegalArgumentException if there are wrappers, a limit or normalised observations
     */
    public void requireWholeGames(String key, String why) {
        if (normaliseObservations) {
            throw new IllegalArgumentException(key + ".normalise_observations must be false, was true: " + why);
        }
        if (!wrappers.isEmpty()) {
            throw new IllegalArgumentException(key + ".wrappers must be empty, were " + wrappers + ": " + why);
        }
        if (options.containsKey("max_episode_steps")) {
            throw new IllegalArgumentException(key + ".options.max_episode_steps must be left out, was "
                    + options.get("max_episode_steps") + ": " + why);
        }
        if (limit > 0) {
            throw new IllegalArgumentException(key + ".limit must be 0, was " + limit + ": " + why);
        }
    }

    /**
     * Returns an environment outside of training, with the agent's options, limit and wrappers, and unchanged rewards.
     *
     * @throws IllegalArgumentException if it takes no such options
     */
    public Supplier<Environment> seen(Supplier<? extends Environment> environment) {
        Supplier<? extends Environment> optioned = optioned(environment);
        return () -> wrapped(optioned.get(), CheckedEnvironment::unlessBuiltIn);
    }

    private Supplier<? extends Environment> optioned(Supplier<? extends Environment> environment) {
        if (environment instanceof GymnasiumEnvironments ofPython) {
            return optioned(ofPython);
        }
        if (!python.equals(PythonSettings.usual())) {
            throw new IllegalArgumentException("environments.python must be left out, was " + python.changed()
                    + ": it is of environments in Python, such as gym:Hopper-v5");
        }
        if (!(environment instanceof Named named)) {
            if (!options.isEmpty()) {
                throw new IllegalArgumentException("environments.options must be empty, were " + options
                        + ": only environments that are named take options, such as Pendulum-v1");
            }
            return limit == 0 ? environment : () -> new TimeLimit(environment.get(), limit);
        }
        Map<String, Object> all = new TreeMap<>();
        options.forEach((name, text) -> all.put(name, value(text)));
        if (limit > 0) {
            requireOneLimit(all.put("max_episode_steps", limit) == null);
        }
        Named with = new Named(named.name(), all);
        try {
            with.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("environments.options: " + e.getMessage(), e);
        }
        return with;
    }

    private GymnasiumEnvironments optioned(GymnasiumEnvironments environment) {
        Map<String, String> all = new TreeMap<>(options);
        if (limit > 0) {
            requireOneLimit(all.put("max_episode_steps", Integer.toString(limit)) == null);
        }
        GymnasiumEnvironments with = environment.with(all, python);
        try {
            with.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("environment: " + e.getMessage(), e);
        }
        return with;
    }

    private void requireOneLimit(boolean isOne) {
        if (!isOne) {
            throw new IllegalArgumentException(
                    "environments.limit and environments.options.max_episode_steps are the same setting:"
                            + " only one can be given, were " + limit + " and " + options.get("max_episode_steps"));
        }
    }

    /** Parses an option: a boolean, a number or a text. */
    private static Object value(String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        return text.matches("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?") ? (Object) Double.valueOf(text) : text;
    }

    /** Wraps an environment, and checks what is not Hocket's own: it, and what wrappers make of it. */
    private Environment wrapped(Environment environment, UnaryOperator<Environment> checked) {
        Environment all = OneHotObservations.ofWholeNumbers(checked.apply(environment));
        for (Wrapper wrapper : wrappers) {
            all = NonNull.by(wrapper, "around(environment)", wrapper.around(all));
        }
        return OneHotObservations.ofWholeNumbers(checked.apply(all));
    }

    /** Returns the change of rewards that are not normalised. */
    RewardTransform rewards() {
        return new RewardTransform(rewardScale, rewardClip);
    }

    /** Returns a description of the environments' wrappers, for people. */
    private List<String> notes() {
        List<String> done = new ArrayList<>();
        if (!options.isEmpty()) {
            done.add("options " + options);
        }
        if (limit > 0) {
            done.add("episodes of at most " + limit + " steps");
        }
        wrappers.forEach(wrapper -> done.add(wrapper.note()));
        if (normaliseObservations) {
            done.add("observations normalised");
        }
        if (normaliseRewards) {
            done.add("rewards normalised");
        }
        if (rewardScale != 1) {
            done.add("rewards × " + rewardScale);
        }
        if (rewardClip > 0) {
            done.add("rewards clipped at ±" + rewardClip);
        }
        return done.isEmpty() ? List.of() : List.of("environments: " + String.join(", ", done));
    }

    /**
     * Returns the rows of a rollout with this number of steps in each environment: {@code rollout × count}.
     *
     * @throws IllegalArgumentException if there are too many
     */
    public int rows(int rollout) {
        long rows = (long) rollout * count;
        if (rows > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("rollout times environments.count must be at most " + Integer.MAX_VALUE
                    + ", was " + rollout + " × " + count);
        }
        return (int) rows;
    }

    /**
     * Refuses normalisation.
     *
     * @param algorithm its name, for the message
     * @throws IllegalArgumentException if observations or rewards are normalised
     */
    public void requireAsTheyAre(String algorithm, String because) {
        requireAsTheyAre(algorithm, because, "normalise_observations", normaliseObservations);
        requireAsTheyAre(algorithm, because, "normalise_rewards", normaliseRewards);
    }

    /**
     * Refuses changes of rewards.
     *
     * @param prefix of the settings' keys, for the message
     * @throws IllegalArgumentException if rewards are normalised, scaled or clipped
     */
    public void requireRewardsAsTheyAre(String prefix, String because) {
        String settings = prefix + "environments.";
        if (normaliseRewards) {
            throw new IllegalArgumentException(settings + "normalise_rewards must be false, was true: " + because);
        }
        if (!rewards().equals(RewardTransform.NONE)) {
            throw new IllegalArgumentException(settings + "reward_scale and " + settings
                    + "reward_clip must be 1 and 0, were " + rewardScale + " and " + rewardClip + ": " + because);
        }
    }

    /** Refuses several environments where an algorithm steps none of them itself. */
    void requireOne(String because) {
        if (count != 1) {
            throw new IllegalArgumentException("environments.count must be 1, was " + count + ": " + because);
        }
    }

    private static void requireAsTheyAre(String algorithm, String because, String setting, boolean normalise) {
        if (normalise) {
            throw new IllegalArgumentException(
                    "environments." + setting + " must be false for " + algorithm + ", was true: " + because);
        }
    }

    /**
     * Returns a run that is evaluated by the returns of 100 episodes of its policy, and can be filmed. It warns of what
     * an {@link EnvironmentChecker} finds in a user's environments.
     *
     * @param environment makes the one that is played in
     * @param policy the policy to evaluate
     * @param trained the environments of training: their normalisation of observations is used
     */
    public Setup evaluated(
            Setup setup, Supplier<? extends Environment> environment, Policy policy, TrainingEnvironments trained) {
        return evaluated(setup, environment, policy, policy, trained);
    }

    /**
     * Sets the evaluation of an agent whose policy is stochastic itself.
     *
     * @param acting samples actions, for inference with a seed and for {@link EpisodeReturns#sampled}
     */
    public Setup evaluated(
            Setup setup,
            Supplier<? extends Environment> environment,
            Policy policy,
            Policy acting,
            TrainingEnvironments trained) {
        if (trained.isMasked() && !policy.isMasked()) {
            trained.withNotes(
                    List.of("the environment forbids actions at times, which this algorithm does not regard"));
        }
        Supplier<Environment> seen = seen(environment);
        return warned(setup, environment)
                .evaluated(new EpisodeReturns(seen, policy, acting, trained.normalisation(), 100))
                .filmed(new EpisodeFilm(seen, policy, trained.normalisation()))
                .inferred(new PolicyInference(policy, acting, trained.actionSpace(), trained.normalisation()));
    }

    /** Returns a run that warns of what an {@link EnvironmentChecker} finds in a user's environments, if they are checked. */
    public Setup warned(Setup setup, Supplier<? extends Environment> environment) {
        return checked ? setup.warnedBy(() -> EnvironmentChecker.checkUnlessBuiltIn(failing(environment))) : setup;
    }

    /** Returns environments as set, of which no failure is survived. */
    private Supplier<? extends Environment> failing(Supplier<? extends Environment> environment) {
        Supplier<? extends Environment> optioned = optioned(environment);
        return optioned instanceof GymnasiumEnvironments ofPython ? ofPython.withoutRestarts() : optioned;
    }
}
