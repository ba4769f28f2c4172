package hocket.rl.envs;

import hocket.rl.envs.classic.Acrobot;
import hocket.rl.envs.classic.CartPole;
import hocket.rl.envs.classic.MountainCar;
import hocket.rl.envs.classic.MountainCarContinuous;
import hocket.rl.envs.classic.Pendulum;
import hocket.rl.envs.games.GamePlayer;
import hocket.rl.envs.games.LineGame;
import hocket.rl.envs.games.MatrixGame;
import hocket.rl.envs.games.MultiAgentEnvironment;
import hocket.rl.envs.games.Opponents;
import hocket.rl.envs.games.Pursuit;
import hocket.rl.envs.games.RandomPlayer;
import hocket.rl.envs.games.SearchPlayer;
import hocket.rl.envs.games.Seat;
import hocket.rl.envs.minatar.Asterix;
import hocket.rl.envs.minatar.Breakout;
import hocket.rl.envs.minatar.Freeway;
import hocket.rl.envs.minatar.MinAtarGame;
import hocket.rl.envs.minatar.Seaquest;
import hocket.rl.envs.minatar.SpaceInvaders;
import hocket.rl.envs.physics.LunarLander;
import hocket.rl.envs.physics.LunarWeather;
import hocket.rl.envs.tabular.Bandit;
import hocket.rl.envs.tabular.Blackjack;
import hocket.rl.envs.tabular.CliffWalking;
import hocket.rl.envs.tabular.FrozenLake;
import hocket.rl.envs.tabular.Taxi;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.scopes.SimilarNames;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The registry of built-in environments, with the names, options and step limits of {@code gymnasium.make} in Gymnasium
 * 1.4.0 and MinAtar 1.0.15. {@code Bandit-v0}, and the games of several agents, {@code TicTacToe-v0}, {@code
 * ConnectFour-v0}, {@code Pursuit-v0} and {@code MatrixGame-v0}, are Hocket's own.
 */
public final class Environments {
    private static final int UNLIMITED = 0;
    private static final SortedMap<String, Entry> ENTRIES = entries();

    private Environments() {}

    /** @param limit the maximum number of steps of an episode; 0 means no limit */
    private record Entry(int limit, Function<EnvironmentOptions, Environment> made) {}

    private static SortedMap<String, Entry> entries() {
        SortedMap<String, Entry> all = new TreeMap<>();
        all.put("Acrobot-v1", new Entry(500, options -> new Acrobot()));
        all.put("Bandit-v0", new Entry(1000, options -> new Bandit(options.whole("arms", 10))));
        all.put(
                "Blackjack-v1",
                new Entry(
                        UNLIMITED,
                        options -> new Blackjack(options.flag("natural", false), options.flag("sab", true))));
        all.put("CartPole-v1", new Entry(500, options -> new CartPole(options.flag("sutton_barto_reward", false))));
        all.put("ConnectFour-v0", new Entry(UNLIMITED, options -> seat(LineGame.connectFour(), 4, options)));
        all.put("CliffWalking-v1", new Entry(UNLIMITED, options -> cliff(options, false)));
        all.put("CliffWalkingSlippery-v1", new Entry(UNLIMITED, options -> cliff(options, true)));
        all.put("FrozenLake-v1", new Entry(100, options -> lake(options, "4x4")));
        all.put("FrozenLake8x8-v1", new Entry(200, options -> lake(options, "8x8")));
        all.put("MatrixGame-v0", new Entry(UNLIMITED, Environments::matrixGame));
        all.put("LunarLander-v3", new Entry(1000, options -> lunar("LunarLander-v3", false, options)));
        all.put(
                "LunarLanderContinuous-v3",
                new Entry(1000, options -> lunar("LunarLanderContinuous-v3", true, options)));
        putGame(all, "Asterix", (minimal, options) -> new Asterix(minimal, sticky(options), ramping(options)));
        putGame(all, "Breakout", (minimal, options) -> new Breakout(minimal, sticky(options)));
        putGame(all, "Freeway", (minimal, options) -> new Freeway(minimal, sticky(options)));
        putGame(all, "Seaquest", (minimal, options) -> new Seaquest(minimal, sticky(options), ramping(options)));
        putGame(
                all,
                "SpaceInvaders",
                (minimal, options) -> new SpaceInvaders(minimal, sticky(options), ramping(options)));
        all.put("MountainCar-v0", new Entry(200, options -> new MountainCar(options.real("goal_velocity", 0))));
        all.put(
                "MountainCarContinuous-v0",
                new Entry(999, options -> new MountainCarContinuous(options.real("goal_velocity", 0))));
        all.put("Pendulum-v1", new Entry(200, options -> new Pendulum(options.real("g", 10))));
        all.put("Pursuit-v0", new Entry(UNLIMITED, Environments::pursuit));
        all.put("TicTacToe-v0", new Entry(UNLIMITED, options -> seat(LineGame.ticTacToe(), 9, options)));
        all.put("Taxi-v4", new Entry(200, Environments::taxi));
        return all;
    }

