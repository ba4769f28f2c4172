package hocket.programs.jvm;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Reductions by vectors, which are 16 interleaved partial sums whatever their length: as one, two or four of them. Long ones
 * are summed block by block, and the blocks in FLOAT64.
 */
final class VectorSums {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;
    private static final int LANES = Scratch.LANES;
    private static final int BLOCK = Scratch.BLOCK;
    private static final FloatVector IOTA = FloatVector.zero(SPECIES).addIndex(1);
    private static final VectorShuffle<Float> BY_8 = VectorShuffle.iota(SPECIES, 8 % LENGTH, 1, true);
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(SPECIES, 4 % LENGTH, 1, true);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(SPECIES, 2, 1, true);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(SPECIES, 1, 1, true);

    private VectorSums() {}

    static float sum(float[] x, int at, int count) {
        if (count <= BLOCK) {
            return block(x, at, count);
        }
        double sum = 0;
        for (int i = 0; i < count; i += BLOCK) {
            sum += block(x, at + i, Math.min(BLOCK, count - i));
        }
        return (float) sum;
    }

    private static float block(float[] x, int at, int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector s0 = zero;
        FloatVector s1 = zero;
        FloatVector s2 = zero;
        FloatVector s3 = zero;
        int end = at + (count & -LANES);
        int i = at;
        for (; i < end; i += LANES) {
            s0 = s0.add(FloatVector.fromArray(SPECIES, x, i));
            if (LENGTH < 16) {
                s1 = s1.add(FloatVector.fromArray(SPECIES, x, i + LENGTH));
            }
            if (LENGTH < 8) {
                s2 = s2.add(FloatVector.fromArray(SPECIES, x, i + 2 * LENGTH));
                s3 = s3.add(FloatVector.fromArray(SPECIES, x, i + 3 * LENGTH));
            }
        }
        int rest = at + count - i;
        if (rest > 0) {
            s0 = s0.add(zero.blend(FloatVector.fromArray(SPECIES, x, i), IOTA.lt(rest)));
            if (LENGTH < 16) {
                s1 = s1.add(zero.blend(FloatVector.fromArray(SPECIES, x, i + LENGTH), IOTA.lt(rest - LENGTH)));
            }
            if (LENGTH < 8) {
                s2 = s2.add(zero.blend(FloatVector.fromArray(SPECIES, x, i + 2 * LENGTH), IOTA.lt(rest - 2 * LENGTH)));
                s3 = s3.add(zero.blend(FloatVector.fromArray(SPECIES, x, i + 3 * LENGTH), IOTA.lt(rest - 3 * LENGTH)));
            }
        }
        if (LENGTH < 8) {
            s0 = s0.add(s2).add(s1.add(s3));
        } else if (LENGTH < 16) {
            s0 = s0.add(s1);
        } else {
            s0 = s0.add(s0.rearrange(BY_8));
        }
        if (LENGTH > 4) {
            s0 = s0.add(s0.rearrange(BY_4));
        }
        s0 = s0.add(s0.rearrange(BY_2));
        return s0.add(s0.rearrange(BY_1)).lane(0);
    }

    static float sumOfProducts(float[] a, int aAt, float[] b, int bAt, int count) {
        if (count <= BLOCK) {
            return blockOfProducts(a, aAt, b, bAt, count);
        }
        double sum = 0;
        for (int i = 0; i < count; i += BLOCK) {
            sum += blockOfProducts(a, aAt + i, b, bAt + i, Math.min(BLOCK, count - i));
        }
        return (float) sum;
    }

