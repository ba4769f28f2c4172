package hocket.programs.jvm.kernels;

import hocket.settings.Each;
import hocket.settings.Registers;
import hocket.settings.Template;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Sums over many runs by vectors. Each loop stops at whole groups and returns how many runs or elements it did. */
@Template("VectorRuns")
final class VectorRunsTemplate {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;
    private static final int LANES = Scratch.LANES;
    private static final int CHAIN = Scratch.CHAIN;
    private static final int INPUT = RunSums.INPUT.ordinal();
    private static final int GRADIENT = RunSums.GRADIENT.ordinal();
    private static final FloatVector IOTA = FloatVector.zero(SPECIES).addIndex(1);
    private static final VectorShuffle<Float> BY_8 = VectorShuffle.iota(SPECIES, 8 % LENGTH, 1, true);
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(SPECIES, 4 % LENGTH, 1, true);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(SPECIES, 2, 1, true);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(SPECIES, 1, 1, true);

    private VectorRunsTemplate() {}

    /** As {@link DenseKernels#addRuns} says. */
    static int add(float[] x, int at, int step, int runs, int width, float[] to, int toAt) {
        int end = width - width % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector sum = FloatVector.fromArray(SPECIES, x, at + i);
            for (int k = 1; k < runs; k++) {
                sum = sum.add(FloatVector.fromArray(SPECIES, x, at + k * step + i));
            }
            sum.intoArray(to, toAt + i);
        }
        return end;
    }

    /** As {@link DenseKernels#normalise} says, but by rectifiers only. */
    static int normalise(
            @Each Activation f, float slope, float[] x, float c, float p, float q, float[] y, int at, int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector negative = FloatVector.broadcast(SPECIES, slope);
        FloatVector centre = FloatVector.broadcast(SPECIES, c);
        FloatVector factor = FloatVector.broadcast(SPECIES, p);
        FloatVector shift = FloatVector.broadcast(SPECIES, q);
        int end = count - count % LENGTH;
        for (int i = at; i < at + end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, i).add(centre).fma(factor, shift);
            FloatVector result = switch (f) {
                case RELU -> v.blend(zero, v.lt(zero));
                case LEAKY_RELU -> v.blend(v.mul(negative), v.lt(zero));
                default -> v;
            };
            result.intoArray(y, i);
        }
        return end;
    }

    /** As {@link DenseKernels#normGradient} says. */
    static int normGradient(float[] x, float c, float r, float[] g, float p, float q, float[] out, int at, int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector centre = FloatVector.broadcast(SPECIES, c);
        FloatVector along = FloatVector.broadcast(SPECIES, r);
        FloatVector factor = FloatVector.broadcast(SPECIES, p);
        FloatVector shift = FloatVector.broadcast(SPECIES, q);
        int end = count - count % LENGTH;
        for (int i = at; i < at + end; i += LENGTH) {
            FloatVector u = FloatVector.fromArray(SPECIES, x, i).add(centre).fma(along, zero);
            FloatVector v = FloatVector.fromArray(SPECIES, g, i).fma(factor, shift);
            v.add(u).intoArray(out, i);
        }
        return end;
    }

    /**
     * As {@link DenseKernels#rowSums} says, for as many rows as some vectors hold.
     *
     * @param vectors 4 or 1
     */
    static void rowSums(
            @Each({4, 1}) int vectors,
            float[] x,
            float q,
            float[] g,
            int at,
            int step,
            int count,
            float[] sums,
            int sumsAt,
            int width) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector shift = FloatVector.broadcast(SPECIES, q);
        @Registers FloatVector[] total = new FloatVector[4];
        @Registers FloatVector[] products = new FloatVector[4];
        for (int k = 0; k < 4; k++) {
            total[k] = zero;
            products[k] = zero;
        }
        for (int p = 0; p < count; p += CHAIN) {
            @Registers FloatVector[] s = new FloatVector[4];
            @Registers FloatVector[] t = new FloatVector[4];
            for (int k = 0; k < 4; k++) {
                s[k] = zero;
                t[k] = zero;
            }
            int end = at + Math.min(count, p + CHAIN) * step;
            for (int i = at + p * step; i < end; i += step) {
                for (int k = 0; k < 4; k++) {
                    if (k < vectors) {
                        FloatVector u = FloatVector.fromArray(SPECIES, x, i + k * LENGTH);
                        FloatVector v = FloatVector.fromArray(SPECIES, g, i + k * LENGTH);
                        s[k] = s[k].add(v);
                        t[k] = v.fma(u.add(shift), t[k]);
                    }
                }
            }
            for (int k = 0; k < 4; k++) {
                if (k < vectors) {
                    total[k] = total[k].add(s[k]);
                    products[k] = products[k].add(t[k]);
                }
            }
        }
        for (int k = 0; k < 4; k++) {
            if (k < vectors) {
                total[k].intoArray(sums, sumsAt + k * LENGTH);
                products[k].intoArray(sums, sumsAt + width + k * LENGTH);
            }
        }
    }

    /** As {@link DenseKernels#normaliseRows} says, for as many rows as some vectors hold, but by rectifiers only. */
    static void normaliseRows(
            @Each({4, 1}) int vectors,
            @Each Activation f,
            float slope,
            float[] x,
            float c,
            float[] pq,
            int pqAt,
            int width,
            float[] y,
            int at,
            int step,
            int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector negative = FloatVector.broadcast(SPECIES, slope);
        FloatVector centre = FloatVector.broadcast(SPECIES, c);
        @Registers FloatVector[] factor = new FloatVector[4];
        @Registers FloatVector[] shift = new FloatVector[4];
        for (int k = 0; k < 4; k++) {
            factor[k] = k < vectors ? FloatVector.fromArray(SPECIES, pq, pqAt + k * LENGTH) : zero;
            shift[k] = k < vectors ? FloatVector.fromArray(SPECIES, pq, pqAt + width + k * LENGTH) : zero;
        }
        for (int i = at; i < at + count * step; i += step) {
            for (int k = 0; k < 4; k++) {
                if (k < vectors) {
                    FloatVector v = FloatVector.fromArray(SPECIES, x, i + k * LENGTH)
                            .add(centre)
                            .fma(factor[k], shift[k]);
                    FloatVector result = switch (f) {
                        case RELU -> v.blend(zero, v.lt(zero));
                        case LEAKY_RELU -> v.blend(v.mul(negative), v.lt(zero));
                        default -> v;
                    };
                    result.intoArray(y, i + k * LENGTH);
                }
            }
        }
    }

    /** As {@link DenseKernels#rowNormGradient} says, for as many rows as some vectors hold. */
    static void rowNormGradient(
            @Each({4, 1}) int vectors,
            float[] x,
            float c,
            float r,
            float[] g,
            float[] p,
            int pAt,
            float q,
            float[] out,
            int at,
            int step,
            int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector centre = FloatVector.broadcast(SPECIES, c);
        FloatVector along = FloatVector.broadcast(SPECIES, r);
        FloatVector shift = FloatVector.broadcast(SPECIES, q);
        @Registers FloatVector[] factor = new FloatVector[4];
        for (int k = 0; k < 4; k++) {
            factor[k] = k < vectors ? FloatVector.fromArray(SPECIES, p, pAt + k * LENGTH) : zero;
        }
        for (int i = at; i < at + count * step; i += step) {
            for (int k = 0; k < 4; k++) {
                if (k < vectors) {
                    int j = i + k * LENGTH;
                    FloatVector u =
                            FloatVector.fromArray(SPECIES, x, j).add(centre).mul(along);
                    FloatVector v = FloatVector.fromArray(SPECIES, g, j).fma(factor[k], shift);
                    v.add(u).intoArray(out, j);
                }
            }
        }
    }

    /**
     * As {@link DenseKernels#runSums} says: four short runs side by side where vectors are 16 long, else none.
     *
     * @param of the number of a {@link RunSums}
     */
    static int sums(
            @Each({0, 1, 2}) int of,
            float[] x,
            float q,
            float[] g,
            int at,
            int step,
            int runs,
            int count,
            double[] sums) {
        if (LENGTH < LANES || count > Scratch.BLOCK) {
            return 0;
        }
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector shift = FloatVector.broadcast(SPECIES, q);
        int end = count & -LANES;
        VectorMask<Float> left = IOTA.lt(count - end);
        double sum = sums[0];
        double products = sums[1];
        int done = runs & -4;
        for (int f = 0; f < done; f += 4) {
            @Registers FloatVector[] s = new FloatVector[4];
            @Registers FloatVector[] t = new FloatVector[4];
            for (int r = 0; r < 4; r++) {
                s[r] = zero;
                t[r] = zero;
            }
            int first = at + f * step;
            for (int p = 0; p < end; p += LANES) {
                for (int r = 0; r < 4; r++) {
                    FloatVector u = FloatVector.fromArray(SPECIES, x, first + r * step + p);
                    FloatVector c = of == INPUT ? u : u.add(shift);
                    FloatVector v = of == GRADIENT ? FloatVector.fromArray(SPECIES, g, first + r * step + p) : c;
                    s[r] = s[r].add(v);
                    t[r] = of == INPUT ? zero : v.fma(c, t[r]);
                }
            }
            if (end < count) {
                for (int r = 0; r < 4; r++) {
                    FloatVector u = FloatVector.fromArray(SPECIES, x, first + r * step + end);
                    FloatVector c = zero.blend(of == INPUT ? u : u.add(shift), left);
                    FloatVector v = of == GRADIENT
                            ? zero.blend(FloatVector.fromArray(SPECIES, g, first + r * step + end), left)
                            : c;
                    s[r] = s[r].add(v);
                    t[r] = of == INPUT ? zero : v.fma(c, t[r]);
                }
            }
            for (int r = 0; r < 4; r++) {
                s[r] = s[r].add(s[r].rearrange(BY_8));
                t[r] = of == INPUT ? zero : t[r].add(t[r].rearrange(BY_8));
            }
            for (int r = 0; r < 4; r++) {
                s[r] = s[r].add(s[r].rearrange(BY_4));
                t[r] = of == INPUT ? zero : t[r].add(t[r].rearrange(BY_4));
            }
            for (int r = 0; r < 4; r++) {
                s[r] = s[r].add(s[r].rearrange(BY_2));
                t[r] = of == INPUT ? zero : t[r].add(t[r].rearrange(BY_2));
            }
            for (int r = 0; r < 4; r++) {
                sum += s[r].add(s[r].rearrange(BY_1)).lane(0);
                products += of == INPUT ? 0 : t[r].add(t[r].rearrange(BY_1)).lane(0);
            }
        }
        sums[0] = sum;
        sums[1] = products;
        return done;
    }

    /** As {@link DenseKernels#moments} says. */
    static void moments(boolean centred, float epsilon, float[] x, int at, int step, int count, float[] moments) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector share = FloatVector.broadcast(SPECIES, 1f / count);
        for (int lane = 0; lane < LANES; lane += LENGTH) {
            FloatVector mean = zero;
            FloatVector rest = zero;
            for (int pass = 0; centred && pass < 2; pass++) {
                FloatVector total = zero;
                for (int p = 0; p < count; p += CHAIN) {
                    FloatVector sum = zero;
                    int end = at + lane + Math.min(count, p + CHAIN) * step;
                    for (int i = at + lane + p * step; i < end; i += step) {
                        sum = sum.add(FloatVector.fromArray(SPECIES, x, i).sub(mean));
                    }
                    total = total.add(sum);
                }
                rest = total.mul(share);
                mean = pass == 0 ? rest : mean;
            }
            FloatVector total = zero;
            for (int p = 0; p < count; p += CHAIN) {
                FloatVector sum = zero;
                int end = at + lane + Math.min(count, p + CHAIN) * step;
                for (int i = at + lane + p * step; i < end; i += step) {
                    FloatVector v =
                            FloatVector.fromArray(SPECIES, x, i).sub(mean).sub(rest);
                    sum = v.fma(v, sum);
                }
                total = total.add(sum);
            }
            FloatVector one = FloatVector.broadcast(SPECIES, 1);
            FloatVector power = total.fma(share, FloatVector.broadcast(SPECIES, epsilon));
            mean.intoArray(moments, lane);
            rest.intoArray(moments, LANES + lane);
            one.div(power.sqrt()).intoArray(moments, 2 * LANES + lane);
        }
    }

    /** As {@link DenseKernels#standardise} says. */
    static void standardise(float[] moments, float[] x, int at, int step, int count, float[] out) {
        for (int lane = 0; lane < LANES; lane += LENGTH) {
            FloatVector mean = FloatVector.fromArray(SPECIES, moments, lane);
            FloatVector rest = FloatVector.fromArray(SPECIES, moments, LANES + lane);
            FloatVector factor = FloatVector.fromArray(SPECIES, moments, 2 * LANES + lane);
            for (int i = at + lane; i < at + lane + count * step; i += step) {
                FloatVector v = FloatVector.fromArray(SPECIES, x, i).sub(mean).sub(rest);
                v.mul(factor).intoArray(out, i);
            }
        }
    }

    /** As {@link DenseKernels#standardiseGradient} says. */
    static void standardiseGradient(
            boolean centred, float[] moments, float[] x, float[] g, int at, int step, int count, float[] out) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector share = FloatVector.broadcast(SPECIES, 1f / count);
        for (int lane = 0; lane < LANES; lane += LENGTH) {
            FloatVector mean = FloatVector.fromArray(SPECIES, moments, lane);
            FloatVector rest = FloatVector.fromArray(SPECIES, moments, LANES + lane);
            FloatVector factor = FloatVector.fromArray(SPECIES, moments, 2 * LANES + lane);
            FloatVector ofG = zero;
            for (int p = 0; centred && p < count; p += CHAIN) {
                FloatVector sum = zero;
                int end = at + lane + Math.min(count, p + CHAIN) * step;
                for (int i = at + lane + p * step; i < end; i += step) {
                    sum = sum.add(FloatVector.fromArray(SPECIES, g, i));
                }
                ofG = ofG.add(sum);
            }
            ofG = ofG.mul(share);
            FloatVector total = zero;
            for (int p = 0; p < count; p += CHAIN) {
                FloatVector sum = zero;
                int end = at + lane + Math.min(count, p + CHAIN) * step;
                for (int i = at + lane + p * step; i < end; i += step) {
                    FloatVector v =
                            FloatVector.fromArray(SPECIES, x, i).sub(mean).sub(rest);
                    FloatVector d = FloatVector.fromArray(SPECIES, g, i).sub(ofG);
                    sum = d.fma(v.mul(factor), sum);
                }
                total = total.add(sum);
            }
            FloatVector along = total.mul(share);
            for (int i = at + lane; i < at + lane + count * step; i += step) {
                FloatVector v = FloatVector.fromArray(SPECIES, x, i).sub(mean).sub(rest);
                FloatVector d = FloatVector.fromArray(SPECIES, g, i).sub(ofG);
                v.mul(factor).neg().fma(along, d).mul(factor).intoArray(out, i);
            }
        }
    }
}
