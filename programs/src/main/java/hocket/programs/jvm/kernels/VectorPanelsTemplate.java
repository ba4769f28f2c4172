package hocket.programs.jvm.kernels;

import hocket.settings.Each;
import hocket.settings.Template;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Arranges blocks of operands in scratch memory, as {@link Scratch} says, and the lanes of vectors. */
@Template("VectorPanels")
final class VectorPanelsTemplate {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;
    private static final int LANES = Scratch.LANES;
    private static final int PANEL = Scratch.PANEL;
    private static final int DEPTH = Scratch.DEPTH;

    private static final VectorMask<Float> ODD_8 = odd(8);
    private static final VectorMask<Float> ODD_4 = odd(4);
    private static final VectorMask<Float> ODD_2 = odd(2);
    private static final VectorMask<Float> ODD_1 = odd(1);
    private static final VectorShuffle<Float> DOWN_8 = from(8);
    private static final VectorShuffle<Float> DOWN_4 = from(4);
    private static final VectorShuffle<Float> DOWN_2 = from(2);
    private static final VectorShuffle<Float> DOWN_1 = from(1);
    private static final VectorShuffle<Float> UP_8 = from(LANES - 8);
    private static final VectorShuffle<Float> UP_4 = from(LANES - 4);
    private static final VectorShuffle<Float> UP_2 = from(LANES - 2);
    private static final VectorShuffle<Float> UP_1 = from(LANES - 1);

    private VectorPanelsTemplate() {}

    /** The lanes whose number has this bit. */
    private static VectorMask<Float> odd(int bit) {
        boolean[] lanes = new boolean[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            lanes[i] = (i & bit) != 0;
        }
        return VectorMask.fromArray(SPECIES, lanes, 0);
    }

    /** The lanes from one on, and those before it after them. */
    private static VectorShuffle<Float> from(int lane) {
        return VectorShuffle.iota(SPECIES, lane % LENGTH, 1, true);
    }

    /** Copies rows of B to panels. */
    static void copy(float[] b, int bAt, int bRow, int depth, int columns, float[] right) {
        for (int k = 0; k < columns; k += PANEL) {
            int width = Math.min(PANEL, columns - k);
            for (int p = 0; p < depth; p++) {
                int from = bAt + p * bRow + k;
                int to = k * DEPTH + p * PANEL;
                for (int j = 0; j < width; j += LENGTH) {
                    FloatVector.fromArray(SPECIES, b, from + j).intoArray(right, to + j);
                }
            }
        }
    }

    /** Copies runs, as {@link DenseKernels#copyRuns} says. */
    static void copyRuns(float[] from, int at, int step, int runs, int width, float[] to, int toAt, int toStep) {
        int end = toStep == width ? toAt + runs * width : 0;
        for (int i = 0; i < runs; i++) {
            int source = at + i * step;
            int target = toAt + i * toStep;
            int j = 0;
            for (; j + LENGTH <= width; j += LENGTH) {
                FloatVector.fromArray(SPECIES, from, source + j).intoArray(to, target + j);
            }
            if (j < width && target + j + LENGTH <= end) { // the next run overwrites what is too much
                FloatVector.fromArray(SPECIES, from, source + j).intoArray(to, target + j);
                j = width;
            }
            for (; j < width; j++) {
                to[target + j] = from[source + j];
            }
        }
    }

    /** Copies rows of a turned A, of which A(i, p) is at {@code aAt + p·aStep + i}, to groups. */
    static void copyTurned(float[] a, int aAt, int aStep, int depth, int rows, float[] left) {
        for (int i = 0; i < rows; i += LANES) { // in a group stores follow one another
            for (int p = 0; p < depth; p++) {
                int from = aAt + p * aStep + i;
                int to = i * DEPTH + p * LANES;
                for (int l = 0; l < LANES; l += LENGTH) {
                    FloatVector.fromArray(SPECIES, a, from + l).intoArray(left, to + l);
                }
            }
        }
    }

    /** Turns columns of B, which lie in runs, to rows of panels; rows beyond the depth get what is in the runs' padding. */
    static void transpose(float[] b, int bAt, int bRow, int depth, int columns, float[] right, float[] tile) {
        int whole = columns & -LENGTH;
        for (int k = 0; k < whole; k += LENGTH) {
            squares(b, bAt + k * bRow, bRow, depth, right, k / PANEL * PANEL * DEPTH + k % PANEL, PANEL, tile);
        }
        for (int k = whole; k < columns; k++) {
            int to = k / PANEL * PANEL * DEPTH + k % PANEL;
            int from = bAt + k * bRow;
            for (int p = 0; p < depth; p++) {
                right[to + p * PANEL] = b[from + p];
            }
        }
    }

