package hocket.scopes;

/**
 * The guard of an open scope: until it is closed, names are made under it. Use it in try-with-resources; after closing
 * it still refers to the values named in it.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Scopes<String> names = new Scopes<>(Scopes.class);
 * try (Scope<String> generator = names.open("generator")) {
 *     names.name("project", "a value");
 *     String project = generator.value("project");
 * }
 * }</pre>
 *
 * @param <V> type of the named values
 */
public final class Scope<V> implements AutoCloseable {
    private final Scopes<V> scopes;
    private final Path values;
    private final Path parameters;
    final SourceLocation opened;
    private boolean closed;

    Scope(Scopes<V> scopes, Path values, Path parameters, SourceLocation opened) {
        this.scopes = scopes;
        this.values = values;
        this.parameters = parameters;
        this.opened = opened;
    }

    /** Returns the path of this scope's values, for example {@code discriminator#2}. */
    public Path path() {
        return values;
    }

    /** Returns the path of this scope's parameters, for example {@code discriminator}. */
    public Path parameters() {
        return parameters;
    }

    /**
     * A value named in this scope, or in one inside it: {@code conv1}, {@code up/conv1}.
     *
     * @throws IllegalArgumentException if the name is unknown, listing similar ones, or several
     */
    public V value(String name) {
        return scopes.value(values + "/" + name);
    }

    /**
     * Ends the scope. Closing twice does nothing.
     *
     * @throws IllegalStateException if a scope opened inside it is still open, naming where both were opened
     */
    @Override
    public void close() {
        if (!closed) {
            scopes.close(this);
            closed = true;
        }
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
