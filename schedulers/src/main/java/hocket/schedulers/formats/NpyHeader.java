package hocket.schedulers.formats;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The header of a .npy file, the literal of a Python dictionary: <code>{'descr': '&lt;f4', 'fortran_order': False,
 * 'shape': (2, 3), }</code>.
 *
 * <p>Source: {@code numpy/lib/format.py}, "Format Version 1.0" to "3.0".
 *
 * @param dtype of the elements
 * @param order of the bytes of one
 * @param fortran whether the first axis runs fastest, not the last
 * @param shape its extents, outermost first, each at least 0; empty for a single number
 * @param length bytes before the elements
 */
record NpyHeader(Dtype dtype, ByteOrder order, boolean fortran, List<Long> shape, int length) {
    /** The bytes of every version before the text; the last two exist from version 2.0 on. */
    static final int PREFIX = 12;

    /** The longest text; {@code numpy.load} refuses longer ones too. */
    static final int MOST_TEXT = 10_000;

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int ALIGNMENT = 64;

    /** The largest number of axes in NumPy. */
    private static final int MOST_AXES = 64;

    private static final Map<String, Dtype> TYPES = new LinkedHashMap<>();

    static {
        TYPES.put("b1", Dtype.BOOL);
        TYPES.put("i1", Dtype.I8);
        TYPES.put("i2", Dtype.I16);
        TYPES.put("i4", Dtype.I32);
        TYPES.put("i8", Dtype.I64);
        TYPES.put("u1", Dtype.U8);
        TYPES.put("u2", Dtype.U16);
        TYPES.put("u4", Dtype.U32);
        TYPES.put("u8", Dtype.U64);
        TYPES.put("f2", Dtype.F16);
        TYPES.put("f4", Dtype.F32);
        TYPES.put("f8", Dtype.F64);
    }

    NpyHeader {
        shape = List.copyOf(shape);
    }

