package hocket.programs;

import hocket.scopes.Path;
import java.util.function.Function;

/**
 * A callable module: a function from values to values with its own parameters.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Network<Value, Value> critic = graph.module("critic", x -> dense("out", flatten(x), 1));
 * Value ofReal = critic.apply(real);
 * Value ofFake = critic.apply(fake); // both calls read critic/out/weight
 * }</pre>
 *
 * @param <I> a Value, or a record of them
 * @param <O> a Value, or a record of them
 */
public final class Network<I, O> {
    private final Graph graph;
    private final Path path;
    private final Function<I, O> body;

    Network(Graph graph, Path path, Function<I, O> body) {
        this.graph = graph;
        this.path = path;
        this.body = body;
    }

    /** Returns the path of its parameters. */
    public Path path() {
        return path;
    }

    /** Calls the network: new values, the same parameters. */
    public O apply(I input) {
        return graph.call(path, body, input);
    }

    /**
     * Returns the same function with separate parameters at another path, such as {@code target/critic}. Networks that
     * it calls inside keep theirs. Repeated calls return the same network.
     *
     * @throws IllegalStateException if another module has that path, naming both places
     */
    public Network<I, O> at(String other) {
        return graph.network(Path.of(other), body);
    }

    @Override
    public String toString() {
        return "network " + path;
    }
}