    private static float blockOfProducts(float[] a, int aAt, float[] b, int bAt, int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector s0 = zero;
        FloatVector s1 = zero;
        FloatVector s2 = zero;
        FloatVector s3 = zero;
        int end = count & -LANES;
        int i = 0;
        for (; i < end; i += LANES) {
            s0 = FloatVector.fromArray(SPECIES, a, aAt + i).fma(FloatVector.fromArray(SPECIES, b, bAt + i), s0);
            if (LENGTH < 16) {
                int at = i + LENGTH;
                s1 = FloatVector.fromArray(SPECIES, a, aAt + at).fma(FloatVector.fromArray(SPECIES, b, bAt + at), s1);
            }
            if (LENGTH < 8) {
                int at = i + 2 * LENGTH;
                s2 = FloatVector.fromArray(SPECIES, a, aAt + at).fma(FloatVector.fromArray(SPECIES, b, bAt + at), s2);
                at += LENGTH;
                s3 = FloatVector.fromArray(SPECIES, a, aAt + at).fma(FloatVector.fromArray(SPECIES, b, bAt + at), s3);
            }
        }
        int rest = count - i;
        if (rest > 0) {
            VectorMask<Float> left = IOTA.lt(rest);
            FloatVector v = zero.blend(FloatVector.fromArray(SPECIES, a, aAt + i), left);
            s0 = v.fma(zero.blend(FloatVector.fromArray(SPECIES, b, bAt + i), left), s0);
            if (LENGTH < 16) {
                left = IOTA.lt(rest - LENGTH);
                int at = i + LENGTH;
                v = zero.blend(FloatVector.fromArray(SPECIES, a, aAt + at), left);
                s1 = v.fma(zero.blend(FloatVector.fromArray(SPECIES, b, bAt + at), left), s1);
            }
            if (LENGTH < 8) {
                left = IOTA.lt(rest - 2 * LENGTH);
                int at = i + 2 * LENGTH;
                v = zero.blend(FloatVector.fromArray(SPECIES, a, aAt + at), left);
                s2 = v.fma(zero.blend(FloatVector.fromArray(SPECIES, b, bAt + at), left), s2);
                left = IOTA.lt(rest - 3 * LENGTH);
                at += LENGTH;
                v = zero.blend(FloatVector.fromArray(SPECIES, a, aAt + at), left);
                s3 = v.fma(zero.blend(FloatVector.fromArray(SPECIES, b, bAt + at), left), s3);
            }
        }
        if (LENGTH < 8) {
            s0 = s0.add(s2).add(s1.add(s3));
        } else if (LENGTH < 16) {
            s0 = s0.add(s1);
        } else {
            s0 = s0.add(s0.rearrange(BY_8));
        }
        if (LENGTH > 4) {
            s0 = s0.add(s0.rearrange(BY_4));
        }
        s0 = s0.add(s0.rearrange(BY_2));
        return s0.add(s0.rearrange(BY_1)).lane(0);
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

    /** {@code y(i) = w(i,·)·x [+ bias(i)]} for i from i0 to i1, four short rows side by side where a vector is 16 long. */
    static void dots(
            int i0,
            int i1,
            int inputs,
            float[] w,
            int wAt,
            float[] x,
            int xAt,
            float @Nullable [] bias,
            int biasAt,
            float[] y,
            int yAt) {
        int i = i0;
        if (LENGTH == LANES && inputs <= BLOCK) {
            i = i0 + ((i1 - i0) & -4);
            fours(i0, i, inputs, w, wAt, x, xAt, y, yAt);
        }
        for (; i < i1; i++) {
            y[yAt + i] = sumOfProducts(w, wAt + i * inputs, x, xAt, inputs);
        }
        if (bias != null) {
            for (int j = i0; j < i1; j++) {
                y[yAt + j] += bias[biasAt + j];
            }
        }
    }

    private static void fours(int i0, int i1, int inputs, float[] w, int wAt, float[] x, int xAt, float[] y, int yAt) {
        FloatVector zero = FloatVector.zero(SPECIES);
        int end = inputs & -LANES;
        VectorMask<Float> left = IOTA.lt(inputs - end);
        for (int i = i0; i < i1; i += 4) {
            FloatVector s0 = zero;
            FloatVector s1 = zero;
            FloatVector s2 = zero;
            FloatVector s3 = zero;
            int at0 = wAt + i * inputs;
            int at1 = at0 + inputs;
            int at2 = at1 + inputs;
            int at3 = at2 + inputs;
            for (int p = 0; p < end; p += LANES) {
                FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + p);
                s0 = v.fma(FloatVector.fromArray(SPECIES, w, at0 + p), s0);
                s1 = v.fma(FloatVector.fromArray(SPECIES, w, at1 + p), s1);
                s2 = v.fma(FloatVector.fromArray(SPECIES, w, at2 + p), s2);
                s3 = v.fma(FloatVector.fromArray(SPECIES, w, at3 + p), s3);
            }
            if (end < inputs) {
                FloatVector v = zero.blend(FloatVector.fromArray(SPECIES, x, xAt + end), left);
                s0 = v.fma(zero.blend(FloatVector.fromArray(SPECIES, w, at0 + end), left), s0);
                s1 = v.fma(zero.blend(FloatVector.fromArray(SPECIES, w, at1 + end), left), s1);
                s2 = v.fma(zero.blend(FloatVector.fromArray(SPECIES, w, at2 + end), left), s2);
                s3 = v.fma(zero.blend(FloatVector.fromArray(SPECIES, w, at3 + end), left), s3);
            }
            s0 = s0.add(s0.rearrange(BY_8));
            s1 = s1.add(s1.rearrange(BY_8));
            s2 = s2.add(s2.rearrange(BY_8));
            s3 = s3.add(s3.rearrange(BY_8));
            s0 = s0.add(s0.rearrange(BY_4));
            s1 = s1.add(s1.rearrange(BY_4));
            s2 = s2.add(s2.rearrange(BY_4));
            s3 = s3.add(s3.rearrange(BY_4));
            s0 = s0.add(s0.rearrange(BY_2));
            s1 = s1.add(s1.rearrange(BY_2));
            s2 = s2.add(s2.rearrange(BY_2));
            s3 = s3.add(s3.rearrange(BY_2));
            y[yAt + i] = s0.add(s0.rearrange(BY_1)).lane(0);
            y[yAt + i + 1] = s1.add(s1.rearrange(BY_1)).lane(0);
            y[yAt + i + 2] = s2.add(s2.rearrange(BY_1)).lane(0);
            y[yAt + i + 3] = s3.add(s3.rearrange(BY_1)).lane(0);
        }
    }

