package hocket.programs.jvm.kernels;

import hocket.settings.Each;
import hocket.settings.Registers;
import hocket.settings.Template;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Reductions by vectors, which are 16 interleaved partial sums whatever their length: as one, two or four of them. Long ones
 * are summed block by block, and the blocks in FLOAT64.
 */
@Template("VectorSums")
final class VectorSumsTemplate {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;
    private static final int LANES = Scratch.LANES;
    private static final int BLOCK = Scratch.BLOCK;
    private static final FloatVector IOTA = FloatVector.zero(SPECIES).addIndex(1);
    private static final VectorShuffle<Float> BY_8 = VectorShuffle.iota(SPECIES, 8 % LENGTH, 1, true);
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(SPECIES, 4 % LENGTH, 1, true);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(SPECIES, 2, 1, true);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(SPECIES, 1, 1, true);

    private VectorSumsTemplate() {}

    static float sum(float[] x, int at, int count) {
        if (count <= BLOCK) {
            return block(1, x, at, x, at, count);
        }
        double sum = 0;
        for (int i = 0; i < count; i += BLOCK) {
            sum += block(1, x, at + i, x, at + i, Math.min(BLOCK, count - i));
        }
        return (float) sum;
    }

    static float sumOfProducts(float[] a, int aAt, float[] b, int bAt, int count) {
        if (count <= BLOCK) {
            return block(2, a, aAt, b, bAt, count);
        }
        double sum = 0;
        for (int i = 0; i < count; i += BLOCK) {
            sum += block(2, a, aAt + i, b, bAt + i, Math.min(BLOCK, count - i));
        }
        return (float) sum;
    }

    /** The sum of a run, or of the products of two. */
    private static float block(@Each({1, 2}) int factors, float[] a, int aAt, float[] b, int bAt, int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        @Registers FloatVector[] s = new FloatVector[4];
        for (int k = 0; k < 4; k++) {
            s[k] = zero;
        }
        int end = count & -LANES;
        int i = 0;
        for (; i < end; i += LANES) {
            for (int k = 0; k < 4; k++) {
                if (k * LENGTH < LANES) {
                    int at = i + k * LENGTH;
                    FloatVector v = FloatVector.fromArray(SPECIES, a, aAt + at);
                    s[k] = factors == 1 ? s[k].add(v) : v.fma(FloatVector.fromArray(SPECIES, b, bAt + at), s[k]);
                }
            }
        }
        int rest = count - i;
        if (rest > 0) {
            for (int k = 0; k < 4; k++) {
                if (k * LENGTH < LANES) {
                    int at = i + k * LENGTH;
                    VectorMask<Float> left = IOTA.lt(rest - k * LENGTH);
                    FloatVector v = zero.blend(FloatVector.fromArray(SPECIES, a, aAt + at), left);
                    FloatVector w = zero.blend(FloatVector.fromArray(SPECIES, b, bAt + at), left);
                    s[k] = factors == 1 ? s[k].add(v) : v.fma(w, s[k]);
                }
            }
        }
        FloatVector sum = s[0];
        if (LENGTH < 8) {
            sum = sum.add(s[2]).add(s[1].add(s[3]));
        } else if (LENGTH < 16) {
            sum = sum.add(s[1]);
        } else {
            sum = sum.add(sum.rearrange(BY_8));
        }
        if (LENGTH > 4) {
            sum = sum.add(sum.rearrange(BY_4));
        }
        sum = sum.add(sum.rearrange(BY_2));
        return sum.add(sum.rearrange(BY_1)).lane(0);
    }

    static float max(float[] x, int at, int count) {
        FloatVector m = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
        int end = at + count - count % LENGTH;
        int i = at;
        for (; i < end; i += LENGTH) {
            m = m.max(FloatVector.fromArray(SPECIES, x, i));
        }
        if (LENGTH > 8) {
            m = m.max(m.rearrange(BY_8));
        }
        if (LENGTH > 4) {
            m = m.max(m.rearrange(BY_4));
        }
        m = m.max(m.rearrange(BY_2));
        float max = m.max(m.rearrange(BY_1)).lane(0);
        for (; i < at + count; i++) {
            max = Math.max(max, x[i]);
        }
        return max;
    }

