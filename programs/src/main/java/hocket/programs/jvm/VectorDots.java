package hocket.programs.jvm;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products of runs with runs, {@code C(i,j) = [C(i,j) +] the sum of products of run i and run j}, as 16 interleaved
 * partial sums each: nothing has to be turned, which pays where one of the two is few runs.
 */
final class VectorDots {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_512;
    private static final VectorSpecies<Integer> BITS = IntVector.SPECIES_512;
    private static final int LANES = Scratch.LANES;
    private static final FloatVector IOTA = FloatVector.zero(SPECIES).addIndex(1);

    private static final IntVector ODD_8 = odd(8);
    private static final VectorShuffle<Integer> BY_8 = VectorShuffle.iota(BITS, 8, 1, true);

    private static final IntVector ODD_4 = odd(4);
    private static final VectorShuffle<Integer> BY_4 = VectorShuffle.iota(BITS, 4, 1, true);
    private static final VectorShuffle<Integer> BACK_4 = VectorShuffle.iota(BITS, 12, 1, true);

    private static final IntVector ODD_2 = odd(2);
    private static final VectorShuffle<Integer> BY_2 = VectorShuffle.iota(BITS, 2, 1, true);
    private static final VectorShuffle<Integer> BACK_2 = VectorShuffle.iota(BITS, 14, 1, true);

    private static final IntVector ODD_1 = odd(1);
    private static final VectorShuffle<Integer> BY_1 = VectorShuffle.iota(BITS, 1, 1, true);
    private static final VectorShuffle<Integer> BACK_1 = VectorShuffle.iota(BITS, 15, 1, true);

    private VectorDots() {}

