package hocket.programs.jvm.kernels;

import hocket.settings.Each;
import hocket.settings.Template;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Functions of one number by vectors, the operations those of {@link FloatFunctions}. The loop stops at whole vectors and
 * returns how many elements it did.
 *
 * <p>The loops call nothing of ours: whether a small method of vectors is inlined depends on what was compiled before,
 * and one that is not makes an object of each vector.
 */
@Template("VectorFunctions")
final class VectorFunctionsTemplate {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;

    private VectorFunctionsTemplate() {}

    /** {@code y = f(x)}, as {@link DenseKernels#unary} says. */
    static int apply(@Each Unary f, float p, float q, float[] x, int xAt, float[] y, int yAt, int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector two = FloatVector.broadcast(SPECIES, 2);
        FloatVector first = FloatVector.broadcast(SPECIES, p);
        FloatVector second = FloatVector.broadcast(SPECIES, q);
        FloatVector log2e = FloatVector.broadcast(SPECIES, FloatFunctions.LOG2_E);
        FloatVector rounder = FloatVector.broadcast(SPECIES, FloatFunctions.ROUNDER);
        FloatVector high = FloatVector.broadcast(SPECIES, FloatFunctions.LN2_HIGH);
        FloatVector low = FloatVector.broadcast(SPECIES, FloatFunctions.LN2_LOW);
        FloatVector minusHigh = FloatVector.broadcast(SPECIES, -FloatFunctions.LN2_HIGH);
        FloatVector minusLow = FloatVector.broadcast(SPECIES, -FloatFunctions.LN2_LOW);
        FloatVector e0 = FloatVector.broadcast(SPECIES, FloatFunctions.E0);
        FloatVector e1 = FloatVector.broadcast(SPECIES, FloatFunctions.E1);
        FloatVector e2 = FloatVector.broadcast(SPECIES, FloatFunctions.E2);
        FloatVector e3 = FloatVector.broadcast(SPECIES, FloatFunctions.E3);
        FloatVector e4 = FloatVector.broadcast(SPECIES, FloatFunctions.E4);
        FloatVector e5 = FloatVector.broadcast(SPECIES, FloatFunctions.E5);
        FloatVector l0 = FloatVector.broadcast(SPECIES, FloatFunctions.L0);
        FloatVector l1 = FloatVector.broadcast(SPECIES, FloatFunctions.L1);
        FloatVector l2 = FloatVector.broadcast(SPECIES, FloatFunctions.L2);
        FloatVector l3 = FloatVector.broadcast(SPECIES, FloatFunctions.L3);
        FloatVector l4 = FloatVector.broadcast(SPECIES, FloatFunctions.L4);
        FloatVector f0 = FloatVector.broadcast(SPECIES, FloatFunctions.S0);
        FloatVector f1 = FloatVector.broadcast(SPECIES, FloatFunctions.S1);
        FloatVector f2 = FloatVector.broadcast(SPECIES, FloatFunctions.S2);
        FloatVector f3 = FloatVector.broadcast(SPECIES, FloatFunctions.S3);
        FloatVector f4 = FloatVector.broadcast(SPECIES, FloatFunctions.S4);
        FloatVector f5 = FloatVector.broadcast(SPECIES, FloatFunctions.S5);
        FloatVector f6 = FloatVector.broadcast(SPECIES, FloatFunctions.S6);
        FloatVector f7 = FloatVector.broadcast(SPECIES, FloatFunctions.S7);
        FloatVector highestOfErf = FloatVector.broadcast(SPECIES, FloatFunctions.ERF_HIGHEST);
        FloatVector lowest = FloatVector.broadcast(SPECIES, FloatFunctions.EXP_LOWEST);
        FloatVector highest = FloatVector.broadcast(SPECIES, FloatFunctions.EXP_HIGHEST);
        FloatVector lowestOfElu = FloatVector.broadcast(SPECIES, FloatFunctions.EXPM1_LOWEST);
        FloatVector highestOfTanh = FloatVector.broadcast(SPECIES, FloatFunctions.TANH_HIGHEST);
        FloatVector normal = FloatVector.broadcast(SPECIES, Float.MIN_NORMAL);
        FloatVector infinity = FloatVector.broadcast(SPECIES, Float.POSITIVE_INFINITY);
        FloatVector scale = FloatVector.broadcast(SPECIES, FloatFunctions.TWO_23);
        FloatVector minus23 = FloatVector.broadcast(SPECIES, -23);
        FloatVector nan = FloatVector.broadcast(SPECIES, Float.NaN);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            // what e^w or e^w − 1 is taken of
            FloatVector w = switch (f) {
                case EXP -> v.blend(lowest, v.lt(lowest)).blend(highest, v.compare(VectorOperators.GT, highest));
                case ELU -> v.blend(lowestOfElu, v.lt(lowestOfElu));
                case TANH -> {
                    FloatVector a = v.abs();
                    FloatVector b = a.blend(highestOfTanh, a.compare(VectorOperators.GT, highestOfTanh));
                    yield b.add(b);
                }
                case ERF -> {
                    FloatVector a = v.abs().min(highestOfErf);
                    FloatVector g = f7.fma(a, f6).fma(a, f5).fma(a, f4).fma(a, f3);
                    yield g.fma(a, f2).fma(a, f1).fma(a, f0).mul(a).neg();
                }
                case SIGMOID, SOFTPLUS -> {
                    FloatVector a = v.abs().neg();
                    yield a.blend(lowest, a.lt(lowest));
                }
                default -> v;
            };
            FloatVector t = switch (f) {
                case EXP, ELU, ERF, TANH, SIGMOID, SOFTPLUS -> w.fma(log2e, rounder);
                default -> v;
            };
            FloatVector h = switch (f) {
                case EXP, ELU, ERF, TANH, SIGMOID, SOFTPLUS -> {
                    FloatVector n = t.sub(rounder);
                    FloatVector r = n.fma(minusLow, n.fma(minusHigh, w));
                    FloatVector e =
                            e5.fma(r, e4).fma(r, e3).fma(r, e2).fma(r, e1).fma(r, e0);
                    yield e.fma(r.mul(r), r);
                }
                default -> v;
            };
            FloatVector e = switch (f) {
                case EXP, SIGMOID, SOFTPLUS -> {
                    IntVector k = t.reinterpretAsInts().sub(FloatFunctions.ROUNDER_BITS);
                    IntVector half = k.lanewise(VectorOperators.ASHR, 1);
                    IntVector other = k.sub(half);
                    FloatVector s =
                            half.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
                    FloatVector s2 =
                            other.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
                    yield h.add(one).mul(s).mul(s2);
                }
                case ELU, ERF, TANH -> {
                    IntVector k = t.reinterpretAsInts().sub(FloatFunctions.ROUNDER_BITS - 127);
                    FloatVector s = k.lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
                    yield s.fma(h, s.sub(one));
                }
                default -> v;
            };
            FloatVector result = switch (f) {
                case NEGATE -> v.neg();
                case RELU -> v.blend(zero, v.lt(zero));
                case LEAKY_RELU -> v.blend(v.mul(first), v.lt(zero));
                case ELU -> v.blend(first.mul(e), v.lt(zero));
                case TANH -> {
                    IntVector sign = v.reinterpretAsInts().and(0x80000000);
                    yield e.div(e.add(two)).reinterpretAsInts().or(sign).reinterpretAsFloats();
                }
                case SIGMOID -> one.blend(e, v.lt(zero)).div(e.add(one));
                case SOFTPLUS -> {
                    FloatVector d = e.div(e.add(two));
                    FloatVector d2 = d.mul(d);
                    FloatVector l = l4.fma(d2, l3).fma(d2, l2).fma(d2, l1).fma(d2, l0);
                    yield v.blend(zero, v.lt(zero)).add(d.mul(d2).fma(l, d.add(d)));
                }
                case EXP -> e;
                case ERF -> {
                    IntVector sign = v.reinterpretAsInts().and(0x80000000);
                    yield e.neg().reinterpretAsInts().or(sign).reinterpretAsFloats();
                }
                case LOG -> {
                    VectorMask<Float> small = v.lt(normal);
                    IntVector bits = v.blend(v.mul(scale), small).reinterpretAsInts();
                    IntVector k = bits.sub(FloatFunctions.SQRT_HALF_BITS).lanewise(VectorOperators.ASHR, 23);
                    IntVector mantissa = bits.sub(k.lanewise(VectorOperators.LSHL, 23));
                    FloatVector m = mantissa.reinterpretAsFloats().sub(one);
                    FloatVector n = k.add(FloatFunctions.ROUNDER_BITS)
                            .reinterpretAsFloats()
                            .sub(rounder);
                    n = n.add(zero.blend(minus23, small));
                    FloatVector s = m.div(m.add(two));
                    FloatVector s2 = s.mul(s);
                    FloatVector l = l4.fma(s2, l3).fma(s2, l2).fma(s2, l1).fma(s2, l0);
                    FloatVector g = s.neg().fma(s2.neg().fma(l, m), m);
                    g = n.fma(high, n.fma(low, g));
                    FloatVector other = v.blend(nan, v.lt(zero)).blend(infinity.neg(), v.eq(zero));
                    VectorMask<Float> usual =
                            v.compare(VectorOperators.GT, zero).and(v.lt(infinity));
                    yield other.blend(g, usual);
                }
                case SQRT -> v.sqrt();
                case SQUARE -> v.mul(v);
                case ABS -> v.abs();
                case AFFINE -> v.fma(first, second);
                case CLIP ->
                    v.blend(second, v.compare(VectorOperators.GT, second)).blend(first, v.lt(first));
            };
            result.intoArray(y, yAt + i);
        }
        return end;
    }
}