    /** Rows as columns, as {@link DenseKernels#turn} says; the numbers of both are multiples of the length of vectors. */
    static void turnSquares(
            float[] from,
            int at,
            int rows,
            int columns,
            int fromStride,
            float[] to,
            int toAt,
            int toStride,
            float[] tile) {
        for (int r = 0; r < rows; r += LENGTH) {
            squares(from, at + r * fromStride, fromStride, columns, to, toAt + r, toStride, tile);
        }
    }

    /**
     * Turns squares of as many numbers a side as vectors have lanes: in some rounds, rows whose numbers differ in one bit
     * exchange the lanes whose numbers do. A method a round, and what is between them in a tile: the compiler loses sight of
     * the vectors of one long method and makes objects of the last ones, and rows that are a power of two apart displace one
     * another from the cache.
     */
    private static void squares(
            float[] b, int bAt, int bRow, int depth, float[] right, int to, int step, float[] tile) {
        for (int p = 0; p < depth; p += LENGTH) {
            round(1, b, bAt + p, bRow, tile, 0, LENGTH);
            if (LENGTH >= 8) {
                round(2, tile, 0, LENGTH, tile, 0, LENGTH);
            }
            if (LENGTH >= 16) {
                round(4, tile, 0, LENGTH, tile, 0, LENGTH);
            }
            round(LENGTH / 2, tile, 0, LENGTH, right, to + p * step, step);
        }
    }

    private static void round(
            @Each({8, 4, 2, 1}) int bit, float[] from, int at, int fromStep, float[] to, int into, int step) {
        VectorMask<Float> odd = switch (bit) {
            case 8 -> ODD_8;
            case 4 -> ODD_4;
            case 2 -> ODD_2;
            default -> ODD_1;
        };
        VectorShuffle<Float> down = switch (bit) {
            case 8 -> DOWN_8;
            case 4 -> DOWN_4;
            case 2 -> DOWN_2;
            default -> DOWN_1;
        };
        VectorShuffle<Float> up = switch (bit) {
            case 8 -> UP_8;
            case 4 -> UP_4;
            case 2 -> UP_2;
            default -> UP_1;
        };
        for (int i = 0; i < LENGTH / 2; i++) {
            int row = (i & (bit - 1)) + ((i & -bit) << 1);
            FloatVector low = FloatVector.fromArray(SPECIES, from, at + row * fromStep);
            FloatVector high = FloatVector.fromArray(SPECIES, from, at + (row + bit) * fromStep);
            low.blend(high.rearrange(up), odd).intoArray(to, into + row * step);
            low.rearrange(down).blend(high, odd).intoArray(to, into + (row + bit) * step);
        }
    }

    /**
     * Adds up the lanes of 16 vectors of 16 to those of one: in each round what two vectors have in half of their lanes, one's
     * sums in the even groups of lanes, the other's in the odd.
     */
    static void addUp(float[] vectors) {
        halve(8, vectors);
        halve(4, vectors);
        halve(2, vectors);
        halve(1, vectors);
    }

    private static void halve(@Each({8, 4, 2, 1}) int bit, float[] vectors) {
        VectorMask<Float> odd = switch (bit) {
            case 8 -> ODD_8;
            case 4 -> ODD_4;
            case 2 -> ODD_2;
            default -> ODD_1;
        };
        VectorShuffle<Float> down = switch (bit) {
            case 8 -> DOWN_8;
            case 4 -> DOWN_4;
            case 2 -> DOWN_2;
            default -> DOWN_1;
        };
        VectorShuffle<Float> up = switch (bit) {
            case 8 -> UP_8;
            case 4 -> UP_4;
            case 2 -> UP_2;
            default -> UP_1;
        };
        for (int k = 0; k < bit * LANES; k += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, vectors, k);
            FloatVector y = FloatVector.fromArray(SPECIES, vectors, k + bit * LANES);
            x.blend(y.rearrange(up), odd).add(x.rearrange(down).blend(y, odd)).intoArray(vectors, k);
        }
    }
}
