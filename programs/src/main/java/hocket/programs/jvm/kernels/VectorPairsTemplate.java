package hocket.programs.jvm.kernels;

import hocket.settings.Each;
import hocket.settings.Template;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Functions of several numbers by vectors. Each loop stops at whole vectors and returns how many elements it did.
 */
@Template("VectorPairs")
final class VectorPairsTemplate {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;

    private VectorPairsTemplate() {}

    /** {@code out = f(a, b)}, as {@link DenseKernels#binary} says. */
    static int apply(
            @Each Binary f,
            float[] a,
            int aAt,
            @Each({1, 0}) int aStep,
            float[] b,
            int bAt,
            @Each({1, 0}) int bStep,
            float[] out,
            int outAt,
            int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt]);
        FloatVector b0 = FloatVector.broadcast(SPECIES, b[bAt]);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector u = switch (aStep) {
                case 0 -> a0;
                default -> FloatVector.fromArray(SPECIES, a, aAt + i);
            };
            FloatVector w = switch (bStep) {
                case 0 -> b0;
                default -> FloatVector.fromArray(SPECIES, b, bAt + i);
            };
            FloatVector result = switch (f) {
                case ADD -> u.add(w);
                case SUBTRACT -> u.sub(w);
                case MULTIPLY -> u.mul(w);
                case DIVIDE -> u.div(w);
                case MAXIMUM -> u.max(w);
                case MINIMUM -> u.min(w);
                case EQUAL -> zero.blend(one, u.eq(w));
                case GREATER -> zero.blend(one, u.compare(VectorOperators.GT, w));
            };
            result.intoArray(out, outAt + i);
        }
        return end;
    }

    static int where(
            float[] c,
            int cAt,
            int cStep,
            float[] a,
            int aAt,
            int aStep,
            float[] b,
            int bAt,
            int bStep,
            float[] out,
            int outAt,
            int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector t =
                    cStep == 0 ? FloatVector.broadcast(SPECIES, c[cAt]) : FloatVector.fromArray(SPECIES, c, cAt + i);
            FloatVector u =
                    aStep == 0 ? FloatVector.broadcast(SPECIES, a[aAt]) : FloatVector.fromArray(SPECIES, a, aAt + i);
            FloatVector w =
                    bStep == 0 ? FloatVector.broadcast(SPECIES, b[bAt]) : FloatVector.fromArray(SPECIES, b, bAt + i);
            u.blend(w, t.eq(zero)).intoArray(out, outAt + i);
        }
        return end;
    }

    /** {@code out = [out +] slope of f at y, times g}, as {@link DenseKernels#slope} says. */
    static int slope(
            @Each ActivationGradient f,
            float p,
            float[] g,
            int gAt,
            float[] y,
            int yAt,
            float[] out,
            int outAt,
            int count,
            boolean add) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector slope = FloatVector.broadcast(SPECIES, p);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector d = FloatVector.fromArray(SPECIES, g, gAt + i);
            FloatVector v = FloatVector.fromArray(SPECIES, y, yAt + i);
            FloatVector back = switch (f) {
                case TANH -> d.mul(v.neg().fma(v, one));
                case SIGMOID -> d.mul(v.neg().fma(v, v));
                case RELU -> zero.blend(d, v.compare(VectorOperators.GT, zero));
                case LEAKY_RELU -> d.mul(slope).blend(d, v.compare(VectorOperators.GT, zero));
            };
            if (add) {
                FloatVector.fromArray(SPECIES, out, outAt + i).add(back).intoArray(out, outAt + i);
            } else {
                back.intoArray(out, outAt + i);
            }
        }
        return end;
    }

    /** {@code C(i,j) = [C(i,j) +] a(i)·b(j)}, C row after row. */
    static void outer(int i0, int i1, int columns, Floats left, Floats right, Floats result, boolean add) {
        float[] a = left.values();
        float[] b = right.values();
        float[] c = result.values();
        int aAt = left.at();
        int bAt = right.at();
        int cAt = result.at();
        FloatVector zero = FloatVector.zero(SPECIES);
        int end = columns - columns % LENGTH;
        for (int i = i0; i < i1; i++) {
            float number = a[aAt + i];
            FloatVector u = FloatVector.broadcast(SPECIES, number);
            int to = cAt + i * columns;
            int j = 0;
            for (; j < end; j += LENGTH) {
                FloatVector old = add ? FloatVector.fromArray(SPECIES, c, to + j) : zero;
                u.fma(FloatVector.fromArray(SPECIES, b, bAt + j), old).intoArray(c, to + j);
            }
            for (; j < columns; j++) {
                c[to + j] = Math.fma(number, b[bAt + j], add ? c[to + j] : 0);
            }
        }
    }
}
