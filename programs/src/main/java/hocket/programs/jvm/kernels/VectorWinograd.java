package hocket.programs.jvm.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The transforms of Winograd's F(2×2, 3×3), as {@link DenseKernels} says. Each has two stages, and what is between them in
 * memory, for the reason in {@link VectorPanels}.
 */
final class VectorWinograd {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;
    private static final int PANEL = Scratch.PANEL;

    /** Read for what is not there. */
    private static final float[] ZEROS = new float[4 * LENGTH];

    private VectorWinograd() {}

    static void combine(
            int sign,
            float[] x,
            int[] elements,
            int step,
            int runs,
            int width,
            float[] bias,
            float[] y,
            int at,
            int yStep) {
        FloatVector factor = FloatVector.broadcast(SPECIES, sign);
        int inA = elements[0] < 0 ? 0 : 1;
        int inB = elements[1] < 0 ? 0 : 1;
        int inC = elements[2] < 0 ? 0 : 1;
        int inD = elements[3] < 0 ? 0 : 1;
        float[] as = inA == 0 ? ZEROS : x;
        float[] bs = inB == 0 ? ZEROS : x;
        float[] cs = inC == 0 ? ZEROS : x;
        float[] ds = inD == 0 ? ZEROS : x;
        for (int i = 0; i < runs; i++) {
            int a = inA * (elements[0] + i * step);
            int b = inB * (elements[1] + i * step);
            int c = inC * (elements[2] + i * step);
            int d = inD * (elements[3] + i * step);
            int to = at + i * yStep;
            float start = bias.length == 0 ? 0 : bias[i];
            int j = 0;
            for (; j + 4 * LENGTH <= width; j += 4 * LENGTH) { // short loops are slow: four vectors at a time
                int ja = a + inA * j;
                int jb = b + inB * j;
                int jc = c + inC * j;
                int jd = d + inD * j;
                one(factor, as, ja, bs, jb, cs, jc, ds, jd, start, y, to + j);
                one(
                        factor,
                        as,
                        ja + LENGTH,
                        bs,
                        jb + LENGTH,
                        cs,
                        jc + LENGTH,
                        ds,
                        jd + LENGTH,
                        start,
                        y,
                        to + j + LENGTH);
                one(
                        factor,
                        as,
                        ja + 2 * LENGTH,
                        bs,
                        jb + 2 * LENGTH,
                        cs,
                        jc + 2 * LENGTH,
                        ds,
                        jd + 2 * LENGTH,
                        start,
                        y,
                        to + j + 2 * LENGTH);
                one(
                        factor,
                        as,
                        ja + 3 * LENGTH,
                        bs,
                        jb + 3 * LENGTH,
                        cs,
                        jc + 3 * LENGTH,
                        ds,
                        jd + 3 * LENGTH,
                        start,
                        y,
                        to + j + 3 * LENGTH);
            }
            for (; j + LENGTH <= width; j += LENGTH) {
                one(factor, as, a + inA * j, bs, b + inB * j, cs, c + inC * j, ds, d + inD * j, start, y, to + j);
            }
            for (; j < width; j++) {
                float u = as[a + inA * j] + sign * bs[b + inB * j];
                float v = cs[c + inC * j] + sign * ds[d + inD * j];
                y[to + j] = u + sign * v + start;
            }
        }
    }

    private static void one(
            FloatVector factor,
            float[] as,
            int a,
            float[] bs,
            int b,
            float[] cs,
            int c,
            float[] ds,
            int d,
            float start,
            float[] y,
            int to) {
        FloatVector u = FloatVector.fromArray(SPECIES, bs, b).fma(factor, FloatVector.fromArray(SPECIES, as, a));
        FloatVector v = FloatVector.fromArray(SPECIES, ds, d).fma(factor, FloatVector.fromArray(SPECIES, cs, c));
        v.fma(factor, u).add(start).intoArray(y, to);
    }

    static void image(WinogradTile tile, float[] x, int at, int step, int channels, float[] to, float[] between) {
        int positionStep = channels * PANEL;
        for (int c = 0; c < channels; c++) {
            for (int l = 0; l < tile.width(); l += LENGTH) {
                int from = at + c * step + l;
                for (int j = 0; j < 4; j++) {
                    columns(tile.image(), j, x, from, between);
                }
                int into = c * PANEL + l;
                for (int i = 0; i < 4; i++) {
                    rows(between, i, to, into + 4 * i * positionStep, positionStep);
                }
            }
        }
    }

    private static FloatVector pixel(float[] x, int from, int pixel) {
        return pixel < 0 ? FloatVector.zero(SPECIES) : FloatVector.fromArray(SPECIES, x, from + pixel);
    }

