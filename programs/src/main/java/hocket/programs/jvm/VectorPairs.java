package hocket.programs.jvm;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Functions of several numbers by vectors. Each loop stops at whole vectors and returns how many elements it did.
 */
final class VectorPairs {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;

    private VectorPairs() {}

    static int add(float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        int end = count - count % LENGTH;
        if (aStep == 0) {
            FloatVector u = FloatVector.broadcast(SPECIES, a[aAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.add(w).intoArray(out, outAt + i);
            }
        } else if (bStep == 0) {
            FloatVector w = FloatVector.broadcast(SPECIES, b[bAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                u.add(w).intoArray(out, outAt + i);
            }
        } else {
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.add(w).intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int subtract(
            float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        int end = count - count % LENGTH;
        if (aStep == 0) {
            FloatVector u = FloatVector.broadcast(SPECIES, a[aAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.sub(w).intoArray(out, outAt + i);
            }
        } else if (bStep == 0) {
            FloatVector w = FloatVector.broadcast(SPECIES, b[bAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                u.sub(w).intoArray(out, outAt + i);
            }
        } else {
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.sub(w).intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int multiply(
            float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        int end = count - count % LENGTH;
        if (aStep == 0) {
            FloatVector u = FloatVector.broadcast(SPECIES, a[aAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.mul(w).intoArray(out, outAt + i);
            }
        } else if (bStep == 0) {
            FloatVector w = FloatVector.broadcast(SPECIES, b[bAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                u.mul(w).intoArray(out, outAt + i);
            }
        } else {
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.mul(w).intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int divide(float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        int end = count - count % LENGTH;
        if (aStep == 0) {
            FloatVector u = FloatVector.broadcast(SPECIES, a[aAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.div(w).intoArray(out, outAt + i);
            }
        } else if (bStep == 0) {
            FloatVector w = FloatVector.broadcast(SPECIES, b[bAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                u.div(w).intoArray(out, outAt + i);
            }
        } else {
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.div(w).intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int maximum(
            float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        int end = count - count % LENGTH;
        if (aStep == 0) {
            FloatVector u = FloatVector.broadcast(SPECIES, a[aAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.max(w).intoArray(out, outAt + i);
            }
        } else if (bStep == 0) {
            FloatVector w = FloatVector.broadcast(SPECIES, b[bAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                u.max(w).intoArray(out, outAt + i);
            }
        } else {
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.max(w).intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int minimum(
            float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        int end = count - count % LENGTH;
        if (aStep == 0) {
            FloatVector u = FloatVector.broadcast(SPECIES, a[aAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.min(w).intoArray(out, outAt + i);
            }
        } else if (bStep == 0) {
            FloatVector w = FloatVector.broadcast(SPECIES, b[bAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                u.min(w).intoArray(out, outAt + i);
            }
        } else {
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                u.min(w).intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int equal(float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        int end = count - count % LENGTH;
        if (aStep == 0) {
            FloatVector u = FloatVector.broadcast(SPECIES, a[aAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                zero.blend(one, u.eq(w)).intoArray(out, outAt + i);
            }
        } else if (bStep == 0) {
            FloatVector w = FloatVector.broadcast(SPECIES, b[bAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                zero.blend(one, u.eq(w)).intoArray(out, outAt + i);
            }
        } else {
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                zero.blend(one, u.eq(w)).intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int greater(
            float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        int end = count - count % LENGTH;
        if (aStep == 0) {
            FloatVector u = FloatVector.broadcast(SPECIES, a[aAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                zero.blend(one, u.compare(VectorOperators.GT, w)).intoArray(out, outAt + i);
            }
        } else if (bStep == 0) {
            FloatVector w = FloatVector.broadcast(SPECIES, b[bAt]);
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                zero.blend(one, u.compare(VectorOperators.GT, w)).intoArray(out, outAt + i);
            }
        } else {
            for (int i = 0; i < end; i += LENGTH) {
                FloatVector u = FloatVector.fromArray(SPECIES, a, aAt + i);
                FloatVector w = FloatVector.fromArray(SPECIES, b, bAt + i);
                zero.blend(one, u.compare(VectorOperators.GT, w)).intoArray(out, outAt + i);
            }
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

    static int tanhSlope(float[] g, int gAt, float[] y, int yAt, float[] out, int outAt, int count, boolean add) {
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector d = FloatVector.fromArray(SPECIES, g, gAt + i);
            FloatVector v = FloatVector.fromArray(SPECIES, y, yAt + i);
            FloatVector back = d.mul(v.neg().fma(v, one));
            if (add) {
                FloatVector.fromArray(SPECIES, out, outAt + i).add(back).intoArray(out, outAt + i);
            } else {
                back.intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int sigmoidSlope(float[] g, int gAt, float[] y, int yAt, float[] out, int outAt, int count, boolean add) {
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector d = FloatVector.fromArray(SPECIES, g, gAt + i);
            FloatVector v = FloatVector.fromArray(SPECIES, y, yAt + i);
            FloatVector back = d.mul(v.neg().fma(v, v));
            if (add) {
                FloatVector.fromArray(SPECIES, out, outAt + i).add(back).intoArray(out, outAt + i);
            } else {
                back.intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int reluSlope(float[] g, int gAt, float[] y, int yAt, float[] out, int outAt, int count, boolean add) {
        FloatVector zero = FloatVector.zero(SPECIES);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector d = FloatVector.fromArray(SPECIES, g, gAt + i);
            FloatVector v = FloatVector.fromArray(SPECIES, y, yAt + i);
            FloatVector back = zero.blend(d, v.compare(VectorOperators.GT, zero));
            if (add) {
                FloatVector.fromArray(SPECIES, out, outAt + i).add(back).intoArray(out, outAt + i);
            } else {
                back.intoArray(out, outAt + i);
            }
        }
        return end;
    }

    static int leakyReluSlope(
            float[] g, int gAt, float[] y, int yAt, float[] out, int outAt, int count, boolean add, float p) {
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector slope = FloatVector.broadcast(SPECIES, p);
        int end = count - count % LENGTH;
        for (int i = 0; i < end; i += LENGTH) {
            FloatVector d = FloatVector.fromArray(SPECIES, g, gAt + i);
            FloatVector v = FloatVector.fromArray(SPECIES, y, yAt + i);
            FloatVector back = d.mul(slope).blend(d, v.compare(VectorOperators.GT, zero));
            if (add) {
                FloatVector.fromArray(SPECIES, out, outAt + i).add(back).intoArray(out, outAt + i);
            } else {
                back.intoArray(out, outAt + i);
            }
        }
        return end;
    }

    /** {@code C(i,j) = [C(i,j) +] a(i)·b(j)}, C row after row. */
    static void outer(
            int i0, int i1, int columns, float[] a, int aAt, float[] b, int bAt, float[] c, int cAt, boolean add) {
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
