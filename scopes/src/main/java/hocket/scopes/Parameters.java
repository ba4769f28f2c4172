package hocket.scopes;

import hocket.scopes.Declaration.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * The one parameter store: an array a path, shared by every program that reads the path. Prints as a table.
 *
 * <p>It belongs to the thread that made it; another thread takes it over with {@link #adopt} once the first is done
 * with it, and reads a {@link #snapshot} otherwise. Closing it frees the arrays; what is used afterwards says so.
 */
public final class Parameters implements AutoCloseable {
    /**
     * One parameter in place, for lowerings and optimizers, which look it up once and use it every turn. Never keep its
     * buffer past a turn.
     */
    public final class Cell {
        private final Declaration declaration;
        private final Storage.Array array;
        private long version;

        private Cell(Declaration declaration, Storage.Array array) {
            this.declaration = declaration;
            this.array = array;
        }

        public Declaration declaration() {
            return declaration;
        }

        /**
         * The storage's array.
         *
         * @throws IllegalStateException if the store is closed or belongs to another thread
         */
        public Storage.Array array() {
            touch();
            return array;
        }

        /** The elements in plain layout; call {@link #written} after writing. Throws as {@link #array} does. */
        public ByteBuffer buffer() {
            touch();
            return array.buffer();
        }

        /** How often the parameter was written since the store was made. */
        public long version() {
            return version;
        }

        /** Says that the array was written. */
        public void written() {
            version++;
        }
    }

    private final Streams streams;
    private final Storage storage;
    private final TreeMap<Path, Cell> cells = new TreeMap<>();
    private Thread owner = Thread.currentThread();
    private boolean closed;

    private Parameters(Streams streams, Storage storage) {
        this.streams = streams;
        this.storage = storage;
    }

    /** A store with the declared parameters, their first values drawn by seed and path, in the best storage there is. */
    public static Parameters initialise(Collection<Declaration> declarations, Streams streams) {
        return initialise(declarations, streams, bestStorage());
    }

    /**
     * A store in a given storage.
     *
     * @throws IllegalArgumentException if a path is declared twice
     */
    public static Parameters initialise(Collection<Declaration> declarations, Streams streams, Storage storage) {
        Parameters parameters = new Parameters(streams, storage);
        try {
            for (Declaration declaration : declarations) {
                parameters.allocate(declaration);
                parameters.set(
                        declaration.path().text(),
                        declaration
                                .initialiser()
                                .values(declaration.shape(), declaration.fan(), streams.at(declaration.path())));
            }
            parameters.cells.values().forEach(cell -> cell.version = 0);
            return parameters;
        } catch (RuntimeException | Error e) {
            parameters.close();
            throw e;
        }
    }

    /** The available storage that is preferred on this machine. */
    public static Storage bestStorage() {
        return ServiceLoader.load(Storage.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(storage -> storage.unavailable().isEmpty())
                .max(Comparator.comparingInt(Storage::preference))
                .orElseGet(JvmStorage::new);
    }

    /**
     * Copies parameters to another path with the values they have now: {@code copy("generator/**",
     * "ema/generator/**")}. A target that does not exist is declared.
     *
     * @return this store
     * @throws IllegalArgumentException if nothing matches, or a target exists with another shape or type
     */
    public Parameters copy(String from, String to) {
        Mapping mapping = Mapping.of(from, to);
        for (Declaration declaration : Selection.of(from).of(declarations()).values()) {
            Path target = mapping.map(declaration.path());
            if (!contains(target)) {
                allocate(declaration.at(target));
            }
            write(target, tensor(declaration.path().text()));
        }
        return this;
    }

    /** What the store holds, in path order. */
    public List<Declaration> declarations() {
        return cells.values().stream().map(cell -> cell.declaration).toList();
    }

    /**
     * One parameter's declaration.
     *
     * @throws IllegalArgumentException if there is none of that path, listing what is near
     */
    public Declaration declaration(Path path) {
        return cell(path).declaration;
    }

    /** Whether the store holds this path. */
    public boolean contains(Path path) {
        return cells.containsKey(path);
    }

    /** The random streams that the first values were drawn from, and that a run over this store draws from. */
    public Streams streams() {
        return streams;
    }

    /** Where the arrays live. */
    public Storage storage() {
        return storage;
    }

    /** A copy of one parameter's values. */
    public Tensor tensor(String path) {
        touch();
        Cell cell = cell(Path.of(path));
        return Tensor.copyOf(cell.declaration.shape(), cell.declaration.type(), cell.array.buffer());
    }

    /**
     * Writes all values of a parameter, row-major; a FLOAT32 parameter takes them rounded.
     *
     * @throws IllegalArgumentException if the count differs from the shape's
     */
    public void set(String path, double... values) {
        touch();
        Cell cell = cell(Path.of(path));
        Shape shape = cell.declaration.shape();
        if (values.length != shape.size()) {
            throw new IllegalArgumentException(
                    path + ": shape " + shape + " needs " + shape.size() + " values, got " + values.length);
        }
        ByteBuffer buffer = cell.array.buffer();
        boolean single = cell.declaration.type() == ElementType.FLOAT32;
        for (int i = 0; i < values.length; i++) {
            if (single) {
                buffer.putFloat(i * Float.BYTES, (float) values[i]);
            } else {
                buffer.putDouble(i * Double.BYTES, values[i]);
            }
        }
        cell.version++;
    }

    /** How often a parameter was written since the store was made. */
    public long version(String path) {
        return cell(Path.of(path)).version;
    }

    /**
     * One parameter in place, for lowerings and optimizers.
     *
     * @throws IllegalArgumentException if there is none of that path, listing what is near
     */
    public Cell cell(Path path) {
        return Optional.ofNullable(cells.get(path))
                .orElseThrow(() -> new IllegalArgumentException("there is no parameter " + path
                        + Nearest.among(
                                path.text(),
                                cells.keySet().stream().map(Path::text).toList())));
    }

    /** All values now. */
    public Snapshot snapshot() {
        return snapshot(cells.keySet());
    }

    /** The selected values now. */
    public Snapshot snapshot(Selection selection) {
        return snapshot(selection.of(declarations()).keySet());
    }

    private Snapshot snapshot(Collection<Path> paths) {
        TreeMap<Path, Tensor> tensors = new TreeMap<>();
        paths.forEach(path -> tensors.put(path, tensor(path.text())));
        return new Snapshot(tensors);
    }

    /**
     * Writes back the values of a snapshot; paths that it does not hold keep theirs.
     *
     * @throws IllegalArgumentException if it holds a path that this store does not, or with another shape or type;
     *     then nothing was written
     */
    public void restore(Snapshot snapshot) {
        touch();
        snapshot.tensors().forEach(this::check);
        snapshot.tensors().forEach(this::write);
    }

    private void check(Path path, Tensor tensor) {
        Declaration declaration = declaration(path);
        if (!declaration.shape().equals(tensor.shape()) || declaration.type() != tensor.type()) {
            throw new IllegalArgumentException(
                    path + ": the store has " + declaration.type() + declaration.shape() + ", the values " + tensor);
        }
    }

    private void write(Path path, Tensor tensor) {
        check(path, tensor);
        Cell cell = cell(path);
        ByteBuffer buffer = cell.buffer();
        buffer.put(tensor.buffer());
        buffer.clear();
        cell.written();
    }

    /** SHA-256 over all values in path order. */
    public String digest() {
        return digest(cells.keySet());
    }

    /** SHA-256 over the selected values in path order. */
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

    /** Makes the calling thread the owner, for when the former owner has stopped using the store. */
    public void adopt() {
        owner = Thread.currentThread();
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
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("the parameters belong to thread " + owner.getName() + "; thread "
                    + Thread.currentThread().getName()
                    + " may read a snapshot taken there, or call adopt() when that thread is done with them");
        }
    }

    private void allocate(Declaration declaration) {
        touch();
        if (cells.containsKey(declaration.path())) {
            throw new IllegalArgumentException("parameter " + declaration.path() + " is declared twice");
        }
        cells.put(declaration.path(), new Cell(declaration, storage.allocate(declaration.shape(), declaration.type())));
    }

    /** Frees the arrays. Closing twice does nothing. */
    @Override
    public void close() {
        if (!closed) {
            touch();
            closed = true;
            cells.values().forEach(cell -> cell.array.close());
        }
    }

    /** A table: path, shape, type, elements, how often written. */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        int width = cells.keySet().stream()
                .mapToInt(path -> path.text().length())
                .max()
                .orElse(4);
        long total = 0;
        String row = "%-" + width + "s  %-16s %-8s %12s %9s";
        lines.add(String.format(Locale.ROOT, row, "path", "shape", "type", "elements", "written"));
        for (Cell cell : cells.values()) {
            Declaration d = cell.declaration;
            total += d.shape().size();
            lines.add(String.format(
                            Locale.ROOT,
                            row,
                            d.path(),
                            d.shape(),
                            d.type(),
                            String.format(Locale.ROOT, "%,d", d.shape().size()),
                            cell.version)
                    + (d.kind() == Kind.RUNNING_STATISTIC ? "  running statistic" : ""));
        }
        lines.add(String.format(Locale.ROOT, row, "total", "", "", String.format(Locale.ROOT, "%,d", total), ""));
        return String.join("\n", lines);
    }
}
