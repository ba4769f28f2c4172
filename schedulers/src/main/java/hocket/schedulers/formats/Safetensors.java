package hocket.schedulers.formats;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.json.SafetensorsJson;
import hocket.scopes.ElementType;
import hocket.scopes.Quoted;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A file of named tensors in the format <em>safetensors</em>: 8 bytes that say how long the header is, the header in JSON,
 * the elements. Opening reads the header alone, and checks all that it says against the size of the file; a tensor is then
 * read by itself, so files may be of any size, each tensor in them of at most 2^31 - 1 bytes. Nothing stays open.
 *
 * <p>Refused beyond what the safetensors package refuses: a duplicate name, a field that the format does not have, a
 * header that does not begin with <code>{</code>.
 *
 * <p>Source: "Format" in the README of github.com/huggingface/safetensors, and version 0.8.0 where that says nothing.
 */
public final class Safetensors {
    /** The largest size of the header in bytes, as in the safetensors package. */
    private static final long MOST_HEADER = 100_000_000;

    private static final int PREFIX = 8;
    private static final String METADATA = "__metadata__";

    private final String file;
    private final Bytes bytes;
    private final long start;
    private final Map<String, String> metadata;
    private final Map<String, Entry> entries;

    /**
     * A tensor's entry in the header.
     *
     * @param dtype of its elements
     * @param shape its extents, outermost first, each at least 0; empty for a single number
     * @param begin where its elements begin, in bytes after the header
     * @param end where they end
     */
    public record Entry(Dtype dtype, List<Long> shape, long begin, long end) {
        public Entry {
            shape = List.copyOf(shape);
        }
    }

    private Safetensors(String file, Bytes bytes) throws IOException {
        this.file = file;
        this.bytes = bytes;
        long size = bytes.size();
        if (size < PREFIX) {
            throw refused("must begin with " + PREFIX + " bytes that say how long the header is, the file has " + size);
        }
        long length = bytes.range(0, PREFIX).getLong();
        if (length < 0 || length > MOST_HEADER) {
            throw refused("the header may have at most " + MOST_HEADER + " bytes, the file says "
                    + Long.toUnsignedString(length));
        }
        if (length > size - PREFIX) {
            throw refused("the header should have " + length + " bytes, but only " + (size - PREFIX)
                    + " follow the first " + PREFIX);
        }
        SafetensorsJson.Header header = header(bytes.range(PREFIX, (int) length));
        start = PREFIX + length;
        metadata = header.metadata();
        entries = entries(header, size - start);
    }

    private SafetensorsJson.Header header(ByteBuffer header) throws FormatException {
        if (!header.hasRemaining() || header.get(0) != '{') {
            throw refused("the header must begin with '{', "
                    + (header.hasRemaining() ? "begins with " + String.format("0x%02x", header.get(0)) : "is empty"));
        }
        try {
            return SafetensorsJson.read(
                    StandardCharsets.UTF_8.newDecoder().decode(header).toString());
        } catch (CharacterCodingException e) {
            throw new FormatException(file, "the header must be UTF-8, byte " + header.position() + " of it is not", e);
        } catch (IOException e) {
            throw new FormatException(file, String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the entries of the header, in order of place, if they fit the file's bytes. */
    private Map<String, Entry> entries(SafetensorsJson.Header header, long size) throws FormatException {
        List<Map.Entry<String, Entry>> placed = new ArrayList<>();
        for (Map.Entry<String, SafetensorsJson.Fields> tensor : header.tensors().entrySet()) {
            placed.add(Map.entry(tensor.getKey(), entry(Quoted.name(tensor.getKey()), tensor.getValue(), size)));
        }
        placed.sort(Comparator.<Map.Entry<String, Entry>>comparingLong(
                        tensor -> tensor.getValue().begin())
                .thenComparingLong(tensor -> tensor.getValue().end()));
        Map<String, Entry> entries = new LinkedHashMap<>();
        long end = 0;
        String before = "the header";
        for (Map.Entry<String, Entry> tensor : placed) {
            if (tensor.getValue().begin() != end) {
                throw refused(Quoted.name(tensor.getKey()) + ": must begin at byte " + end + ", where " + before
                        + " ends, begins at " + tensor.getValue().begin());
            }
            end = tensor.getValue().end();
            before = Quoted.name(tensor.getKey());
            entries.put(tensor.getKey(), tensor.getValue());
        }
        if (end != size) {
            throw refused("after " + before + " the file must end, " + (size - end) + " bytes follow");
        }
        return entries;
    }

    private Entry entry(String name, SafetensorsJson.Fields fields, long size) throws FormatException {
        Dtype dtype = Arrays.stream(Dtype.values())
                .filter(known -> known.name().equals(fields.dtype()))
                .findAny()
                .orElseThrow(() -> refused(name + ": dtype must be one of " + Arrays.toString(Dtype.values()) + ", was "
                        + Quoted.text(fields.dtype())));
        String what = dtype + Quoted.list(fields.shape());
        long needed = dtype.bytes();
        try {
            for (long extent : fields.shape()) {
                needed = Math.multiplyExact(needed, extent);
            }
        } catch (ArithmeticException e) {
            throw new FormatException(file, name + ": " + what + " would have more than 2^63 - 1 bytes", e);
        }
        if (fields.end() > size) {
            throw refused(name + ": must end by byte " + size + ", where the file ends, ends at " + fields.end());
        }
        if (fields.end() - fields.begin() != needed) {
            throw refused(name + ": " + what + " needs " + needed + " bytes, data_offsets give it bytes "
                    + fields.begin() + " to " + fields.end());
        }
        return new Entry(dtype, fields.shape(), fields.begin(), fields.end());
    }

    /**
     * Opens a file.
     *
     * @throws FormatException if its header is not what the format says, or does not fit the size of the file
     * @throws IOException if it cannot be read
     */
    public static Safetensors open(Path file) throws IOException {
        return new Safetensors(file.toString(), Bytes.of(file));
    }

    /**
     * The same of bytes in memory, those between the buffer's position and limit.
     *
     * @param file what to call them in an error
     * @param bytes not changed while tensors are read
     * @throws FormatException as {@link #open} throws it
     */
    public static Safetensors of(String file, ByteBuffer bytes) throws IOException {
        return new Safetensors(file, Bytes.of(bytes));
    }

    /** Returns the tensors by name, in order of place. */
    public Map<String, Entry> entries() {
        return Collections.unmodifiableMap(entries);
    }

    /** Returns the metadata of the file; may be empty. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** All tensors by their names. Throws as {@link #tensor(String)}. */
    public SortedMap<String, Tensor> tensors() throws IOException {
        SortedMap<String, Tensor> tensors = new TreeMap<>();
        for (String name : entries.keySet()) {
            tensors.put(name, tensor(name));
        }
        return tensors;
    }

    /**
     * A copy of a tensor: F32, F64 and I64 as they are, F16 and BF16 as FLOAT32 of the same values, whole numbers and BOOL
     * (1 where true) as INT64.
     *
     * @throws IllegalArgumentException if the name is unknown
     * @throws FormatException if it has an extent of 0 or more than 2^31 - 1 bytes as a {@link Tensor}, a BOOL is neither 0
     *     nor 1, or a U64 is beyond INT64
     * @throws IOException if the file cannot be read
     */
    public Tensor tensor(String name) throws IOException {
        Entry entry = entry(name);
        Dtype dtype = entry.dtype();
        ByteBuffer elements = range(name, entry);
        try {
            int[] extents = entry.shape().stream().mapToInt(Math::toIntExact).toArray();
            return dtype.tensor(Shape.of(extents), elements);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new FormatException(file, what(name, entry) + " cannot be a tensor: " + e.getMessage(), e);
        }
    }

    /**
     * A copy of the elements of a tensor as they lie in the file, little-endian, row-major.
     *
     * @throws IllegalArgumentException if the name is unknown
     * @throws FormatException if they are more than 2^31 - 1 bytes
     * @throws IOException if the file cannot be read
     */
    public ByteBuffer bytes(String name) throws IOException {
        ByteBuffer elements = range(name, entry(name));
        ByteBuffer copy = ByteBuffer.allocate(elements.remaining()).order(ByteOrder.LITTLE_ENDIAN);
        return copy.put(elements).flip();
    }

    private Entry entry(String name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw new IllegalArgumentException(
                    file + " holds no tensor " + Quoted.name(name) + "; it holds " + Quoted.list(entries.keySet()));
        }
        return entry;
    }

    private ByteBuffer range(String name, Entry entry) throws IOException {
        long length = entry.end() - entry.begin();
        if (length > Integer.MAX_VALUE) {
            throw refused(what(name, entry) + " has " + length + " bytes; one array can have at most 2147483647");
        }
        long size = bytes.size();
        if (start + entry.end() > size) {
            throw refused(Quoted.name(name) + ": ends at byte " + (start + entry.end()) + ", the file has but " + size
                    + " since it was opened");
        }
        return bytes.range(start + entry.begin(), (int) length);
    }

    private static String what(String name, Entry entry) {
        return Quoted.name(name) + ": " + entry.dtype() + Quoted.list(entry.shape());
    }

    private FormatException refused(String reason) {
        return new FormatException(file, reason);
    }

    /**
     * Writes a file, over one that is there: elements of 8 bytes first, so that all are aligned, and in the map's order.
     *
     * @param metadata what is noted in it, such as {@code format: pt}
     * @throws IllegalArgumentException if a name is {@code __metadata__} or no Unicode, or the header would be longer than
     *     100,000,000 bytes
     * @throws IOException if the disk refuses; then what was there is as it was
     */
    public static void write(Path file, SortedMap<String, Tensor> tensors, Map<String, String> metadata)
            throws IOException {
        List<ByteBuffer> parts = parts(tensors, metadata);
        AtomicFile.write(file, beside -> {
            try (FileChannel out = FileChannel.open(
                    beside,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                for (ByteBuffer part : parts) {
                    while (part.hasRemaining()) {
                        out.write(part);
                    }
                }
            }
        });
    }

    /**
     * Returns the parts that {@link #write} writes: the header after its length, padded with blanks to a multiple of 8
     * bytes, then the elements of each tensor, which are not copied.
     *
     * @throws IllegalArgumentException as there
     */
    public static List<ByteBuffer> parts(SortedMap<String, Tensor> tensors, Map<String, String> metadata) {
        if (tensors.containsKey(METADATA)) {
            throw new IllegalArgumentException("no tensor may be called " + METADATA);
        }
        List<ByteBuffer> parts = new ArrayList<>();
        Map<String, SafetensorsJson.Fields> fields = new LinkedHashMap<>();
        long begin = 0;
        for (ElementType type : List.of(ElementType.INT64, ElementType.FLOAT64, ElementType.FLOAT32)) {
            for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
                Tensor tensor = entry.getValue();
                if (tensor.type() == type) {
                    ByteBuffer elements = tensor.buffer();
                    long end = begin + elements.remaining();
                    List<Long> shape = Arrays.stream(tensor.shape().extents())
                            .asLongStream()
                            .boxed()
                            .toList();
                    fields.put(
                            entry.getKey(),
                            new SafetensorsJson.Fields(Dtype.of(type).name(), shape, begin, end));
                    parts.add(elements);
                    begin = end;
                }
            }
        }
        parts.add(0, header(SafetensorsJson.write(new SafetensorsJson.Header(metadata, fields))));
        return parts;
    }

    private static ByteBuffer header(byte[] json) {
        int length = (json.length + PREFIX - 1) / PREFIX * PREFIX;
        if (length > MOST_HEADER) {
            throw new IllegalArgumentException(
                    "the header may have at most " + MOST_HEADER + " bytes, would have " + length);
        }
        ByteBuffer header = ByteBuffer.allocate(PREFIX + length).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(length).put(json);
        while (header.hasRemaining()) {
            header.put((byte) ' ');
        }
        return header.flip();
    }
}
