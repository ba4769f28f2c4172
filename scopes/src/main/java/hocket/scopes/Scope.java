package hocket.scopes;

/**
 * The guard of an open scope: until it is closed, names are made under it. Meant for try-with-resources; it stays a
 * reference to what was named in it after it was closed.
 *
 * @param <V> what is named
 */
public final class Scope<V> implements AutoCloseable {
    private final Scopes<V> scopes;
    private final Path values;
    private final Path parameters;
    private final SourceLocation opened;
    private boolean closed;

    Scope(Scopes<V> scopes, Path values, Path parameters, SourceLocation opened) {
        this.scopes = scopes;
        this.values = values;
        this.parameters = parameters;
        this.opened = opened;
    }

    /** Where this scope's values live, for example {@code discriminator#2}. */
    public Path path() {
        return values;
    }

    /** Where this scope's parameters live, for example {@code discriminator}. */
    public Path parameters() {
        return parameters;
    }

    /**
     * A value named in this scope, or in one inside it: {@code conv1}, {@code up/conv1}.
     *
     * @throws IllegalArgumentException if there is none of that name, listing what is near, or several
     */
    public V value(String name) {
        return scopes.value(values + "/" + name);
    }

    SourceLocation opened() {
        return opened;
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