    private static void columns(int[] pixels, int j, float[] x, int from, float[] between) {
        FloatVector a = pixel(x, from, pixels[j]);
        FloatVector b = pixel(x, from, pixels[4 + j]);
        FloatVector c = pixel(x, from, pixels[8 + j]);
        FloatVector d = pixel(x, from, pixels[12 + j]);
        a.sub(c).intoArray(between, j * LENGTH);
        b.add(c).intoArray(between, (4 + j) * LENGTH);
        c.sub(b).intoArray(between, (8 + j) * LENGTH);
        b.sub(d).intoArray(between, (12 + j) * LENGTH);
    }

    private static void rows(float[] between, int i, float[] to, int into, int step) {
        FloatVector a = FloatVector.fromArray(SPECIES, between, 4 * i * LENGTH);
        FloatVector b = FloatVector.fromArray(SPECIES, between, (4 * i + 1) * LENGTH);
        FloatVector c = FloatVector.fromArray(SPECIES, between, (4 * i + 2) * LENGTH);
        FloatVector d = FloatVector.fromArray(SPECIES, between, (4 * i + 3) * LENGTH);
        a.sub(c).intoArray(to, into);
        b.add(c).intoArray(to, into + step);
        c.sub(b).intoArray(to, into + 2 * step);
        b.sub(d).intoArray(to, into + 3 * step);
    }

    static void result(
            WinogradTile tile, float[] products, int filters, float[] bias, float[] y, int step, float[] between) {
        int positionStep = filters * PANEL;
        for (int f = 0; f < filters; f++) {
            float start = bias.length == 0 ? 0 : bias[f];
            for (int l = 0; l < tile.width(); l += LENGTH) {
                int from = f * PANEL + l;
                for (int j = 0; j < 4; j++) {
                    sums(products, from + j * positionStep, 4 * positionStep, between, j);
                }
                int into = f * step + l;
                pixels(between, 0, start, y, into, tile.result()[0], tile.result()[1]);
                pixels(between, 1, start, y, into, tile.result()[2], tile.result()[3]);
            }
        }
    }

    private static void sums(float[] products, int from, int step, float[] between, int j) {
        FloatVector a = FloatVector.fromArray(SPECIES, products, from);
        FloatVector b = FloatVector.fromArray(SPECIES, products, from + step);
        FloatVector c = FloatVector.fromArray(SPECIES, products, from + 2 * step);
        FloatVector d = FloatVector.fromArray(SPECIES, products, from + 3 * step);
        a.add(b).add(c).intoArray(between, j * LENGTH);
        b.sub(c).sub(d).intoArray(between, (4 + j) * LENGTH);
    }

    private static void pixels(float[] between, int i, float start, float[] y, int into, int left, int right) {
        FloatVector a = FloatVector.fromArray(SPECIES, between, 4 * i * LENGTH);
        FloatVector b = FloatVector.fromArray(SPECIES, between, (4 * i + 1) * LENGTH);
        FloatVector c = FloatVector.fromArray(SPECIES, between, (4 * i + 2) * LENGTH);
        FloatVector d = FloatVector.fromArray(SPECIES, between, (4 * i + 3) * LENGTH);
        if (left >= 0) {
            a.add(b).add(c).add(start).intoArray(y, into + left);
        }
        if (right >= 0) {
            b.sub(c).sub(d).add(start).intoArray(y, into + right);
        }
    }

    static void gradient(WinogradTile tile, float[] turned, int rows, int filters, float[] to, float[] between) {
        int positionStep = PANEL * filters;
        for (int r = 0; r < rows; r++) {
            for (int f = 0; f < filters; f += LENGTH) {
                int from = r * filters + f;
                for (int j = 0; j < 2; j++) {
                    FloatVector a = filters(turned, tile.result()[j], filters, from);
                    FloatVector b = filters(turned, tile.result()[2 + j], filters, from);
                    a.intoArray(between, j * LENGTH);
                    a.add(b).intoArray(between, (2 + j) * LENGTH);
                    a.sub(b).intoArray(between, (4 + j) * LENGTH);
                    b.neg().intoArray(between, (6 + j) * LENGTH);
                }
                for (int i = 0; i < 4; i++) {
                    FloatVector a = FloatVector.fromArray(SPECIES, between, 2 * i * LENGTH);
                    FloatVector b = FloatVector.fromArray(SPECIES, between, (2 * i + 1) * LENGTH);
                    int into = from + 4 * i * positionStep;
                    a.intoArray(to, into);
                    a.add(b).intoArray(to, into + positionStep);
                    a.sub(b).intoArray(to, into + 2 * positionStep);
                    b.neg().intoArray(to, into + 3 * positionStep);
                }
            }
        }
    }

    private static FloatVector filters(float[] turned, int pixel, int filters, int from) {
        return pixel < 0 ? FloatVector.zero(SPECIES) : FloatVector.fromArray(SPECIES, turned, pixel * filters + from);
    }
}
