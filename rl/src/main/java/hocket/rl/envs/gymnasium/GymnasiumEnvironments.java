package hocket.rl.envs.gymnasium;

import hocket.rl.envs.Environment;
import hocket.rl.envs.games.Seat;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiBinary;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes environments of Python's Gymnasium by name, {@code gymnasium.make}. They run in a few processes of Python, started when
 * needed: the program that {@code HOCKET_PYTHON} names, else {@code python3}, in which {@code gymnasium} must be installed. A
 * process is ended with Hocket, and when no environment of this maker is reachable any more.
 *
 * <p>Each episode starts from a seed of its own, drawn from the environment's generator, {@code env.reset(seed=…)}; so an
 * environment that depends on nothing but seed and actions is reproducible. Dictionaries and tuples are observed as one box,
 * Gymnasium's {@code FlattenObservation}.
 *
 * <p>Environments of several agents are modules of PettingZoo, whose {@code parallel_env}, or else {@code env}, is made: here each is
 * the {@link Seat} of any agent, where their spaces are the same, else of the first one, and the others act at random.
 */
public final class GymnasiumEnvironments implements Supplier<Environment> {
    /** The prefix of a setting that names such an environment. */
    public static final String PREFIX = "gym:";

    /** The prefix of a setting that names a module of PettingZoo. */
    public static final String SEVERAL = "zoo:";

    private static final Logger LOG = LoggerFactory.getLogger(GymnasiumEnvironments.class);
    static final Cleaner CLEANER = Cleaner.create();

    private final String id;
    private final SortedMap<String, String> options;
    private final PythonSettings python;
    private final Workers workers;

    /** Those with other options and settings, whose processes training and evaluation share. */
    private final Map<List<Object>, GymnasiumEnvironments> others = new HashMap<>();

    private @Nullable Description description;
    private int made;
    private int failures;
    private volatile boolean hasNoticedBounds;

    /**
     * Spaces and facts of an environment.
     *
     * @param limit the maximum number of steps of an episode; 0 for none
     * @param mask the numbers of a mask of actions; 0 for none
     * @param versions of Python and its packages
     * @param agents of one of several agents; empty for Gymnasium's
     */
    record Description(
            Space observations,
            Space actions,
            int limit,
            int mask,
            String versions,
            List<PettingZooGame.Agent> agents) {}

    /** The processes; they end when no maker and no environment has this object. */
    private static final class Workers {
        private final @Nullable PythonWorker[] all;
        private final @Nullable Runnable[] closing;

        private Workers(int count) {
            all = new PythonWorker[count];
            closing = new Runnable[count];
        }

        static Workers of(PythonSettings python) {
            int cores = Runtime.getRuntime().availableProcessors();
            Workers workers = new Workers(python.processes() == 0 ? cores : python.processes());
            @Nullable Runnable[] closing = workers.closing;
            CLEANER.register(workers, () -> close(closing));
            return workers;
        }

        synchronized PythonWorker at(int place, int timeout) {
            PythonWorker worker = all[place];
            if (worker == null || worker.isDead()) {
                worker = new PythonWorker(timeout);
                all[place] = worker;
                closing[place] = worker.closing();
            }
            return worker;
        }
    }

    /** @param id as for {@code gymnasium.make}, such as {@code Hopper-v5} or {@code my_module:MyEnvironment-v0} */
    public GymnasiumEnvironments(String id) {
        this(id, Map.of(), PythonSettings.usual());
    }

    /**
     * @param id as for {@code gymnasium.make}, such as {@code Hopper-v5} or {@code my_module:MyEnvironment-v0}
     * @param options keyword arguments for {@code gymnasium.make}, as Python writes their values; a value that is none of Python's
     *     is a text
     */
    public GymnasiumEnvironments(String id, Map<String, String> options, PythonSettings python) {
        this(id, new TreeMap<>(options), python, Workers.of(python));
    }

    private GymnasiumEnvironments(
            String id, SortedMap<String, String> options, PythonSettings python, Workers workers) {
        this.id = id;
        this.options = options;
        this.python = python;
        this.workers = workers;
    }

    /** Returns the same environments, in the same processes, of which no failure is survived: for checks before a run. */
    public GymnasiumEnvironments withoutRestarts() {
        return new GymnasiumEnvironments(id, options, python.restarts(0), workers);
    }

    private static void close(@Nullable Runnable[] processes) {
        for (Runnable closing : processes) {
            if (closing != null) {
                closing.run();
            }
        }
    }

    /** Returns environments of the same name with these options and settings; each call with the same returns the same. */
    public synchronized GymnasiumEnvironments with(Map<String, String> changed, PythonSettings settings) {
        return changed.equals(options) && settings.equals(python)
                ? this
                : others.computeIfAbsent(
                        List.of(Map.copyOf(changed), settings),
                        key -> new GymnasiumEnvironments(id, changed, settings));
    }

