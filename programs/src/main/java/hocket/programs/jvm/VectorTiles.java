package hocket.programs.jvm;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The innermost loops of products: a few rows times a few vectors of sums stay in registers while the depth passes.
 * Element (i, j) of the result continues from what it holds, if {@code go}, else starts at
 * {@code start[startAt + i·startStep]}; A(i, p) is {@code a[aAt + i·aRow + p·aStep]}, B(p, j) is
 * {@code b[bAt + p·bRow + j]}. The number of rows is a multiple of the rows at a time.
 */
final class VectorTiles {
    /** At most the 16 lanes that runs are multiples of. */
    static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED.length() <= 16
            ? FloatVector.SPECIES_PREFERRED
            : VectorSpecies.of(float.class, VectorShape.S_512_BIT);

    static final int LENGTH = SPECIES.length();

    private VectorTiles() {}

    /** 4 rows at a time, 4 vectors wide. */
    static void by4x4(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 4) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c01 =
                    go ? FloatVector.fromArray(SPECIES, c, to + LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c02 =
                    go ? FloatVector.fromArray(SPECIES, c, to + 2 * LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c03 =
                    go ? FloatVector.fromArray(SPECIES, c, to + 3 * LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c10 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c11 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow + LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c12 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow + 2 * LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c13 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow + 3 * LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c20 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 2 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 2 * startStep]);
            FloatVector c21 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 2 * cRow + LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + 2 * startStep]);
            FloatVector c22 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 2 * cRow + 2 * LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + 2 * startStep]);
            FloatVector c23 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 2 * cRow + 3 * LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + 2 * startStep]);
            FloatVector c30 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 3 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 3 * startStep]);
            FloatVector c31 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 3 * cRow + LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + 3 * startStep]);
            FloatVector c32 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 3 * cRow + 2 * LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + 3 * startStep]);
            FloatVector c33 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 3 * cRow + 3 * LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + 3 * startStep]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector b1 = FloatVector.fromArray(SPECIES, b, from + LENGTH);
                FloatVector b2 = FloatVector.fromArray(SPECIES, b, from + 2 * LENGTH);
                FloatVector b3 = FloatVector.fromArray(SPECIES, b, from + 3 * LENGTH);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                c01 = x.fma(b1, c01);
                c02 = x.fma(b2, c02);
                c03 = x.fma(b3, c03);
                x = FloatVector.broadcast(SPECIES, a[at + aRow]);
                c10 = x.fma(b0, c10);
                c11 = x.fma(b1, c11);
                c12 = x.fma(b2, c12);
                c13 = x.fma(b3, c13);
                x = FloatVector.broadcast(SPECIES, a[at + 2 * aRow]);
                c20 = x.fma(b0, c20);
                c21 = x.fma(b1, c21);
                c22 = x.fma(b2, c22);
                c23 = x.fma(b3, c23);
                x = FloatVector.broadcast(SPECIES, a[at + 3 * aRow]);
                c30 = x.fma(b0, c30);
                c31 = x.fma(b1, c31);
                c32 = x.fma(b2, c32);
                c33 = x.fma(b3, c33);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
            c01.intoArray(c, to + LENGTH);
            c02.intoArray(c, to + 2 * LENGTH);
            c03.intoArray(c, to + 3 * LENGTH);
            c10.intoArray(c, to + cRow);
            c11.intoArray(c, to + cRow + LENGTH);
            c12.intoArray(c, to + cRow + 2 * LENGTH);
            c13.intoArray(c, to + cRow + 3 * LENGTH);
            c20.intoArray(c, to + 2 * cRow);
            c21.intoArray(c, to + 2 * cRow + LENGTH);
            c22.intoArray(c, to + 2 * cRow + 2 * LENGTH);
            c23.intoArray(c, to + 2 * cRow + 3 * LENGTH);
            c30.intoArray(c, to + 3 * cRow);
            c31.intoArray(c, to + 3 * cRow + LENGTH);
            c32.intoArray(c, to + 3 * cRow + 2 * LENGTH);
            c33.intoArray(c, to + 3 * cRow + 3 * LENGTH);
        }
    }

    /** 2 rows at a time, 4 vectors wide. */
    static void by2x4(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 2) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c01 =
                    go ? FloatVector.fromArray(SPECIES, c, to + LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c02 =
                    go ? FloatVector.fromArray(SPECIES, c, to + 2 * LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c03 =
                    go ? FloatVector.fromArray(SPECIES, c, to + 3 * LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c10 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c11 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow + LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c12 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow + 2 * LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c13 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow + 3 * LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector b1 = FloatVector.fromArray(SPECIES, b, from + LENGTH);
                FloatVector b2 = FloatVector.fromArray(SPECIES, b, from + 2 * LENGTH);
                FloatVector b3 = FloatVector.fromArray(SPECIES, b, from + 3 * LENGTH);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                c01 = x.fma(b1, c01);
                c02 = x.fma(b2, c02);
                c03 = x.fma(b3, c03);
                x = FloatVector.broadcast(SPECIES, a[at + aRow]);
                c10 = x.fma(b0, c10);
                c11 = x.fma(b1, c11);
                c12 = x.fma(b2, c12);
                c13 = x.fma(b3, c13);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
            c01.intoArray(c, to + LENGTH);
            c02.intoArray(c, to + 2 * LENGTH);
            c03.intoArray(c, to + 3 * LENGTH);
            c10.intoArray(c, to + cRow);
            c11.intoArray(c, to + cRow + LENGTH);
            c12.intoArray(c, to + cRow + 2 * LENGTH);
            c13.intoArray(c, to + cRow + 3 * LENGTH);
        }
    }

    /** One row at a time, 4 vectors wide. */
    static void by1x4(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 1) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c01 =
                    go ? FloatVector.fromArray(SPECIES, c, to + LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c02 =
                    go ? FloatVector.fromArray(SPECIES, c, to + 2 * LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c03 =
                    go ? FloatVector.fromArray(SPECIES, c, to + 3 * LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector b1 = FloatVector.fromArray(SPECIES, b, from + LENGTH);
                FloatVector b2 = FloatVector.fromArray(SPECIES, b, from + 2 * LENGTH);
                FloatVector b3 = FloatVector.fromArray(SPECIES, b, from + 3 * LENGTH);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                c01 = x.fma(b1, c01);
                c02 = x.fma(b2, c02);
                c03 = x.fma(b3, c03);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
            c01.intoArray(c, to + LENGTH);
            c02.intoArray(c, to + 2 * LENGTH);
            c03.intoArray(c, to + 3 * LENGTH);
        }
    }

    /** 4 rows at a time, 2 vectors wide. */
    static void by4x2(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 4) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c01 =
                    go ? FloatVector.fromArray(SPECIES, c, to + LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c10 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c11 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow + LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c20 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 2 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 2 * startStep]);
            FloatVector c21 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 2 * cRow + LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + 2 * startStep]);
            FloatVector c30 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 3 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 3 * startStep]);
            FloatVector c31 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 3 * cRow + LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + 3 * startStep]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector b1 = FloatVector.fromArray(SPECIES, b, from + LENGTH);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                c01 = x.fma(b1, c01);
                x = FloatVector.broadcast(SPECIES, a[at + aRow]);
                c10 = x.fma(b0, c10);
                c11 = x.fma(b1, c11);
                x = FloatVector.broadcast(SPECIES, a[at + 2 * aRow]);
                c20 = x.fma(b0, c20);
                c21 = x.fma(b1, c21);
                x = FloatVector.broadcast(SPECIES, a[at + 3 * aRow]);
                c30 = x.fma(b0, c30);
                c31 = x.fma(b1, c31);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
            c01.intoArray(c, to + LENGTH);
            c10.intoArray(c, to + cRow);
            c11.intoArray(c, to + cRow + LENGTH);
            c20.intoArray(c, to + 2 * cRow);
            c21.intoArray(c, to + 2 * cRow + LENGTH);
            c30.intoArray(c, to + 3 * cRow);
            c31.intoArray(c, to + 3 * cRow + LENGTH);
        }
    }

    /** 2 rows at a time, 2 vectors wide. */
    static void by2x2(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 2) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c01 =
                    go ? FloatVector.fromArray(SPECIES, c, to + LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c10 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c11 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow + LENGTH)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector b1 = FloatVector.fromArray(SPECIES, b, from + LENGTH);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                c01 = x.fma(b1, c01);
                x = FloatVector.broadcast(SPECIES, a[at + aRow]);
                c10 = x.fma(b0, c10);
                c11 = x.fma(b1, c11);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
            c01.intoArray(c, to + LENGTH);
            c10.intoArray(c, to + cRow);
            c11.intoArray(c, to + cRow + LENGTH);
        }
    }

    /** One row at a time, 2 vectors wide. */
    static void by1x2(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 1) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c01 =
                    go ? FloatVector.fromArray(SPECIES, c, to + LENGTH) : FloatVector.broadcast(SPECIES, start[st]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector b1 = FloatVector.fromArray(SPECIES, b, from + LENGTH);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                c01 = x.fma(b1, c01);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
            c01.intoArray(c, to + LENGTH);
        }
    }

    /** 8 rows at a time, one vector wide. */
    static void by8x1(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 8) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c10 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c20 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 2 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 2 * startStep]);
            FloatVector c30 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 3 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 3 * startStep]);
            FloatVector c40 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 4 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 4 * startStep]);
            FloatVector c50 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 5 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 5 * startStep]);
            FloatVector c60 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 6 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 6 * startStep]);
            FloatVector c70 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 7 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 7 * startStep]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                x = FloatVector.broadcast(SPECIES, a[at + aRow]);
                c10 = x.fma(b0, c10);
                x = FloatVector.broadcast(SPECIES, a[at + 2 * aRow]);
                c20 = x.fma(b0, c20);
                x = FloatVector.broadcast(SPECIES, a[at + 3 * aRow]);
                c30 = x.fma(b0, c30);
                x = FloatVector.broadcast(SPECIES, a[at + 4 * aRow]);
                c40 = x.fma(b0, c40);
                x = FloatVector.broadcast(SPECIES, a[at + 5 * aRow]);
                c50 = x.fma(b0, c50);
                x = FloatVector.broadcast(SPECIES, a[at + 6 * aRow]);
                c60 = x.fma(b0, c60);
                x = FloatVector.broadcast(SPECIES, a[at + 7 * aRow]);
                c70 = x.fma(b0, c70);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
            c10.intoArray(c, to + cRow);
            c20.intoArray(c, to + 2 * cRow);
            c30.intoArray(c, to + 3 * cRow);
            c40.intoArray(c, to + 4 * cRow);
            c50.intoArray(c, to + 5 * cRow);
            c60.intoArray(c, to + 6 * cRow);
            c70.intoArray(c, to + 7 * cRow);
        }
    }

    /** 4 rows at a time, one vector wide. */
    static void by4x1(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 4) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c10 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            FloatVector c20 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 2 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 2 * startStep]);
            FloatVector c30 = go
                    ? FloatVector.fromArray(SPECIES, c, to + 3 * cRow)
                    : FloatVector.broadcast(SPECIES, start[st + 3 * startStep]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                x = FloatVector.broadcast(SPECIES, a[at + aRow]);
                c10 = x.fma(b0, c10);
                x = FloatVector.broadcast(SPECIES, a[at + 2 * aRow]);
                c20 = x.fma(b0, c20);
                x = FloatVector.broadcast(SPECIES, a[at + 3 * aRow]);
                c30 = x.fma(b0, c30);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
            c10.intoArray(c, to + cRow);
            c20.intoArray(c, to + 2 * cRow);
            c30.intoArray(c, to + 3 * cRow);
        }
    }

    /** 2 rows at a time, one vector wide. */
    static void by2x1(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 2) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            FloatVector c10 = go
                    ? FloatVector.fromArray(SPECIES, c, to + cRow)
                    : FloatVector.broadcast(SPECIES, start[st + startStep]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                x = FloatVector.broadcast(SPECIES, a[at + aRow]);
                c10 = x.fma(b0, c10);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
            c10.intoArray(c, to + cRow);
        }
    }

    /** One row at a time, one vector wide. */
    static void by1x1(
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        for (int i = 0; i < rows; i += 1) {
            int to = cAt + i * cRow;
            int st = startAt + i * startStep;
            FloatVector c00 = go ? FloatVector.fromArray(SPECIES, c, to) : FloatVector.broadcast(SPECIES, start[st]);
            int at = aAt + i * aRow;
            int from = bAt;
            for (int p = 0; p < depth; p++) {
                FloatVector b0 = FloatVector.fromArray(SPECIES, b, from);
                FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
                c00 = x.fma(b0, c00);
                at += aStep;
                from += bRow;
            }
            c00.intoArray(c, to);
        }
    }
}