    /** Adds a game of MinAtar with all actions as v0 and with its minimal actions as v1, as the package does. */
    private static void putGame(
            Map<String, Entry> all, String game, BiFunction<Boolean, EnvironmentOptions, Environment> made) {
        all.put("MinAtar/" + game + "-v0", new Entry(UNLIMITED, options -> made.apply(false, options)));
        all.put("MinAtar/" + game + "-v1", new Entry(UNLIMITED, options -> made.apply(true, options)));
    }

    private static double sticky(EnvironmentOptions options) {
        return options.real("sticky_action_prob", MinAtarGame.STICKY);
    }

    private static boolean ramping(EnvironmentOptions options) {
        return options.flag("difficulty_ramping", true);
    }

    private static Environment cliff(EnvironmentOptions options, boolean slippery) {
        return new CliffWalking(options.flag("is_slippery", slippery));
    }

    private static Environment lake(EnvironmentOptions options, String usual) {
        Map<String, List<String>> maps = Map.of("4x4", FrozenLake.SMALL, "8x8", FrozenLake.LARGE);
        String name = options.text("map_name", usual);
        List<String> map = SimilarNames.get(maps, name, "FrozenLake: it has no map ");
        return new FrozenLake(
                options.texts("desc", map), options.flag("is_slippery", true), options.real("success_rate", 1.0 / 3.0));
    }

    private static Environment lunar(String name, boolean continuous, EnvironmentOptions options) {
        LunarWeather weather = new LunarWeather(
                options.real("gravity", -10),
                options.flag("enable_wind", false),
                options.real("wind_power", 15),
                options.real("turbulence_power", 1.5));
        return new LunarLander(name, options.flag("continuous", continuous), weather);
    }

    private static Environment pursuit(EnvironmentOptions options) {
        Pursuit game = new Pursuit(
                options.whole("size", 10),
                options.whole("pursuers", 4),
                options.whole("evaders", 6),
                options.whole("obs_range", 5),
                options.whole("max_cycles", 100),
                options.flag("shared_reward", true));
        return new Seat(game, 0, Opponents.only(new RandomPlayer()));
    }

    private static Environment matrixGame(EnvironmentOptions options) {
        List<String> usual = SimilarNames.get(
                MatrixGame.GAMES, options.text("game", "rock_paper_scissors"), "MatrixGame-v0: there is no game ");
        MatrixGame game = new MatrixGame(options.texts("payoffs", usual), options.whole("max_cycles", 15));
        return new Seat(game, 0, Opponents.only(new RandomPlayer()));
    }

    private static Environment seat(MultiAgentEnvironment game, int depth, EnvironmentOptions options) {
        Map<String, GamePlayer> players =
                Map.of("random", new RandomPlayer(), "search", new SearchPlayer(options.whole("depth", depth)));
        GamePlayer opponent =
                SimilarNames.get(players, options.text("opponent", "random"), game.name() + ": there is no opponent ");
        String seat = options.text("seat", "any");
        Map<String, Integer> seats = new TreeMap<>(Map.of("any", Seat.ANY));
        game.agents().forEach(agent -> seats.put(agent, game.agents().indexOf(agent)));
        int agent = SimilarNames.get(seats, seat, game.name() + ": there is no seat ");
        return new Seat(game, agent, Opponents.only(opponent));
    }

    private static Environment taxi(EnvironmentOptions options) {
        return new Taxi(
                options.flag("is_rainy", false),
                options.flag("fickle_passenger", false),
                options.real("rainy_probability", 0.8),
                options.real("fickle_probability", 0.3));
    }

