package hocket.programs.jvm;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Functions of one number by vectors, the operations those of {@link Functions}. Each loop stops at whole vectors and
 * returns how many elements it did.
 *
 * <p>The loops call nothing of ours: whether a small method of vectors is inlined depends on what was compiled before,
 * and one that is not makes an object of each vector.
 */
final class VectorFunctions {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;

    private VectorFunctions() {}

    static int negate(float[] x, int xAt, float[] y, int yAt, int count) {
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            v.neg().intoArray(y, yAt + i);
        }
        return end;
    }

    static int relu(float[] x, int xAt, float[] y, int yAt, int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            v.blend(zero, v.lt(zero)).intoArray(y, yAt + i);
        }
        return end;
    }

    static int leakyRelu(float[] x, int xAt, float[] y, int yAt, int count, float p) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector slope = FloatVector.broadcast(SPECIES, p);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            v.blend(v.mul(slope), v.lt(zero)).intoArray(y, yAt + i);
        }
        return end;
    }

    static int sqrt(float[] x, int xAt, float[] y, int yAt, int count) {
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            v.sqrt().intoArray(y, yAt + i);
        }
        return end;
    }

    static int square(float[] x, int xAt, float[] y, int yAt, int count) {
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            v.mul(v).intoArray(y, yAt + i);
        }
        return end;
    }

    static int abs(float[] x, int xAt, float[] y, int yAt, int count) {
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            v.abs().intoArray(y, yAt + i);
        }
        return end;
    }

    static int affine(float[] x, int xAt, float[] y, int yAt, int count, float p, float q) {
        FloatVector scale = FloatVector.broadcast(SPECIES, p);
        FloatVector shift = FloatVector.broadcast(SPECIES, q);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            v.fma(scale, shift).intoArray(y, yAt + i);
        }
        return end;
    }

    static int clip(float[] x, int xAt, float[] y, int yAt, int count, float p, float q) {
        FloatVector low = FloatVector.broadcast(SPECIES, p);
        FloatVector high = FloatVector.broadcast(SPECIES, q);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            v.blend(high, v.compare(VectorOperators.GT, high))
                    .blend(low, v.lt(low))
                    .intoArray(y, yAt + i);
        }
        return end;
    }

    static int exp(float[] x, int xAt, float[] y, int yAt, int count) {
        FloatVector log2e = FloatVector.broadcast(SPECIES, Functions.LOG2_E);
        FloatVector rounder = FloatVector.broadcast(SPECIES, Functions.ROUNDER);
        FloatVector high = FloatVector.broadcast(SPECIES, -Functions.LN2_HIGH);
        FloatVector low = FloatVector.broadcast(SPECIES, -Functions.LN2_LOW);
        FloatVector e0 = FloatVector.broadcast(SPECIES, Functions.E0);
        FloatVector e1 = FloatVector.broadcast(SPECIES, Functions.E1);
        FloatVector e2 = FloatVector.broadcast(SPECIES, Functions.E2);
        FloatVector e3 = FloatVector.broadcast(SPECIES, Functions.E3);
        FloatVector e4 = FloatVector.broadcast(SPECIES, Functions.E4);
        FloatVector e5 = FloatVector.broadcast(SPECIES, Functions.E5);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector lowest = FloatVector.broadcast(SPECIES, Functions.EXP_LOWEST);
        FloatVector highest = FloatVector.broadcast(SPECIES, Functions.EXP_HIGHEST);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            FloatVector w = v.blend(lowest, v.lt(lowest)).blend(highest, v.compare(VectorOperators.GT, highest));
            FloatVector t = w.fma(log2e, rounder);
            FloatVector n = t.sub(rounder);
            FloatVector r = n.fma(low, n.fma(high, w));
            FloatVector h =
                    e5.fma(r, e4).fma(r, e3).fma(r, e2).fma(r, e1).fma(r, e0).fma(r.mul(r), r);
            IntVector k = t.reinterpretAsInts().sub(Functions.ROUNDER_BITS);
            IntVector half = k.lanewise(VectorOperators.ASHR, 1);
            FloatVector s = half.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
            FloatVector s2 =
                    k.sub(half).add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
            h.add(one).mul(s).mul(s2).intoArray(y, yAt + i);
        }
        return end;
    }

    static int elu(float[] x, int xAt, float[] y, int yAt, int count, float p) {
        FloatVector log2e = FloatVector.broadcast(SPECIES, Functions.LOG2_E);
        FloatVector rounder = FloatVector.broadcast(SPECIES, Functions.ROUNDER);
        FloatVector high = FloatVector.broadcast(SPECIES, -Functions.LN2_HIGH);
        FloatVector low = FloatVector.broadcast(SPECIES, -Functions.LN2_LOW);
        FloatVector e0 = FloatVector.broadcast(SPECIES, Functions.E0);
        FloatVector e1 = FloatVector.broadcast(SPECIES, Functions.E1);
        FloatVector e2 = FloatVector.broadcast(SPECIES, Functions.E2);
        FloatVector e3 = FloatVector.broadcast(SPECIES, Functions.E3);
        FloatVector e4 = FloatVector.broadcast(SPECIES, Functions.E4);
        FloatVector e5 = FloatVector.broadcast(SPECIES, Functions.E5);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector zero = FloatVector.broadcast(SPECIES, 0);
        FloatVector lowest = FloatVector.broadcast(SPECIES, Functions.EXPM1_LOWEST);
        FloatVector alpha = FloatVector.broadcast(SPECIES, p);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            FloatVector w = v.blend(lowest, v.lt(lowest));
            FloatVector t = w.fma(log2e, rounder);
            FloatVector n = t.sub(rounder);
            FloatVector r = n.fma(low, n.fma(high, w));
            FloatVector h =
                    e5.fma(r, e4).fma(r, e3).fma(r, e2).fma(r, e1).fma(r, e0).fma(r.mul(r), r);
            FloatVector s = t.reinterpretAsInts()
                    .sub(Functions.ROUNDER_BITS - 127)
                    .lanewise(VectorOperators.LSHL, 23)
                    .reinterpretAsFloats();
            v.blend(alpha.mul(s.fma(h, s.sub(one))), v.lt(zero)).intoArray(y, yAt + i);
        }
        return end;
    }

    static int tanh(float[] x, int xAt, float[] y, int yAt, int count) {
        FloatVector log2e = FloatVector.broadcast(SPECIES, Functions.LOG2_E);
        FloatVector rounder = FloatVector.broadcast(SPECIES, Functions.ROUNDER);
        FloatVector high = FloatVector.broadcast(SPECIES, -Functions.LN2_HIGH);
        FloatVector low = FloatVector.broadcast(SPECIES, -Functions.LN2_LOW);
        FloatVector e0 = FloatVector.broadcast(SPECIES, Functions.E0);
        FloatVector e1 = FloatVector.broadcast(SPECIES, Functions.E1);
        FloatVector e2 = FloatVector.broadcast(SPECIES, Functions.E2);
        FloatVector e3 = FloatVector.broadcast(SPECIES, Functions.E3);
        FloatVector e4 = FloatVector.broadcast(SPECIES, Functions.E4);
        FloatVector e5 = FloatVector.broadcast(SPECIES, Functions.E5);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector two = FloatVector.broadcast(SPECIES, 2);
        FloatVector highest = FloatVector.broadcast(SPECIES, Functions.TANH_HIGHEST);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            FloatVector w = v.abs();
            w = w.blend(highest, w.compare(VectorOperators.GT, highest));
            w = w.add(w);
            FloatVector t = w.fma(log2e, rounder);
            FloatVector n = t.sub(rounder);
            FloatVector r = n.fma(low, n.fma(high, w));
            FloatVector h =
                    e5.fma(r, e4).fma(r, e3).fma(r, e2).fma(r, e1).fma(r, e0).fma(r.mul(r), r);
            FloatVector s = t.reinterpretAsInts()
                    .sub(Functions.ROUNDER_BITS - 127)
                    .lanewise(VectorOperators.LSHL, 23)
                    .reinterpretAsFloats();
            FloatVector e = s.fma(h, s.sub(one));
            IntVector sign = v.reinterpretAsInts().and(0x80000000);
            e.div(e.add(two)).reinterpretAsInts().or(sign).reinterpretAsFloats().intoArray(y, yAt + i);
        }
        return end;
    }

    static int sigmoid(float[] x, int xAt, float[] y, int yAt, int count) {
        FloatVector log2e = FloatVector.broadcast(SPECIES, Functions.LOG2_E);
        FloatVector rounder = FloatVector.broadcast(SPECIES, Functions.ROUNDER);
        FloatVector high = FloatVector.broadcast(SPECIES, -Functions.LN2_HIGH);
        FloatVector low = FloatVector.broadcast(SPECIES, -Functions.LN2_LOW);
        FloatVector e0 = FloatVector.broadcast(SPECIES, Functions.E0);
        FloatVector e1 = FloatVector.broadcast(SPECIES, Functions.E1);
        FloatVector e2 = FloatVector.broadcast(SPECIES, Functions.E2);
        FloatVector e3 = FloatVector.broadcast(SPECIES, Functions.E3);
        FloatVector e4 = FloatVector.broadcast(SPECIES, Functions.E4);
        FloatVector e5 = FloatVector.broadcast(SPECIES, Functions.E5);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector zero = FloatVector.broadcast(SPECIES, 0);
        FloatVector lowest = FloatVector.broadcast(SPECIES, Functions.EXP_LOWEST);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            FloatVector w = v.abs().neg();
            w = w.blend(lowest, w.lt(lowest));
            FloatVector t = w.fma(log2e, rounder);
            FloatVector n = t.sub(rounder);
            FloatVector r = n.fma(low, n.fma(high, w));
            FloatVector h =
                    e5.fma(r, e4).fma(r, e3).fma(r, e2).fma(r, e1).fma(r, e0).fma(r.mul(r), r);
            IntVector k = t.reinterpretAsInts().sub(Functions.ROUNDER_BITS);
            IntVector half = k.lanewise(VectorOperators.ASHR, 1);
            FloatVector s = half.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
            FloatVector s2 =
                    k.sub(half).add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
            FloatVector z = h.add(one).mul(s).mul(s2);
            one.blend(z, v.lt(zero)).div(z.add(one)).intoArray(y, yAt + i);
        }
        return end;
    }

    static int softplus(float[] x, int xAt, float[] y, int yAt, int count) {
        FloatVector log2e = FloatVector.broadcast(SPECIES, Functions.LOG2_E);
        FloatVector rounder = FloatVector.broadcast(SPECIES, Functions.ROUNDER);
        FloatVector high = FloatVector.broadcast(SPECIES, -Functions.LN2_HIGH);
        FloatVector low = FloatVector.broadcast(SPECIES, -Functions.LN2_LOW);
        FloatVector e0 = FloatVector.broadcast(SPECIES, Functions.E0);
        FloatVector e1 = FloatVector.broadcast(SPECIES, Functions.E1);
        FloatVector e2 = FloatVector.broadcast(SPECIES, Functions.E2);
        FloatVector e3 = FloatVector.broadcast(SPECIES, Functions.E3);
        FloatVector e4 = FloatVector.broadcast(SPECIES, Functions.E4);
        FloatVector e5 = FloatVector.broadcast(SPECIES, Functions.E5);
        FloatVector l0 = FloatVector.broadcast(SPECIES, Functions.L0);
        FloatVector l1 = FloatVector.broadcast(SPECIES, Functions.L1);
        FloatVector l2 = FloatVector.broadcast(SPECIES, Functions.L2);
        FloatVector l3 = FloatVector.broadcast(SPECIES, Functions.L3);
        FloatVector l4 = FloatVector.broadcast(SPECIES, Functions.L4);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector two = FloatVector.broadcast(SPECIES, 2);
        FloatVector zero = FloatVector.broadcast(SPECIES, 0);
        FloatVector lowest = FloatVector.broadcast(SPECIES, Functions.EXP_LOWEST);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            FloatVector w = v.abs().neg();
            w = w.blend(lowest, w.lt(lowest));
            FloatVector t = w.fma(log2e, rounder);
            FloatVector n = t.sub(rounder);
            FloatVector r = n.fma(low, n.fma(high, w));
            FloatVector h =
                    e5.fma(r, e4).fma(r, e3).fma(r, e2).fma(r, e1).fma(r, e0).fma(r.mul(r), r);
            IntVector k = t.reinterpretAsInts().sub(Functions.ROUNDER_BITS);
            IntVector half = k.lanewise(VectorOperators.ASHR, 1);
            FloatVector s = half.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
            FloatVector s2 =
                    k.sub(half).add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
            FloatVector z = h.add(one).mul(s).mul(s2);
            FloatVector d = z.div(z.add(two));
            FloatVector d2 = d.mul(d);
            FloatVector l = l4.fma(d2, l3).fma(d2, l2).fma(d2, l1).fma(d2, l0);
            v.blend(zero, v.lt(zero)).add(d.mul(d2).fma(l, d.add(d))).intoArray(y, yAt + i);
        }
        return end;
    }

    static int log(float[] x, int xAt, float[] y, int yAt, int count) {
        FloatVector l0 = FloatVector.broadcast(SPECIES, Functions.L0);
        FloatVector l1 = FloatVector.broadcast(SPECIES, Functions.L1);
        FloatVector l2 = FloatVector.broadcast(SPECIES, Functions.L2);
        FloatVector l3 = FloatVector.broadcast(SPECIES, Functions.L3);
        FloatVector l4 = FloatVector.broadcast(SPECIES, Functions.L4);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector two = FloatVector.broadcast(SPECIES, 2);
        FloatVector zero = FloatVector.broadcast(SPECIES, 0);
        FloatVector high = FloatVector.broadcast(SPECIES, Functions.LN2_HIGH);
        FloatVector low = FloatVector.broadcast(SPECIES, Functions.LN2_LOW);
        FloatVector normal = FloatVector.broadcast(SPECIES, Float.MIN_NORMAL);
        FloatVector infinity = FloatVector.broadcast(SPECIES, Float.POSITIVE_INFINITY);
        FloatVector scale = FloatVector.broadcast(SPECIES, Functions.TWO_23);
        FloatVector minus23 = FloatVector.broadcast(SPECIES, -23);
        FloatVector rounder = FloatVector.broadcast(SPECIES, Functions.ROUNDER);
        FloatVector nan = FloatVector.broadcast(SPECIES, Float.NaN);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + i);
            VectorMask<Float> small = v.lt(normal);
            IntVector bits = v.blend(v.mul(scale), small).reinterpretAsInts();
            IntVector k = bits.sub(Functions.SQRT_HALF_BITS).lanewise(VectorOperators.ASHR, 23);
            FloatVector f = bits.sub(k.lanewise(VectorOperators.LSHL, 23))
                    .reinterpretAsFloats()
                    .sub(one);
            FloatVector e = k.add(Functions.ROUNDER_BITS).reinterpretAsFloats().sub(rounder);
            e = e.add(zero.blend(minus23, small));
            FloatVector s = f.div(f.add(two));
            FloatVector t = s.mul(s);
            FloatVector l = l4.fma(t, l3).fma(t, l2).fma(t, l1).fma(t, l0);
            FloatVector g = s.neg().fma(t.neg().fma(l, f), f);
            g = e.fma(high, e.fma(low, g));
            FloatVector other = v.blend(nan, v.lt(zero)).blend(infinity.neg(), v.eq(zero));
            VectorMask<Float> usual = v.compare(VectorOperators.GT, zero).and(v.lt(infinity));
            other.blend(g, usual).intoArray(y, yAt + i);
        }
        return end;
    }
}