    /** {@code y(i) = w(i,·)·x [+ bias(i)]} for i from i0 to i1, four rows side by side where a vector is 16 long. */
    static void dots(int i0, int i1, int inputs, Floats w, Floats x, @Nullable Floats bias, Floats y) {
        float[] out = y.values();
        int i = i0;
        if (LENGTH == LANES) {
            i = i0 + ((i1 - i0) & -4);
            fours(
                    2,
                    inputs > BLOCK ? 2 : 1,
                    i0,
                    i,
                    inputs,
                    w.values(),
                    w.at(),
                    inputs,
                    x.values(),
                    x.at(),
                    out,
                    y.at(),
                    false);
        }
        for (; i < i1; i++) {
            out[y.at() + i] = sumOfProducts(w.values(), w.at() + i * inputs, x.values(), x.at(), inputs);
        }
        if (bias != null) {
            for (int j = i0; j < i1; j++) {
                out[y.at() + j] += bias.values()[bias.at() + j];
            }
        }
    }

    /** {@code out(i) = [out(i) +] the sum of run i} of count elements, four runs side by side where vectors are 16 long. */
    static void ofRuns(int i0, int i1, Floats x, int xRow, int count, Floats out, boolean add) {
        float[] sums = out.values();
        int i = i0;
        if (LENGTH == LANES) {
            i = i0 + ((i1 - i0) & -4);
            fours(
                    1,
                    count > BLOCK ? 2 : 1,
                    i0,
                    i,
                    count,
                    x.values(),
                    x.at(),
                    xRow,
                    x.values(),
                    x.at(),
                    sums,
                    out.at(),
                    add);
        }
        for (; i < i1; i++) {
            float sum = sum(x.values(), x.at() + i * xRow, count);
            sums[out.at() + i] = add ? sums[out.at() + i] + sum : sum;
        }
    }

    /**
     * Sums of four runs at a time, or of their products with x.
     *
     * @param blocks 1, or 2 for any number of them
     */
    private static void fours(
            @Each({1, 2}) int factors,
            @Each({1, 2}) int blocks,
            int i0,
            int i1,
            int count,
            float[] runs,
            int runsAt,
            int runsRow,
            float[] x,
            int xAt,
            float[] out,
            int outAt,
            boolean add) {
        FloatVector zero = FloatVector.zero(SPECIES);
        int end = count & -LANES;
        VectorMask<Float> left = IOTA.lt(count - end);
        for (int i = i0; i < i1; i += 4) {
            @Registers double[] sums = new double[4];
            int at = runsAt + i * runsRow;
            for (int block = 0; block < (blocks == 1 ? 1 : count); block += BLOCK) {
                int next = blocks == 1 ? count : Math.min(count, block + BLOCK);
                @Registers FloatVector[] s = new FloatVector[4];
                for (int r = 0; r < 4; r++) {
                    s[r] = zero;
                }
                for (int p = block; p < Math.min(next, end); p += LANES) {
                    FloatVector v = factors == 1 ? zero : FloatVector.fromArray(SPECIES, x, xAt + p);
                    for (int r = 0; r < 4; r++) {
                        FloatVector w = FloatVector.fromArray(SPECIES, runs, at + r * runsRow + p);
                        s[r] = factors == 1 ? s[r].add(w) : v.fma(w, s[r]);
                    }
                }
                if (end < next) {
                    FloatVector v =
                            factors == 1 ? zero : zero.blend(FloatVector.fromArray(SPECIES, x, xAt + end), left);
                    for (int r = 0; r < 4; r++) {
                        FloatVector w = zero.blend(FloatVector.fromArray(SPECIES, runs, at + r * runsRow + end), left);
                        s[r] = factors == 1 ? s[r].add(w) : v.fma(w, s[r]);
                    }
                }
                for (int r = 0; r < 4; r++) {
                    s[r] = s[r].add(s[r].rearrange(BY_8));
                }
                for (int r = 0; r < 4; r++) {
                    s[r] = s[r].add(s[r].rearrange(BY_4));
                }
                for (int r = 0; r < 4; r++) {
                    s[r] = s[r].add(s[r].rearrange(BY_2));
                }
                for (int r = 0; r < 4; r++) {
                    s[r] = s[r].add(s[r].rearrange(BY_1));
                }
                for (int r = 0; r < 4; r++) {
                    sums[r] += s[r].lane(0);
                }
            }
            for (int r = 0; r < 4; r++) {
                float sum = (float) sums[r];
                out[outAt + i + r] = add ? out[outAt + i + r] + sum : sum;
            }
        }
    }
}
