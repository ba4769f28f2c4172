package hocket.schedulers.state;

import hocket.scopes.Path;
import hocket.scopes.SimilarNames;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A saved state: an immutable tree of whole numbers, reals, texts and tensors by name.
 *
 * @param items the leaves and branches by name
 */
public record State(SortedMap<String, Saved> items) implements Saved {
    private static final State EMPTY = new State(new TreeMap<>());

    public State {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
    }

    @Override
    public <R> R by(Reader<R> reader) {
        return reader.state(this);
    }

    /** An empty state. */
    public static State empty() {
        return EMPTY;
    }

    /** A state of arrays by their paths. */
    public static State of(Snapshot arrays) {
        TreeMap<String, Saved> items = new TreeMap<>();
        arrays.tensors().forEach((path, tensor) -> items.put(path.text(), new Saved.Array(tensor)));
        return new State(items);
    }

    /**
     * Returns this state as arrays by their paths.
     *
     * @throws IllegalArgumentException if an item is not an array, or its name is not a path
     */
    public Snapshot snapshot() {
        TreeMap<Path, Tensor> arrays = new TreeMap<>();
        items.keySet().forEach(path -> arrays.put(Path.of(path), tensor(path)));
        return new Snapshot(arrays);
    }

    public State with(String name, long value) {
        return with(name, new Saved.Whole(value));
    }

    public State with(String name, double value) {
        return with(name, new Saved.Real(value));
    }

    public State with(String name, String value) {
        return with(name, new Saved.Text(value));
    }

    public State with(String name, Tensor value) {
        return with(name, new Saved.Array(value));
    }

    /** Returns this state with one more item, which must not be null. */
    public State with(String name, Saved item) {
        Objects.requireNonNull(item, name);
        TreeMap<String, Saved> more = new TreeMap<>(items);
        more.put(name, item);
        return new State(more);
    }

    /** Returns this state without an item; the same state if it has none of that name. */
    public State without(String name) {
        TreeMap<String, Saved> fewer = new TreeMap<>(items);
        fewer.remove(name);
        return new State(fewer);
    }

    public boolean has(String name) {
        return items.containsKey(name);
    }

    public long whole(String name) {
        return item(name, Saved.Whole.class).value();
    }

    public double real(String name) {
        return item(name, Saved.Real.class).value();
    }

    public String text(String name) {
        return item(name, Saved.Text.class).value();
    }

    public Tensor tensor(String name) {
        return item(name, Saved.Array.class).value();
    }

    public Rows rows(String name) {
        return item(name, Saved.Rows.class);
    }

    public State state(String name) {
        return item(name, State.class);
    }

    /** @throws IllegalArgumentException if the name is unknown, or it is of another kind */
    private <T extends Saved> T item(String name, Class<T> kind) {
        Saved item = SimilarNames.get(items, name, "the saved state lacks ");
        if (!kind.isInstance(item)) {
            throw new IllegalArgumentException("the saved state's " + name + " is a "
                    + item.getClass().getSimpleName() + ", not a " + kind.getSimpleName());
        }
        return kind.cast(item);
    }
}