    /** {@code out(i) = [out(i) +] the sum of run i} of count elements, four short runs side by side where vectors are 16 long. */
    static void ofRuns(int i0, int i1, float[] x, int xAt, int xRow, int count, float[] out, int outAt, boolean add) {
        int i = i0;
        if (LENGTH == LANES && count <= BLOCK) {
            i = i0 + ((i1 - i0) & -4);
            fourRuns(i0, i, x, xAt, xRow, count, out, outAt, add);
        }
        for (; i < i1; i++) {
            float sum = sum(x, xAt + i * xRow, count);
            out[outAt + i] = add ? out[outAt + i] + sum : sum;
        }
    }

    private static void fourRuns(
            int i0, int i1, float[] x, int xAt, int xRow, int count, float[] out, int outAt, boolean add) {
        FloatVector zero = FloatVector.zero(SPECIES);
        int end = count & -LANES;
        VectorMask<Float> left = IOTA.lt(count - end);
        for (int i = i0; i < i1; i += 4) {
            FloatVector s0 = zero;
            FloatVector s1 = zero;
            FloatVector s2 = zero;
            FloatVector s3 = zero;
            int at0 = xAt + i * xRow;
            int at1 = at0 + xRow;
            int at2 = at1 + xRow;
            int at3 = at2 + xRow;
            for (int p = 0; p < end; p += LANES) {
                s0 = s0.add(FloatVector.fromArray(SPECIES, x, at0 + p));
                s1 = s1.add(FloatVector.fromArray(SPECIES, x, at1 + p));
                s2 = s2.add(FloatVector.fromArray(SPECIES, x, at2 + p));
                s3 = s3.add(FloatVector.fromArray(SPECIES, x, at3 + p));
            }
            if (end < count) {
                s0 = s0.add(zero.blend(FloatVector.fromArray(SPECIES, x, at0 + end), left));
                s1 = s1.add(zero.blend(FloatVector.fromArray(SPECIES, x, at1 + end), left));
                s2 = s2.add(zero.blend(FloatVector.fromArray(SPECIES, x, at2 + end), left));
                s3 = s3.add(zero.blend(FloatVector.fromArray(SPECIES, x, at3 + end), left));
            }
            s0 = s0.add(s0.rearrange(BY_8));
            s1 = s1.add(s1.rearrange(BY_8));
            s2 = s2.add(s2.rearrange(BY_8));
            s3 = s3.add(s3.rearrange(BY_8));
            s0 = s0.add(s0.rearrange(BY_4));
            s1 = s1.add(s1.rearrange(BY_4));
            s2 = s2.add(s2.rearrange(BY_4));
            s3 = s3.add(s3.rearrange(BY_4));
            s0 = s0.add(s0.rearrange(BY_2));
            s1 = s1.add(s1.rearrange(BY_2));
            s2 = s2.add(s2.rearrange(BY_2));
            s3 = s3.add(s3.rearrange(BY_2));
            float sum0 = s0.add(s0.rearrange(BY_1)).lane(0);
            float sum1 = s1.add(s1.rearrange(BY_1)).lane(0);
            float sum2 = s2.add(s2.rearrange(BY_1)).lane(0);
            float sum3 = s3.add(s3.rearrange(BY_1)).lane(0);
            int to = outAt + i;
            out[to] = add ? out[to] + sum0 : sum0;
            out[to + 1] = add ? out[to + 1] + sum1 : sum1;
            out[to + 2] = add ? out[to + 2] + sum2 : sum2;
            out[to + 3] = add ? out[to + 3] + sum3 : sum3;
        }
    }
}