    /** The names of all environments, sorted. */
    public static Set<String> names() {
        return ENTRIES.keySet();
    }

    /**
     * Makes an environment.
     *
     * @throws IllegalArgumentException if no environment has that name
     */
    public static Environment make(String name) {
        return make(name, Map.of());
    }

    /**
     * Makes an environment with options, named as Gymnasium names them: {@code is_slippery}, {@code map_name}, {@code
     * desc} and {@code success_rate} of FrozenLake, {@code is_slippery} of CliffWalking, {@code is_rainy}, {@code
     * fickle_passenger}, {@code rainy_probability} and {@code fickle_probability} of Taxi, {@code natural} and {@code
     * sab} of Blackjack, {@code sutton_barto_reward} of CartPole, {@code goal_velocity} of both mountain cars, {@code
     * g} of Pendulum; {@code gravity}, {@code enable_wind}, {@code wind_power}, {@code turbulence_power} and {@code continuous} of
     * LunarLander; {@code arms} of Bandit; {@code sticky_action_prob} of MinAtar's games and {@code
     * difficulty_ramping} of those that ramp: Asterix, Seaquest and SpaceInvaders; {@code opponent} (random, or search to a
     * {@code depth}) and {@code seat} (first, second or any) of games; {@code size}, {@code pursuers}, {@code evaders}, {@code obs_range},
     * {@code max_cycles} and {@code shared_reward} of Pursuit; {@code game}, {@code payoffs} and {@code max_cycles} of
     * MatrixGame. Any of them takes {@code max_episode_steps}.
     *
     * @throws IllegalArgumentException if no environment has that name, or an option is unknown or has a wrong value
     */
    public static Environment make(String name, Map<String, ?> options) {
        Entry entry = SimilarNames.get(ENTRIES, name, "there is no environment ");
        EnvironmentOptions asked = new EnvironmentOptions(name, options);
        int limit = asked.whole("max_episode_steps", entry.limit);
        Environment made = entry.made.apply(asked);
        asked.requireKnown();
        return limit == UNLIMITED && entry.limit == UNLIMITED ? made : new TimeLimit(made, limit);
    }

    /**
     * The options given to an environment, read by name and type; {@link #requireKnown} rejects those that were never read.
     */
    private static final class EnvironmentOptions {
        private final String environment;
        private final Map<String, ?> given;
        private final TreeSet<String> known = new TreeSet<>();

        EnvironmentOptions(String environment, Map<String, ?> given) {
            this.environment = environment;
            this.given = given;
        }

        boolean flag(String name, boolean otherwise) {
            return of(name, otherwise, Boolean.class, "true or false");
        }

        double real(String name, double otherwise) {
            Number usual = otherwise;
            return of(name, usual, Number.class, "a number").doubleValue();
        }

        int whole(String name, int otherwise) {
            Number usual = otherwise;
            Number number = of(name, usual, Number.class, "a whole number");
            if (number.doubleValue() != number.intValue()) {
                throw refused(name, "a whole number", number);
            }
            return number.intValue();
        }

        String text(String name, String otherwise) {
            return of(name, otherwise, String.class, "a text");
        }

        /** A list of texts, or one with semicolons between them, as files have it. */
        List<String> texts(String name, List<String> otherwise) {
            known.add(name);
            if (given.get(name) instanceof String joined) {
                return Stream.of(joined.split(";")).map(String::strip).toList();
            }
            List<?> texts = of(name, otherwise, List.class, "a list of texts, or a text with semicolons between them");
            return texts.stream().map(String::valueOf).toList();
        }

        private <T> T of(String name, T otherwise, Class<? super T> kind, String rule) {
            known.add(name);
            Object value = given.get(name);
            if (value == null) {
                return otherwise;
            }
            if (!kind.isInstance(value)) {
                throw refused(name, rule, value);
            }
            @SuppressWarnings("unchecked") // it is of T's kind; callers name the two alike
            T checked = (T) value;
            return checked;
        }

        private IllegalArgumentException refused(String name, String rule, Object value) {
            return new IllegalArgumentException(environment + ": " + name + " must be " + rule + ", was " + value);
        }

        /** @throws IllegalArgumentException if an option was given that was never asked for */
        void requireKnown() {
            for (String name : given.keySet()) {
                SimilarNames.require(known, name, environment + ": it has no option ");
            }
        }
    }
}
