package hocket.programs.jvm.kernels;

import hocket.settings.Each;
import hocket.settings.Registers;
import hocket.settings.Template;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The innermost loops of products: a few rows times a few vectors of sums stay in registers while the depth passes.
 * Row i of the result continues from what it holds, if {@code go}, else starts at element
 * ({@code first} + i, 0) of {@code start}. The operands begin at an element of their matrix. The number of rows is a multiple of the rows at a time.
 */
@Template("VectorTiles")
final class VectorTilesTemplate {
    /** At most 16 lanes, because runs are multiples of 16. */
    static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED.length() <= 16
            ? FloatVector.SPECIES_PREFERRED
            : VectorSpecies.of(float.class, VectorShape.S_512_BIT);

    static final int LENGTH = SPECIES.length();

    private VectorTilesTemplate() {}

    /**
     * Computes a tile of C.
     *
     * @param tall rows of a tile
     * @param wide vectors in each row of a tile
     * @param arranged 1 if A's rows are a group and B is a panel: the compiler proves once for constant distances that all
     *     elements exist, and needs half of the instructions; else 0
     */
    static void multiply(
            @Each({8, 4, 2, 1}) int tall,
            @Each({4, 2, 1}) int wide,
            @Each({1, 0}) int arranged,
            int rows,
            int depth,
            Matrix a,
            int aAt,
            Matrix b,
            int bAt,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            Matrix start,
            int first) {
        float[] as = a.values();
        float[] bs = b.values();
        float[] starts = start.values();
        int aRow = arranged == 1 ? 1 : a.row();
        int aStep = arranged == 1 ? Scratch.LANES : a.step();
        int bRow = arranged == 1 ? Scratch.PANEL : b.row();
        int startRow = start.row();
        int startAt = start.at(first, 0);
        for (int i = 0; i < rows; i += tall) {
            int to = cAt + i * cRow;
            @Registers FloatVector[][] sums = new FloatVector[tall][wide];
            for (int r = 0; r < tall; r++) {
                for (int v = 0; v < wide; v++) {
                    sums[r][v] = go
                            ? FloatVector.fromArray(SPECIES, c, to + r * cRow + v * LENGTH)
                            : FloatVector.broadcast(SPECIES, starts[startAt + (i + r) * startRow]);
                }
            }
            int left = aAt + i * aRow;
            int nextA = left;
            int nextB = bAt;
            for (int p = 0; p < depth; p++) {
                int at = arranged == 1 ? left + p * Scratch.LANES : nextA;
                int from = arranged == 1 ? bAt + p * Scratch.PANEL : nextB;
                @Registers FloatVector[] right = new FloatVector[wide];
                for (int v = 0; v < wide; v++) {
                    right[v] = FloatVector.fromArray(SPECIES, bs, from + v * LENGTH);
                }
                for (int r = 0; r < tall; r++) {
                    FloatVector x = FloatVector.broadcast(SPECIES, as[at + r * aRow]);
                    for (int v = 0; v < wide; v++) {
                        sums[r][v] = x.fma(right[v], sums[r][v]);
                    }
                }
                nextA += aStep;
                nextB += bRow;
            }
            for (int r = 0; r < tall; r++) {
                for (int v = 0; v < wide; v++) {
                    sums[r][v].intoArray(c, to + r * cRow + v * LENGTH);
                }
            }
        }
    }

    /**
     * Computes some of C for {@link #LENGTH} rows, as {@link DenseKernels#rowProducts} says: whole tiles from a row and a
     * column on.
     *
     * @param high rows of a tile
     * @param across columns of a tile
     */
    static void products(
            @Each({4, 1}) int high,
            @Each({2, 1}) int across,
            int firstRow,
            int endRow,
            int firstColumn,
            int endColumn,
            int firstTerm,
            int endTerm,
            Matrix a,
            Matrix b,
            Matrix c,
            int lane,
            boolean go) {
        float[] as = a.values();
        float[] bs = b.values();
        float[] cs = c.values();
        int aRow = a.row();
        int aStep = a.step();
        int bRow = b.row();
        int bStep = b.step();
        for (int i = firstRow; i <= endRow - high; i += high) {
            for (int j = firstColumn; j <= endColumn - across; j += across) {
                @Registers FloatVector[][] sums = new FloatVector[high][across];
                for (int r = 0; r < high; r++) {
                    for (int k = 0; k < across; k++) {
                        sums[r][k] = FloatVector.zero(SPECIES);
                    }
                }
                int at = a.at(i, firstTerm) + lane;
                int from = b.at(firstTerm, j) + lane;
                for (int p = firstTerm; p < endTerm; p++) {
                    @Registers FloatVector[] right = new FloatVector[across];
                    for (int k = 0; k < across; k++) {
                        right[k] = FloatVector.fromArray(SPECIES, bs, from + k * bStep);
                    }
                    for (int r = 0; r < high; r++) {
                        FloatVector x = FloatVector.fromArray(SPECIES, as, at + r * aRow);
                        for (int k = 0; k < across; k++) {
                            sums[r][k] = x.fma(right[k], sums[r][k]);
                        }
                    }
                    at += aStep;
                    from += bRow;
                }
                int to = c.at(i, j) + lane;
                for (int r = 0; r < high; r++) {
                    for (int k = 0; k < across; k++) {
                        int place = to + r * c.row() + k * c.step();
                        if (go) {
                            sums[r][k] =
                                    FloatVector.fromArray(SPECIES, cs, place).add(sums[r][k]);
                        }
                        sums[r][k].intoArray(cs, place);
                    }
                }
            }
        }
    }
}
