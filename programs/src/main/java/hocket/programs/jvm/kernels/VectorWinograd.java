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

    private VectorWinograd() {}

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