    /** All ones in the lanes whose number has this bit. */
    private static IntVector odd(int bit) {
        int[] lanes = new int[Scratch.LANES];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = (i & bit) == 0 ? 0 : -1;
        }
        return IntVector.fromArray(BITS, lanes, 0);
    }

    static void multiply(
            int i0,
            int i1,
            int j0,
            int j1,
            int count,
            float[] a,
            int aAt,
            int aRow,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean add,
            float[] tile) {
        for (int i = i0; i < i1; i += 4) {
            int rows = Math.min(4, i1 - i);
            for (int j = j0; j < j1; j += 4) {
                int wide = Math.min(4, j1 - j);
                if (VectorTiles.LENGTH == LANES) {
                    by4x4(count, a, aAt + i * aRow, aRow, rows, b, bAt + j * bRow, bRow, wide, tile);
                } else {
                    one(count, a, aAt + i * aRow, aRow, rows, b, bAt + j * bRow, bRow, wide, tile);
                }
                for (int r = 0; r < rows; r++) {
                    int to = cAt + (i + r) * cRow + j;
                    for (int s = 0; s < wide; s++) {
                        float sum = tile[4 * r + s];
                        c[to + s] = add ? c[to + s] + sum : sum;
                    }
                }
            }
        }
    }

    private static void one(
            int count, float[] a, int aAt, int aRow, int rows, float[] b, int bAt, int bRow, int wide, float[] tile) {
        for (int r = 0; r < rows; r++) {
            for (int s = 0; s < wide; s++) {
                tile[4 * r + s] = VectorSums.sumOfProducts(a, aAt + r * aRow, b, bAt + s * bRow, count);
            }
        }
    }

    /** Of fewer than four runs the last one stands for those that are missing. */
    private static void by4x4(
            int count, float[] a, int aAt, int aRow, int rows, float[] b, int bAt, int bRow, int wide, float[] tile) {
        int a1 = rows > 1 ? aAt + aRow : aAt;
        int a2 = rows > 2 ? a1 + aRow : a1;
        int a3 = rows > 3 ? a2 + aRow : a2;
        int b1 = wide > 1 ? bAt + bRow : bAt;
        int b2 = wide > 2 ? b1 + bRow : b1;
        int b3 = wide > 3 ? b2 + bRow : b2;
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector c00 = zero;
        FloatVector c01 = zero;
        FloatVector c02 = zero;
        FloatVector c03 = zero;
        FloatVector c10 = zero;
        FloatVector c11 = zero;
        FloatVector c12 = zero;
        FloatVector c13 = zero;
        FloatVector c20 = zero;
        FloatVector c21 = zero;
        FloatVector c22 = zero;
        FloatVector c23 = zero;
        FloatVector c30 = zero;
        FloatVector c31 = zero;
        FloatVector c32 = zero;
        FloatVector c33 = zero;
        int end = count & -LANES;
        for (int p = 0; p < end; p += LANES) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, b, bAt + p);
            FloatVector w1 = FloatVector.fromArray(SPECIES, b, b1 + p);
            FloatVector w2 = FloatVector.fromArray(SPECIES, b, b2 + p);
            FloatVector w3 = FloatVector.fromArray(SPECIES, b, b3 + p);
            FloatVector v = FloatVector.fromArray(SPECIES, a, aAt + p);
            c00 = v.fma(w0, c00);
            c01 = v.fma(w1, c01);
            c02 = v.fma(w2, c02);
            c03 = v.fma(w3, c03);
            v = FloatVector.fromArray(SPECIES, a, a1 + p);
            c10 = v.fma(w0, c10);
            c11 = v.fma(w1, c11);
            c12 = v.fma(w2, c12);
            c13 = v.fma(w3, c13);
            v = FloatVector.fromArray(SPECIES, a, a2 + p);
            c20 = v.fma(w0, c20);
            c21 = v.fma(w1, c21);
            c22 = v.fma(w2, c22);
            c23 = v.fma(w3, c23);
            v = FloatVector.fromArray(SPECIES, a, a3 + p);
            c30 = v.fma(w0, c30);
            c31 = v.fma(w1, c31);
            c32 = v.fma(w2, c32);
            c33 = v.fma(w3, c33);
        }
        if (end < count) {
            VectorMask<Float> left = IOTA.lt(count - end);
            FloatVector w0 = zero.blend(FloatVector.fromArray(SPECIES, b, bAt + end), left);
            FloatVector w1 = zero.blend(FloatVector.fromArray(SPECIES, b, b1 + end), left);
            FloatVector w2 = zero.blend(FloatVector.fromArray(SPECIES, b, b2 + end), left);
            FloatVector w3 = zero.blend(FloatVector.fromArray(SPECIES, b, b3 + end), left);
            FloatVector v = zero.blend(FloatVector.fromArray(SPECIES, a, aAt + end), left);
            c00 = v.fma(w0, c00);
            c01 = v.fma(w1, c01);
            c02 = v.fma(w2, c02);
            c03 = v.fma(w3, c03);
            v = zero.blend(FloatVector.fromArray(SPECIES, a, a1 + end), left);
            c10 = v.fma(w0, c10);
            c11 = v.fma(w1, c11);
            c12 = v.fma(w2, c12);
            c13 = v.fma(w3, c13);
            v = zero.blend(FloatVector.fromArray(SPECIES, a, a2 + end), left);
            c20 = v.fma(w0, c20);
            c21 = v.fma(w1, c21);
            c22 = v.fma(w2, c22);
            c23 = v.fma(w3, c23);
            v = zero.blend(FloatVector.fromArray(SPECIES, a, a3 + end), left);
            c30 = v.fma(w0, c30);
            c31 = v.fma(w1, c31);
            c32 = v.fma(w2, c32);
            c33 = v.fma(w3, c33);
        }
        // four rounds of the tree, each for two vectors at once: one's sums in the even groups of lanes, the other's in
        // the odd
        IntVector x800 = c00.reinterpretAsInts();
        IntVector y800 = c20.reinterpretAsInts();
        IntVector u800 = y800.rearrange(BY_8);
        IntVector d800 = x800.rearrange(BY_8);
        FloatVector s800 = x800.lanewise(
                        VectorOperators.XOR,
                        x800.lanewise(VectorOperators.XOR, u800).lanewise(VectorOperators.AND, ODD_8))
                .reinterpretAsFloats()
                .add(d800.lanewise(
                                VectorOperators.XOR,
                                d800.lanewise(VectorOperators.XOR, y800).lanewise(VectorOperators.AND, ODD_8))
                        .reinterpretAsFloats());
        IntVector x801 = c01.reinterpretAsInts();
        IntVector y801 = c21.reinterpretAsInts();
        IntVector u801 = y801.rearrange(BY_8);
        IntVector d801 = x801.rearrange(BY_8);
        FloatVector s801 = x801.lanewise(
                        VectorOperators.XOR,
                        x801.lanewise(VectorOperators.XOR, u801).lanewise(VectorOperators.AND, ODD_8))
                .reinterpretAsFloats()
                .add(d801.lanewise(
                                VectorOperators.XOR,
                                d801.lanewise(VectorOperators.XOR, y801).lanewise(VectorOperators.AND, ODD_8))
                        .reinterpretAsFloats());
        IntVector x802 = c02.reinterpretAsInts();
        IntVector y802 = c22.reinterpretAsInts();
        IntVector u802 = y802.rearrange(BY_8);
        IntVector d802 = x802.rearrange(BY_8);
        FloatVector s802 = x802.lanewise(
                        VectorOperators.XOR,
                        x802.lanewise(VectorOperators.XOR, u802).lanewise(VectorOperators.AND, ODD_8))
                .reinterpretAsFloats()
                .add(d802.lanewise(
                                VectorOperators.XOR,
                                d802.lanewise(VectorOperators.XOR, y802).lanewise(VectorOperators.AND, ODD_8))
                        .reinterpretAsFloats());
        IntVector x803 = c03.reinterpretAsInts();
        IntVector y803 = c23.reinterpretAsInts();
        IntVector u803 = y803.rearrange(BY_8);
        IntVector d803 = x803.rearrange(BY_8);
        FloatVector s803 = x803.lanewise(
                        VectorOperators.XOR,
                        x803.lanewise(VectorOperators.XOR, u803).lanewise(VectorOperators.AND, ODD_8))
                .reinterpretAsFloats()
                .add(d803.lanewise(
                                VectorOperators.XOR,
                                d803.lanewise(VectorOperators.XOR, y803).lanewise(VectorOperators.AND, ODD_8))
                        .reinterpretAsFloats());
        IntVector x804 = c10.reinterpretAsInts();
        IntVector y804 = c30.reinterpretAsInts();
        IntVector u804 = y804.rearrange(BY_8);
        IntVector d804 = x804.rearrange(BY_8);
        FloatVector s804 = x804.lanewise(
                        VectorOperators.XOR,
                        x804.lanewise(VectorOperators.XOR, u804).lanewise(VectorOperators.AND, ODD_8))
                .reinterpretAsFloats()
                .add(d804.lanewise(
                                VectorOperators.XOR,
                                d804.lanewise(VectorOperators.XOR, y804).lanewise(VectorOperators.AND, ODD_8))
                        .reinterpretAsFloats());
        IntVector x805 = c11.reinterpretAsInts();
        IntVector y805 = c31.reinterpretAsInts();
        IntVector u805 = y805.rearrange(BY_8);
        IntVector d805 = x805.rearrange(BY_8);
        FloatVector s805 = x805.lanewise(
                        VectorOperators.XOR,
                        x805.lanewise(VectorOperators.XOR, u805).lanewise(VectorOperators.AND, ODD_8))
                .reinterpretAsFloats()
                .add(d805.lanewise(
                                VectorOperators.XOR,
                                d805.lanewise(VectorOperators.XOR, y805).lanewise(VectorOperators.AND, ODD_8))
                        .reinterpretAsFloats());
        IntVector x806 = c12.reinterpretAsInts();
        IntVector y806 = c32.reinterpretAsInts();
        IntVector u806 = y806.rearrange(BY_8);
        IntVector d806 = x806.rearrange(BY_8);
        FloatVector s806 = x806.lanewise(
                        VectorOperators.XOR,
                        x806.lanewise(VectorOperators.XOR, u806).lanewise(VectorOperators.AND, ODD_8))
                .reinterpretAsFloats()
                .add(d806.lanewise(
                                VectorOperators.XOR,
                                d806.lanewise(VectorOperators.XOR, y806).lanewise(VectorOperators.AND, ODD_8))
                        .reinterpretAsFloats());
        IntVector x807 = c13.reinterpretAsInts();
        IntVector y807 = c33.reinterpretAsInts();
        IntVector u807 = y807.rearrange(BY_8);
        IntVector d807 = x807.rearrange(BY_8);
        FloatVector s807 = x807.lanewise(
                        VectorOperators.XOR,
                        x807.lanewise(VectorOperators.XOR, u807).lanewise(VectorOperators.AND, ODD_8))
                .reinterpretAsFloats()
                .add(d807.lanewise(
                                VectorOperators.XOR,
                                d807.lanewise(VectorOperators.XOR, y807).lanewise(VectorOperators.AND, ODD_8))
                        .reinterpretAsFloats());
        IntVector x400 = s800.reinterpretAsInts();
        IntVector y400 = s804.reinterpretAsInts();
        IntVector u400 = y400.rearrange(BACK_4);
        IntVector d400 = x400.rearrange(BY_4);
        FloatVector s400 = x400.lanewise(
                        VectorOperators.XOR,
                        x400.lanewise(VectorOperators.XOR, u400).lanewise(VectorOperators.AND, ODD_4))
                .reinterpretAsFloats()
                .add(d400.lanewise(
                                VectorOperators.XOR,
                                d400.lanewise(VectorOperators.XOR, y400).lanewise(VectorOperators.AND, ODD_4))
                        .reinterpretAsFloats());
        IntVector x401 = s801.reinterpretAsInts();
        IntVector y401 = s805.reinterpretAsInts();
        IntVector u401 = y401.rearrange(BACK_4);
        IntVector d401 = x401.rearrange(BY_4);
        FloatVector s401 = x401.lanewise(
                        VectorOperators.XOR,
                        x401.lanewise(VectorOperators.XOR, u401).lanewise(VectorOperators.AND, ODD_4))
                .reinterpretAsFloats()
                .add(d401.lanewise(
                                VectorOperators.XOR,
                                d401.lanewise(VectorOperators.XOR, y401).lanewise(VectorOperators.AND, ODD_4))
                        .reinterpretAsFloats());
        IntVector x402 = s802.reinterpretAsInts();
        IntVector y402 = s806.reinterpretAsInts();
        IntVector u402 = y402.rearrange(BACK_4);
        IntVector d402 = x402.rearrange(BY_4);
        FloatVector s402 = x402.lanewise(
                        VectorOperators.XOR,
                        x402.lanewise(VectorOperators.XOR, u402).lanewise(VectorOperators.AND, ODD_4))
                .reinterpretAsFloats()
                .add(d402.lanewise(
                                VectorOperators.XOR,
                                d402.lanewise(VectorOperators.XOR, y402).lanewise(VectorOperators.AND, ODD_4))
                        .reinterpretAsFloats());
        IntVector x403 = s803.reinterpretAsInts();
        IntVector y403 = s807.reinterpretAsInts();
        IntVector u403 = y403.rearrange(BACK_4);
        IntVector d403 = x403.rearrange(BY_4);
        FloatVector s403 = x403.lanewise(
                        VectorOperators.XOR,
                        x403.lanewise(VectorOperators.XOR, u403).lanewise(VectorOperators.AND, ODD_4))
                .reinterpretAsFloats()
                .add(d403.lanewise(
                                VectorOperators.XOR,
                                d403.lanewise(VectorOperators.XOR, y403).lanewise(VectorOperators.AND, ODD_4))
                        .reinterpretAsFloats());
        IntVector x200 = s400.reinterpretAsInts();
        IntVector y200 = s402.reinterpretAsInts();
        IntVector u200 = y200.rearrange(BACK_2);
        IntVector d200 = x200.rearrange(BY_2);
        FloatVector s200 = x200.lanewise(
                        VectorOperators.XOR,
                        x200.lanewise(VectorOperators.XOR, u200).lanewise(VectorOperators.AND, ODD_2))
                .reinterpretAsFloats()
                .add(d200.lanewise(
                                VectorOperators.XOR,
                                d200.lanewise(VectorOperators.XOR, y200).lanewise(VectorOperators.AND, ODD_2))
                        .reinterpretAsFloats());
        IntVector x201 = s401.reinterpretAsInts();
        IntVector y201 = s403.reinterpretAsInts();
        IntVector u201 = y201.rearrange(BACK_2);
        IntVector d201 = x201.rearrange(BY_2);
        FloatVector s201 = x201.lanewise(
                        VectorOperators.XOR,
                        x201.lanewise(VectorOperators.XOR, u201).lanewise(VectorOperators.AND, ODD_2))
                .reinterpretAsFloats()
                .add(d201.lanewise(
                                VectorOperators.XOR,
                                d201.lanewise(VectorOperators.XOR, y201).lanewise(VectorOperators.AND, ODD_2))
                        .reinterpretAsFloats());
        IntVector x100 = s200.reinterpretAsInts();
        IntVector y100 = s201.reinterpretAsInts();
        IntVector u100 = y100.rearrange(BACK_1);
        IntVector d100 = x100.rearrange(BY_1);
        FloatVector s100 = x100.lanewise(
                        VectorOperators.XOR,
                        x100.lanewise(VectorOperators.XOR, u100).lanewise(VectorOperators.AND, ODD_1))
                .reinterpretAsFloats()
                .add(d100.lanewise(
                                VectorOperators.XOR,
                                d100.lanewise(VectorOperators.XOR, y100).lanewise(VectorOperators.AND, ODD_1))
                        .reinterpretAsFloats());
        s100.intoArray(tile, 0);
    }
}