    /**
     * Returns the environments that a setting names; none if it has neither prefix.
     *
     * @param name such as {@code gym:Hopper-v5} or {@code zoo:pettingzoo.classic.tictactoe_v3}
     */
    public static Optional<GymnasiumEnvironments> named(String name) {
        return name.startsWith(PREFIX)
                ? Optional.of(new GymnasiumEnvironments(name.substring(PREFIX.length())))
                : Optional.of(name).filter(each -> each.startsWith(SEVERAL)).map(GymnasiumEnvironments::new);
    }

    /** Returns the name, {@code gym:} and Gymnasium's, or {@code zoo:} and PettingZoo's. */
    public String name() {
        return id.startsWith(SEVERAL) ? id : PREFIX + id;
    }

    /** Returns the versions of Python and of the packages that the environment is made of. */
    public String versions() {
        return description().versions();
    }

    /**
     * Makes an environment. Python makes its own when the first episode begins.
     *
     * @throws IllegalArgumentException if Python does not run, or Gymnasium does not make it; the message says why
     */
    @Override
    public synchronized Environment get() {
        Description of = description();
        GymnasiumEnvironment one = new GymnasiumEnvironment(this, made++ % workers.all.length, of);
        return of.agents().isEmpty() ? one : Seat.amongRandomPlayers(new PettingZooGame(one, of.agents()));
    }

    private synchronized Description description() {
        Description known = description;
        if (known == null) {
            known = described();
            description = known;
        }
        return known;
    }

    private Description described() {
        try {
            PythonWorker worker = worker(0);
            synchronized (worker) {
                request(worker, 'D', 0);
                return worker.ask(GymnasiumEnvironments::description);
            }
        } catch (IllegalStateException e) {
            String with = options.isEmpty() ? "" : " with " + options;
            throw new IllegalArgumentException(name() + with + ": " + explained(e), e);
        }
    }

    /** Says what to install if a package is missing. */
    private static String explained(IllegalStateException e) {
        if (String.valueOf(e.getMessage()).contains("No module named 'pettingzoo'")) {
            return "there is no pettingzoo in " + PythonWorker.interpreter() + ": install it by "
                    + PythonWorker.interpreter() + " -m pip install 'pettingzoo[classic]', or with another extra";
        }
        return String.valueOf(e.getMessage()).contains("No module named 'gymnasium'")
                ? "there is no gymnasium in " + PythonWorker.interpreter() + ": install it by "
                        + PythonWorker.interpreter()
                        + " -m pip install 'gymnasium[mujoco]', or set HOCKET_PYTHON to the program of a Python that has it"
                : String.valueOf(e.getMessage());
    }

    private static Description description(PythonWorker from) {
        Space observations = space(from);
        Space actions = space(from);
        int limit = whole(from);
        int mask = whole(from);
        String versions = from.text();
        List<PettingZooGame.Agent> agents = new ArrayList<>();
        for (int rest = whole(from); rest > 0; rest--) {
            agents.add(new PettingZooGame.Agent(from.text(), space(from), space(from), whole(from)));
        }
        return new Description(observations, actions, limit, mask, versions, agents);
    }

    private static int whole(PythonWorker from) {
        return from.bytes(Integer.BYTES).getInt();
    }

    private static Space space(PythonWorker from) {
        char kind = (char) from.bytes(1).get();
        switch (kind) {
            case 'B', 'W':
                int[] shape = new int[whole(from)];
                Arrays.setAll(shape, i -> whole(from));
                Shape of = Shape.of(shape);
                Box box = new Box(of, floats(from, of.size()), floats(from, of.size()));
                return kind == 'W' ? box.whole() : box;
            case 'D':
                return new Discrete(whole(from), whole(from));
            case 'Y':
                return new MultiBinary(whole(from));
            default:
                int count = whole(from);
                List<Integer> counts = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    counts.add(whole(from));
                }
                return new MultiDiscrete(counts);
        }
    }

    private static float[] floats(PythonWorker from, int count) {
        float[] numbers = new float[count];
        ByteBuffer read = from.bytes(count * Float.BYTES);
        read.asFloatBuffer().get(numbers);
        return numbers;
    }

    /** Begins a request to describe or make this environment. */
    void request(PythonWorker worker, char operation, int number) {
        worker.request(operation, number).with(id).with(options.size());
        options.forEach((name, value) -> worker.with(name).with(value));
    }

    /** Returns the process of a place, a new one if it has ended. */
    PythonWorker worker(int place) {
        return workers.at(place, python.timeout());
    }

    /** Returns whether an observation outside its bounds was logged already. */
    boolean hasNoticedBounds() {
        return hasNoticedBounds;
    }

    /** Logs the first observation outside its bounds. */
    void leftBounds(Supplier<String> message) {
        if (!hasNoticedBounds) {
            hasNoticedBounds = true;
            LOG.warn("{}; the run continues, and further ones are not logged", message.get());
        }
    }

    /** Returns whether one more failure is survived; if so, it is logged. */
    synchronized boolean survives(String failure) {
        boolean survives = failures < python.restarts();
        failures++;
        if (survives) {
            LOG.warn(
                    "{} (failure {} of {} that are survived; its episode is truncated)",
                    failure,
                    failures,
                    python.restarts());
        }
        return survives;
    }
}