    /**
     * The header of a file.
     *
     * @param file what to call it in an error
     * @param start its first bytes: all that there are, or more than {@link #PREFIX} and {@link #MOST_TEXT} together
     */
    static NpyHeader read(String file, ByteBuffer start) throws FormatException {
        ByteBuffer bytes = start.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() < PREFIX || !bytes.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            throw new FormatException(file, "is not an .npy file: it must start with 93 'NUMPY' and its version");
        }
        int version = bytes.get(MAGIC.length);
        if (version < 1 || version > 3 || bytes.get(MAGIC.length + 1) != 0) {
            throw new FormatException(
                    file,
                    "must be of version 1.0, 2.0 or 3.0, is of " + (version & 0xff) + "."
                            + (bytes.get(MAGIC.length + 1) & 0xff));
        }
        int before = version == 1 ? PREFIX - 2 : PREFIX;
        long length = version == 1
                ? bytes.getShort(MAGIC.length + 2) & 0xffff
                : bytes.getInt(MAGIC.length + 2) & 0xffff_ffffL;
        if (length > MOST_TEXT || before + length > bytes.remaining()) {
            throw new FormatException(
                    file,
                    "its header says that it has " + length + " bytes, at most "
                            + Math.min(MOST_TEXT, bytes.remaining() - before) + " can be");
        }
        byte[] text = new byte[(int) length];
        bytes.get(before, text);
        return new Literal(file, new String(text, StandardCharsets.ISO_8859_1)).header(before + text.length);
    }

    /**
     * The bytes of a header of version 1.0, filled with blanks to a multiple of 64.
     *
     * @param least how many they are at least
     * @throws IllegalArgumentException if NumPy has not as many axes
     */
    static byte[] write(Dtype dtype, int[] shape, int least) {
        if (shape.length > MOST_AXES) {
            throw new IllegalArgumentException(
                    "a .npy file may have at most " + MOST_AXES + " axes, this array has " + shape.length);
        }
        String type = TYPES.entrySet().stream()
                .filter(entry -> entry.getValue() == dtype)
                .map(Map.Entry::getKey)
                .findAny()
                .orElseThrow();
        String extents = IntStream.of(shape).mapToObj(String::valueOf).collect(Collectors.joining(", "));
        String text = "{'descr': '<" + type + "', 'fortran_order': False, 'shape': (" + extents
                + (shape.length == 1 ? "," : "") + "), }";
        int prefix = PREFIX - 2;
        int length = Math.max(least, (prefix + text.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        ByteBuffer header = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (length - prefix));
        header.put(text.getBytes(StandardCharsets.US_ASCII));
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        return header.put((byte) '\n').array();
    }

    /**
     * Bytes of all elements.
     *
     * @throws FormatException if they are more than 2^63 - 1
     */
    long bytes(String file) throws FormatException {
        long bytes = dtype.bytes();
        try {
            for (long extent : shape) {
                bytes = Math.multiplyExact(bytes, extent);
            }
        } catch (ArithmeticException e) {
            throw new FormatException(file, "shape " + shape + " of " + dtype + " has more than 2^63 - 1 bytes", e);
        }
        return bytes;
    }

    /** The literal being read, from left to right. */
    private static final class Literal {
        private static final String DESCR = "descr";
        private static final String ORDER = "fortran_order";
        private static final String SHAPE = "shape";

        private final String file;
        private final String text;
        private int at;

        Literal(String file, String text) {
            this.file = file;
            this.text = text;
        }

        NpyHeader header(int length) throws FormatException {
            Map<String, Object> values = new LinkedHashMap<>();
            expect('{');
            while (!next('}')) {
                String key = string();
                expect(':');
                Object value = switch (key) {
                    case DESCR -> string();
                    case ORDER -> truth();
                    case SHAPE -> shape();
                    default -> throw refused("may have descr, fortran_order and shape only, has " + key);
                };
                if (values.put(key, value) != null) {
                    throw refused("must have every key once, has " + key + " twice");
                }
                if (!next(',')) {
                    expect('}');
                    break;
                }
            }
            blanks();
            if (at < text.length()) {
                throw wanted("its end");
            }
            if (values.get(DESCR) instanceof String descr
                    && values.get(ORDER) instanceof Boolean fortran
                    && values.get(SHAPE) instanceof Extents extents) {
                return new NpyHeader(dtype(descr), order(descr), fortran, extents.all(), length);
            }
            throw refused("must have descr, fortran_order and shape, has " + values.keySet());
        }

        private Dtype dtype(String descr) throws FormatException {
            Dtype dtype = descr.length() == 3 ? TYPES.get(descr.substring(1)) : null;
            if (dtype == null || (dtype.bytes() == 1 ? "<>|" : "<>").indexOf(descr.charAt(0)) < 0) {
                throw refused("descr must be < (little-endian) or > (big-endian) and one of "
                        + String.join(", ", TYPES.keySet()) + ", of one byte also |, was " + descr);
            }
            return dtype;
        }

        private static ByteOrder order(String descr) {
            return descr.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        }

        /** Extents, outermost first. */
        private record Extents(List<Long> all) {}

        private String string() throws FormatException {
            blanks();
            char quote = at < text.length() ? text.charAt(at) : 0;
            int end = quote == '\'' || quote == '"' ? text.indexOf(quote, at + 1) : -1;
            if (end < 0 || text.substring(at, end).indexOf('\\') >= 0) {
                throw wanted("a string in quotes, without \\");
            }
            String string = text.substring(at + 1, end);
            at = end + 1;
            return string;
        }

        private boolean truth() throws FormatException {
            blanks();
            for (String word : List.of("True", "False")) {
                if (text.startsWith(word, at)) {
                    at += word.length();
                    return word.equals("True");
                }
            }
            throw wanted("True or False");
        }

        private Extents shape() throws FormatException {
            List<Long> extents = new ArrayList<>();
            expect('(');
            boolean comma = true;
            while (!next(')')) {
                if (!comma) {
                    throw wanted(", or )");
                }
                extents.add(number());
                if (extents.size() > MOST_AXES) {
                    throw refused("may have at most " + MOST_AXES + " axes, has more");
                }
                comma = next(',');
            }
            if (extents.size() == 1 && !comma) {
                throw refused("shape must be a tuple, (" + extents.get(0) + ") is a number");
            }
            return new Extents(extents);
        }

        private long number() throws FormatException {
            blanks();
            int start = at;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                at++;
            }
            String digits = text.substring(start, at);
            try {
                if (digits.length() <= 1 || digits.charAt(0) != '0') {
                    return Long.parseLong(digits);
                }
            } catch (NumberFormatException e) {
                // said below
            }
            at = start;
            throw wanted("a whole number from 0 to 2^63 - 1");
        }

        private boolean next(char wanted) {
            blanks();
            boolean there = at < text.length() && text.charAt(at) == wanted;
            at += there ? 1 : 0;
            return there;
        }

        private void expect(char wanted) throws FormatException {
            if (!next(wanted)) {
                throw wanted(String.valueOf(wanted));
            }
        }

        private void blanks() {
            while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private FormatException wanted(String what) {
            return refused("at character " + at + " must be " + what + ", is "
                    + (at < text.length()
                            ? "\"" + text.substring(at, Math.min(at + 10, text.length())) + "\""
                            : "its end"));
        }

        private FormatException refused(String reason) {
            return new FormatException(file, "its header " + reason);
        }
    }
}
