package hocket.scopes;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The names of a graph: a stack of open scopes, and the values named in them. One thread at a time.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Scopes<String> names = new Scopes<>(Scopes.class);
 * try (var generator = names.open("generator"); var up = names.open("up")) {
 *     names.name("conv1", "a value");
 * }
 * String conv1 = names.value("generator/up/conv1");
 * }</pre>
 *
 * @param <V> type of the named values
 */
public final class Scopes<V> {
    private record Named<V>(V value, SourceLocation place) {}

    private final Class<?> library;
    private final Deque<Scope<V>> open = new ArrayDeque<>();
    private final Map<Path, SourceLocation> opened = new HashMap<>(); // by the path of values: each call opens its own
    private final Map<Path, Integer> calls = new HashMap<>();
    private final Map<Path, Integer> numbers = new HashMap<>();
    private final TreeMap<Path, Named<V>> named = new TreeMap<>();

    /** @param library a class whose package is skipped when a message names a source location */
    public Scopes(Class<?> library) {
        this.library = library;
    }

    /**
     * Opens a scope inside the current one. Inside a further call of a module, or a scope opened again, it shares the
     * parameters of the first time.
     *
     * @throws IllegalArgumentException if the name is not a path, or holds a {@code #}
     * @throws IllegalStateException if one of that name was opened in the current one before, naming both places
     */
    public Scope<V> open(String name) {
        Path values = resolve(name);
        Path parameters = resolveParameters(name);
        SourceLocation here = place();
        SourceLocation before = opened.putIfAbsent(values, here);
        if (before != null) {
            throw new IllegalStateException("scope " + parameters + " was opened already at " + before
                    + " and again at " + here + ": choose another name, or say REUSE to share its parameters");
        }
        return push(values, parameters, here);
    }

    /**
     * Reopens a scope of the current one: its values have a new number, its parameters are those of the first time.
     *
     * @throws IllegalArgumentException if the name is not a path, or holds a {@code #}
     * @throws IllegalStateException if it was not opened there before; the message lists similar names
     */
    public Scope<V> reopen(String name) {
        Path values = resolve(name);
        Path parameters = resolveParameters(name);
        if (!opened.containsKey(values)) {
            throw new IllegalStateException("scope " + parameters + " cannot be reused at " + place()
                    + ": it was never opened" + SimilarNames.among(values.text(), opened.keySet()));
        }
        int call = calls.merge(values, 2, (before, two) -> before + 1);
        return push(Path.of(values + "#" + call), parameters, place());
    }

    /**
     * Opens the scope of one call of a module: values under {@code parameters#1}, {@code parameters#2}, … whatever
     * scope is current, parameters under {@code parameters}.
     */
    public Scope<V> call(Path parameters) {
        int call = calls.merge(parameters, 1, Integer::sum);
        return push(Path.of(parameters + "#" + call), parameters, place());
    }

    /**
     * Notes that the module's path is taken, as {@link #open} does, without opening a scope.
     *
     * @throws IllegalStateException if it was taken before, naming both places
     */
    public void claim(Path module) {
        SourceLocation here = place();
        SourceLocation before = opened.putIfAbsent(module, here);
        if (before != null) {
            throw new IllegalStateException("module " + module + " was defined already at " + before + " and again at "
                    + here + ": choose another name, or call the first one");
        }
    }

    /** The innermost open scope. */
    public Optional<Scope<V>> current() {
        return Optional.ofNullable(open.peek());
    }

    /**
     * Names a value in the current scope.
     *
     * @throws IllegalArgumentException if the name is not a path, or holds a {@code #}
     * @throws IllegalStateException if the name is taken there, naming both places
     */
    public Path name(String name, V value) {
        Path path = resolve(name);
        register(path, value);
        return path;
    }

    /**
     * Names a parameter by the path that {@link #parameter} gives, so that it is found as other values are.
     *
     * @throws IllegalStateException if the path is taken, naming both places
     */
    public void declare(Path parameter, V value) {
        register(parameter, value);
    }

    private void register(Path path, V value) {
        Named<V> before = named.putIfAbsent(path, new Named<>(value, place()));
        if (before != null) {
            throw new IllegalStateException(
                    "two values are called " + path + ": one at " + before.place() + ", one at " + place());
        }
    }

    /** Names a value by its operator, with a number from the second on: {@code relu}, {@code relu_2}. */
    public Path number(String kind, V value) {
        Path path = resolve(kind);
        int number = numbers.merge(path, 1, Integer::sum);
        while (named.containsKey(number == 1 ? path : Path.of(path + "_" + number))) {
            number = numbers.merge(path, 1, Integer::sum);
        }
        return name(number == 1 ? kind : kind + "_" + number, value);
    }

    /**
     * The value of that path. The numbers of calls may be left out where only one call fits.
     *
     * @throws IllegalArgumentException if there is none, listing similar ones, or several, listing them
     */
    public V value(String path) {
        Named<V> exact = named.get(Path.of(path));
        if (exact != null) {
            return exact.value();
        }
        List<Map.Entry<Path, Named<V>>> candidates = named.entrySet().stream()
                .filter(entry -> matches(entry.getKey().text(), path))
                .toList();
        if (candidates.size() == 1) {
            return candidates.get(0).getValue().value();
        }
        if (candidates.isEmpty()) {
            throw new IllegalArgumentException("no value is called " + path + SimilarNames.among(path, named.keySet()));
        }
        throw new IllegalArgumentException(path + " is ambiguous, it can be "
                + candidates.stream().map(entry -> entry.getKey().text()).collect(Collectors.joining(" or ")));
    }

    /** Returns whether a value has exactly that path. */
    public boolean has(String path) {
        return named.containsKey(Path.of(path));
    }

    /** Returns the current source location, outside this library and the one given to the constructor. */
    public SourceLocation place() {
        return SourceLocation.ofCaller(library);
    }

    /**
     * The path that a parameter of this name has in the current scope.
     *
     * @throws IllegalStateException if no scope is open
     */
    public Path parameter(String name) {
        return current()
                .map(scope -> scope.parameters().resolve(name))
                .orElseThrow(() -> new IllegalStateException("parameter " + name + " at " + place()
                        + " has no module: open one with graph.module(\"…\") first"));
    }

    void close(Scope<V> scope) {
        Scope<V> inner = open.element();
        if (inner != scope) {
            throw new IllegalStateException("scope " + scope + ", opened at " + scope.opened
                    + ", is closed out of order: " + inner + ", opened inside it at "
                    + inner.opened + ", is still open");
        }
        open.pop();
    }

    private Scope<V> push(Path values, Path parameters, SourceLocation sourceLocation) {
        Scope<V> scope = new Scope<>(this, values, parameters, sourceLocation);
        open.push(scope);
        return scope;
    }

    private Path resolve(String name) {
        if (name.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" at " + place() + " is not a name: # marks the number of a call");
        }
        return current().map(scope -> scope.path().resolve(name)).orElseGet(() -> Path.of(name));
    }

    private Path resolveParameters(String name) {
        return current().map(scope -> scope.parameters().resolve(name)).orElseGet(() -> Path.of(name));
    }

    /** Returns whether a name matches a path segment by segment, where a segment without a number matches any call. */
    public static boolean matches(String name, String wanted) {
        String[] have = name.split("/");
        String[] want = wanted.split("/");
        if (have.length != want.length) {
            return false;
        }
        for (int i = 0; i < have.length; i++) {
            if (!have[i].equals(want[i]) && !have[i].startsWith(want[i] + "#")) {
                return false;
            }
        }
        return true;
    }
}
