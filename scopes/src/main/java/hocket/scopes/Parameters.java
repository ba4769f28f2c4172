package hocket.scopes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The parameter store: an array for each path, shared by every program that reads the path. Prints as a table.
 *
 * <p>It belongs to the thread that created it. Another thread can take it over with {@link #adopt} after the first is
 * done, or read a {@link #snapshot}. Closing it frees the arrays; later uses fail with a message.
 *
 * <p>For example:
 *
 * <pre>{@code
 * List<Declaration> all = List.of(Declaration.zeros(Path.of("line/weight"), Shape.of(1, 1), ElementType.FLOAT32));
 * try (Parameters parameters = Parameters.initialise(all, Streams.seed(7))) {
 *     Tensor weight = parameters.tensor("line/weight");
 *     Snapshot moment = parameters.snapshot();
 * }
 * }</pre>
 */
public final class Parameters implements AutoCloseable {
    /**
     * A reference to one parameter, for lowerings and optimizers, which look it up once and use it every turn. Never
     * keep its buffer past a turn.
     */
    public final class Cell {
        private final Declaration declaration;
        private Device.Array array;
        private long version;
        private long lent;

        private Cell(Declaration declaration, Device.Array array) {
            this.declaration = declaration;
            this.array = array;
        }

        /** Returns the parameter's declaration. */
        public Declaration declaration() {
            return declaration;
        }

        /**
         * Its array now; write in {@link Parameters#write}, or call {@link #written} afterwards.
         *
         * @throws IllegalStateException if the store is closed or belongs to another thread
         */
        public Device.Array array() {
            touch();
            return array;
        }

        /**
         * Moves the parameter to another device, for the rest of the store's life, and returns the array there. A second
         * call returns the same array.
         *
         * @param device the same object for every parameter
         * @throws IllegalStateException if the store is closed or belongs to another thread, or the device is not available
         * @throws IllegalArgumentException if the parameter is on another device than the store's first
         */
        public Device.Array array(Device device) {
            Device.Array here = array();
            if (here.device() == device) {
                return here;
            }
            if (here.device() != first) {
                throw new IllegalArgumentException(declaration.path() + ": is in memory of "
                        + here.device().name() + " for another program, and this one needs it in memory of "
                        + device.name());
            }
            Device.Array there = device.allocate(declaration.shape(), declaration.type());
            there.write(here.buffer());
            here.close();
            array = there;
            updates(device);
            return there;
        }

        /** The bytes of its array's {@linkplain Device.Array#view view}. Throws as {@link #array()} does. */
        public ByteBuffer buffer() {
            return array().buffer();
        }

        /** Writes all its elements, as {@link Device.Array#write} does. Throws as that and {@link #array()} do. */
        public void write(ByteBuffer values) {
            array().write(values);
            count();
        }

        /**
         * Writes all its elements for readers, or writes the former ones back: a version, but no change. Throws as {@link
         * #write} does.
         */
        public void lend(ByteBuffer values) {
            write(values);
            lent++;
        }

        /** Returns how often the parameter was written since the store was made; its first values do not count. */
        public long version() {
            return version;
        }

        /** Returns the same without what was {@linkplain #lend lent} to readers. */
        public long changes() {
            return version - lent;
        }

        /** Records that the array was written. Throws as {@link #array()} does. */
        public void written() {
            touch();
            count();
        }

        private void count() {
            version++;
            writes++;
        }

        private void fill(double[] values) {
            array.write(Tensor.rounded(declaration.shape(), declaration.type(), values)
                    .buffer());
        }
    }

    private static final Runnable NOTHING = () -> {};

    private final Streams streams;
    private final Device first;
    private final TreeMap<Path, Cell> cells = new TreeMap<>();
    private volatile Thread owner = Thread.currentThread();
    private volatile boolean closed;
    private final Object turnstile = new Object();
    private int inUse;
    private long writes;
    private Runnable writing = NOTHING;

    /** Runs {@link #writing} as an update of each device that holds arrays of the store. */
    private Runnable updating = () -> writing.run();

    private final Set<Device> devices = new HashSet<>();

    private Parameters(Streams streams, Device first) {
        this.streams = streams;
        this.first = first;
        updates(first);
    }

    private void updates(Device device) {
        if (devices.add(device)) {
            Runnable inner = updating;
            updating = () -> device.update(inner);
        }
    }

    /**
     * A store with the declared parameters, their first values drawn by seed and path.
     *
     * @throws IllegalArgumentException if a path is declared twice
     */
    public static Parameters initialise(Collection<Declaration> declarations, Streams streams) {
        return initialise(declarations, streams, Device.jvm());
    }

    /**
     * A store that begins on a given device.
     *
     * @throws IllegalArgumentException if a path is declared twice
     */
    public static Parameters initialise(Collection<Declaration> declarations, Streams streams, Device device) {
        Parameters parameters = new Parameters(streams, device);
        parameters.declare(declarations);
        try {
            for (Cell cell : parameters.cells.values()) {
                Declaration d = cell.declaration;
                cell.fill(d.initialiser().values(d.shape(), d.fan(), streams.at(d.path())));
            }
            return parameters;
        } catch (RuntimeException | Error e) {
            parameters.close();
            throw e;
        }
    }

    /**
     * Copies parameters to another path with the values they have now: {@code copy("generator/**",
     * "ema/generator/**")}. A target that does not exist is declared.
     *
     * @return this store
     * @throws IllegalArgumentException if nothing matches, or a target exists with another shape or type; then nothing
     *     was declared or written
     * @throws IllegalStateException if the store is closed or belongs to another thread
     */
    public Parameters copy(String from, String to) {
        touch();
        Mapping mapping = Mapping.of(from, to);
        SortedMap<Path, Tensor> copies = new TreeMap<>();
        List<Declaration> missing = new ArrayList<>();
        for (Declaration declaration : Selection.of(from).of(declarations()).values()) {
            Path target = mapping.map(declaration.path());
            if (contains(target)) {
                checkSame(declaration(target), declaration);
            } else {
                missing.add(declaration.at(target));
            }
            copies.put(target, tensor(declaration.path().text()));
        }
        declare(missing);
        copies.forEach((path, tensor) -> cell(path).write(tensor.buffer()));
        return this;
    }

    private static void checkSame(Declaration target, Declaration source) {
        if (!target.shape().equals(source.shape()) || target.type() != source.type()) {
            throw new IllegalArgumentException(target.path() + ": is " + target.type() + target.shape() + ", and "
                    + source.path() + " to be copied there is " + source.type() + source.shape());
        }
    }

    /** Returns the declarations of the store's parameters, in path order. */
    public List<Declaration> declarations() {
        return cells.values().stream().map(cell -> cell.declaration).toList();
    }

    /**
     * Returns a parameter's declaration.
     *
     * @throws IllegalArgumentException if the path is unknown; the message lists similar paths
     */
    public Declaration declaration(Path path) {
        return cell(path).declaration;
    }

    /** Returns whether the store holds this path. */
    public boolean contains(Path path) {
        return cells.containsKey(path);
    }

    /** The random streams that the first values were drawn from, and that a run over this store draws from. */
    public Streams streams() {
        return streams;
    }

    /** Returns how often any parameter was written since the store was made. */
    public long writes() {
        return writes;
    }

    /**
     * Returns a copy of a parameter's values.
     *
     * @throws IllegalArgumentException if the path is unknown; the message lists similar paths
     * @throws IllegalStateException if the store is closed or belongs to another thread
     */
    public Tensor tensor(String path) {
        touch();
        return cell(Path.of(path)).array.read();
    }

    /**
     * Writes all values of a parameter, row-major; a FLOAT32 parameter takes them rounded.
     *
     * @throws IllegalArgumentException if the path is unknown, or the count differs from the shape's; then
     *     nothing was written
     * @throws IllegalStateException if the store is closed or belongs to another thread
     */
    public void set(String path, double... values) {
        touch();
        Cell cell = cell(Path.of(path));
        Shape shape = cell.declaration.shape();
        if (values.length != shape.size()) {
            throw new IllegalArgumentException(
                    path + ": shape " + shape + " needs " + shape.size() + " values, got " + values.length);
        }
        cell.fill(values);
        cell.written();
    }

    /**
     * Returns how often a parameter was written since the store was made; its first values do not count.
     *
     * @throws IllegalArgumentException if the path is unknown; the message lists similar paths
     */
    public long version(String path) {
        return cell(Path.of(path)).version;
    }

    /**
     * Returns a reference to a parameter, for lowerings and optimizers.
     *
     * @throws IllegalArgumentException if the path is unknown; the message lists similar paths
     */
    public Cell cell(Path path) {
        return SimilarNames.get(cells, path, "there is no parameter ");
    }

    /**
     * Returns a copy of all values.
     *
     * @throws IllegalStateException if the store is closed or belongs to another thread
     */
    public Snapshot snapshot() {
        return snapshot(cells.keySet());
    }

    /**
     * Returns a copy of the selected values.
     *
     * @throws IllegalArgumentException if the selection matches nothing; the message lists similar paths
     * @throws IllegalStateException if the store is closed or belongs to another thread
     */
    public Snapshot snapshot(Selection selection) {
        return snapshot(selection.of(declarations()).keySet());
    }

    private Snapshot snapshot(Collection<Path> paths) {
        touch();
        TreeMap<Path, Tensor> tensors = new TreeMap<>();
        paths.forEach(path -> tensors.put(path, tensor(path.text())));
        return new Snapshot(tensors);
    }

    /**
     * Writes back the values of a snapshot; paths that it does not hold keep theirs.
     *
     * @throws IllegalArgumentException if it holds a path that this store does not, or with another shape or type;
     *     then nothing was written
     * @throws IllegalStateException if the store is closed or belongs to another thread
     */
    public void restore(Snapshot snapshot) {
        touch();
        snapshot.tensors().forEach((path, tensor) -> {
            Declaration declaration = declaration(path);
            if (!declaration.shape().equals(tensor.shape()) || declaration.type() != tensor.type()) {
                throw new IllegalArgumentException(path + ": the store has " + declaration.type() + declaration.shape()
                        + ", the snapshot " + tensor.signature());
            }
        });
        snapshot.tensors().forEach((path, tensor) -> cell(path).write(tensor.buffer()));
    }

    /**
     * SHA-256 over all values in path order: that of a {@link #snapshot}, without the copy.
     *
     * @throws IllegalStateException if the store is closed or belongs to another thread
     */
    public String digest() {
        return digest(cells.keySet());
    }

    /**
     * SHA-256 over the selected values in path order.
     *
     * @throws IllegalArgumentException if the selection matches nothing; the message lists similar paths
     * @throws IllegalStateException if the store is closed or belongs to another thread
     */
    public String digest(Selection selection) {
        return digest(selection.of(declarations()).keySet());
    }

    private String digest(Collection<Path> paths) {
        touch();
        Digest digest = new Digest();
        for (Path path : paths) {
            Cell cell = cell(path);
            digest.add(path.text(), cell.declaration.type(), cell.declaration.shape(), cell.array.buffer());
        }
        return digest.hex();
    }

    /**
     * Makes the calling thread the owner, for when the former one has stopped using the store.
     *
     * @throws IllegalStateException if the owner is running something on the arrays right now
     */
    public void adopt() {
        synchronized (turnstile) {
            if (inUse > 0 && Thread.currentThread() != owner) {
                throw new IllegalStateException("thread " + owner.getName()
                        + " is running on the parameters: another can adopt them when it is done");
            }
            owner = Thread.currentThread();
        }
    }

    /**
     * Marks the start of an operation of the owner on the arrays, so that no thread adopts them until {@link #leave}.
     * Throws as {@link #touch} does.
     */
    public void enter() {
        synchronized (turnstile) {
            touch();
            inUse++;
        }
    }

    /** Marks the end of the operation that {@link #enter} started; each call ends one. */
    public void leave() {
        synchronized (turnstile) {
            inUse--;
        }
    }

    /**
     * Runs code that writes some parameters, as an {@linkplain Device#update update}. All of them count as written afterwards, even if it fails half-way:
     * programs that keep copies of them read them again. No other thread adopts the store meanwhile. Throws as {@link
     * #touch} does before anything runs, and rethrows failures of the code.
     */
    public void write(List<Cell> cells, Runnable code) {
        enter();
        try {
            writing = code;
            updating.run();
        } finally {
            writing = NOTHING; // a store outlives the turns that write it
            for (int i = 0; i < cells.size(); i++) {
                cells.get(i).count();
            }
            leave();
        }
    }

    /**
     * Checks that the calling thread may use the arrays.
     *
     * @throws IllegalStateException if the store is closed or belongs to another thread
     */
    public void touch() {
        if (closed) {
            throw new IllegalStateException("the parameters are closed");
        }
        requireOwner();
    }

    /**
     * Checks that the calling thread owns the store, closed or not: only this thread frees what is bound to it.
     *
     * @throws IllegalStateException if the store belongs to another thread
     */
    public void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("the parameters belong to thread " + owner.getName() + "; thread "
                    + Thread.currentThread().getName()
                    + " may read a snapshot taken there, or call adopt() when that thread is done with them");
        }
    }

    /** Adds parameters of zeros: all, or none if one fails. */
    private void declare(Collection<Declaration> declarations) {
        Map<Path, Cell> added = new TreeMap<>();
        try {
            for (Declaration declaration : declarations) {
                Path path = declaration.path();
                if (cells.containsKey(path) || added.containsKey(path)) {
                    throw new IllegalArgumentException("parameter " + path + " is declared twice");
                }
                added.put(path, new Cell(declaration, first.allocate(declaration.shape(), declaration.type())));
            }
        } catch (RuntimeException | Error e) {
            added.values().forEach(cell -> cell.array.close());
            throw e;
        }
        cells.putAll(added);
    }

    /**
     * Frees the arrays. Closing twice does nothing.
     *
     * @throws IllegalStateException if the store belongs to another thread
     */
    @Override
    public void close() {
        if (!closed) {
            touch();
            closed = true;
            cells.values().forEach(cell -> cell.array.close());
        }
    }

    /** Returns a table of path, shape, elements, kind of update and number of writes, with totals. */
    @Override
    public String toString() {
        return ParameterTable.of(cells.values());
    }
}
