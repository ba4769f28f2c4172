package hocket.programs;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates values of a graph by path, over a store: compiles each request when it is first made, and keeps the newest 64.
 * Any value of the graph can be asked for. Noise is drawn from streams of the session's own, so that looking does not
 * change training. Only the thread that owns the store uses it; another thread needs its own session over a store
 * restored from a snapshot. Closing frees compiled programs; the store stays open.
 *
 * <p>For example:
 *
 * <pre>{@code
 * try (Session session = Session.over(graph, parameters)) {
 *     Tensor images = session.run(draw, Session.Feeds.rows(16)).get(0);
 *     Tensor logits = session.run("discriminator#1/logit", Session.Feeds.of("image", images));
 * }
 * }</pre>
 */
public final class Session implements AutoCloseable {
    /** Number of compiled programs that are kept. */
    private static final int MOST = 64;

    private final @Nullable Graph graph;
    private final Parameters parameters;
    private final Mode mode;
    private final int threads;
    private final Around around;
    private final Map<List<String>, Program> asked = new HashMap<>();

    /** Those that were run last, the oldest first. */
    private final Map<Program, BoundProgram> compiled = new LinkedHashMap<>(16, 0.75f, true);

    private long runs;
    private boolean closed;

    /** Runs a program's computation, with the store as the program is to read it. */
    @FunctionalInterface
    public interface Around {
        /**
         * Runs a program.
         *
         * @param run computes it; to be called once
         */
        void run(Program program, Runnable run);
    }

    private Session(@Nullable Graph graph, Parameters parameters, Mode mode, int threads, Around around) {
        this.graph = graph;
        this.parameters = parameters;
        this.mode = mode;
        this.threads = threads;
        this.around = around;
    }

    /** A session in EVAL mode. */
    public static Session over(Graph graph, Parameters parameters) {
        return over(graph, parameters, Mode.EVAL);
    }

    /** A session in a given mode; neither mode updates running statistics. */
    public static Session over(Graph graph, Parameters parameters, Mode mode) {
        return over(graph, parameters, mode, Runtime.getRuntime().availableProcessors());
    }

    /** A session with a number of threads; results may depend on it. */
    public static Session over(Graph graph, Parameters parameters, Mode mode, int threads) {
        return new Session(graph, parameters, mode, threads, (program, run) -> run.run());
    }

    /** A session with a number of threads, for programs only. */
    public static Session over(Parameters parameters, int threads) {
        return over(parameters, threads, (program, run) -> run.run());
    }

    /** A session that wraps each run of a program, for example to exchange the store's contents. */
    public static Session over(Parameters parameters, int threads, Around around) {
        return new Session(null, parameters, Mode.EVAL, threads, around);
    }

    /** The store. */
    public Parameters parameters() {
        return parameters;
    }

    /** Returns the number of threads. */
    public int threads() {
        return threads;
    }

    /** Returns the number of requests so far; noise depends on the seed and this number. */
    public long runs() {
        return runs;
    }

    /** Sets the number of requests so far, for example in a resumed run. */
    public void goOnFrom(long asked) {
        runs = asked;
    }

    /** The value of one path. Throws as {@link #run(List, Feeds)}. */
    public Tensor run(String target, Feeds feeds) {
        return run(List.of(target), feeds).get(0);
    }

    /**
     * The values of these paths, computed together, in their order.
     *
     * @throws IllegalArgumentException if a path is unknown or ambiguous, or a feed is missing, unknown, misshapen,
     *     mistyped or of another number of rows
     */
    public List<Tensor> run(List<String> targets, Feeds feeds) {
        if (graph == null) {
            throw new IllegalStateException("this session is over no graph: ask it for a program, not for " + targets);
        }
        Graph of = graph;
        return run(asked.computeIfAbsent(List.copyOf(targets), paths -> compile(of, paths)), feeds);
    }

    /** The targets of a program, which may read other parameters than the graph names. */
    public List<Tensor> run(Program program, Feeds feeds) {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
        BoundProgram bound = compiled.computeIfAbsent(program, this::bind);
        if (compiled.size() > MOST) {
            Map.Entry<Program, BoundProgram> oldest =
                    compiled.entrySet().iterator().next();
            compiled.remove(oldest.getKey());
            asked.values().remove(oldest.getKey());
            oldest.getValue().close();
        }
        return run(bound, feeds);
    }

    private List<Tensor> run(BoundProgram program, Feeds feeds) {
        TreeSet<String> missing = new TreeSet<>();
        program.program().inputs().forEach(input -> missing.add(input.path().text()));
        missing.removeAll(feeds.tensors().keySet());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("input " + missing.first() + " is needed for "
                    + program.program().targets() + " and was not fed");
        }
        int rows = feeds.rows();
        program.feed(feeds.tensors());
        around.run(program.program(), () -> program.run(rows, runs, runs));
        runs++;
        List<Tensor> results = new ArrayList<>();
        for (int i = 0; i < program.program().targets().size(); i++) {
            results.add(program.target(i));
        }
        return results;
    }

    private Program compile(Graph of, List<String> targets) {
        return Program.compile("session", mode, targets.stream().map(of::value).toArray(Value[]::new));
    }

    private BoundProgram bind(Program program) {
        return new BoundProgram(program, parameters, Lowering.of(program), threads, new TreeSet<>(), "session/");
    }

    /**
     * Frees compiled programs. Closing twice does nothing.
     *
     * @throws IllegalStateException if the store belongs to another thread
     */
    @Override
    public void close() {
        parameters.requireOwner();
        closed = true;
        compiled.values().forEach(BoundProgram::close);
        compiled.clear();
    }

    /**
     * The feed of a session: tensors by the names of inputs (or of noises, which are not sampled then), all with the
     * same number of rows, or only a number of rows if there is only noise.
     *
     * @param tensors by name
     * @param rows the number of rows
     */
    public record Feeds(Map<String, Tensor> tensors, int rows) {
        /** @throws IllegalArgumentException if there is no row, or a tensor has another number of them */
        public Feeds {
            if (rows < 1) {
                throw new IllegalArgumentException("rows must be at least 1, was " + rows);
            }
            tensors = Collections.unmodifiableMap(new TreeMap<>(tensors));
            for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
                int own = rowsOf(entry.getKey(), entry.getValue());
                if (own != rows) {
                    throw new IllegalArgumentException(
                            "input " + entry.getKey() + " has " + own + " rows, the others have " + rows);
                }
            }
        }

        /** Only a number of rows. */
        public static Feeds rows(int rows) {
            return new Feeds(Map.of(), rows);
        }

        /** Returns feeds with one tensor, whose first extent is the number of rows. */
        public static Feeds of(String name, Tensor tensor) {
            return rows(rowsOf(name, tensor)).and(name, tensor);
        }

        /**
         * Returns these feeds and one more tensor.
         *
         * @throws IllegalArgumentException if it has another number of rows, or the name came before
         */
        public Feeds and(String name, Tensor tensor) {
            Map<String, Tensor> more = new TreeMap<>(tensors);
            if (more.put(name, tensor) != null) {
                throw new IllegalArgumentException("input " + name + " is fed twice");
            }
            return new Feeds(more, rows);
        }

        private static int rowsOf(String name, Tensor tensor) {
            if (tensor.shape().rank() == 0) {
                throw new IllegalArgumentException(
                        "input " + name + " needs a batch axis in front, got " + tensor.signature());
            }
            return tensor.shape().get(0);
        }
    }
}
