package hocket.programs.jvm;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Arranges blocks of operands in scratch memory, as {@link Scratch} says. */
final class VectorPanels {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;
    private static final int LANES = Scratch.LANES;
    private static final int PANEL = Scratch.PANEL;
    private static final int DEPTH = Scratch.DEPTH;

    private static final VectorSpecies<Float> WIDE = FloatVector.SPECIES_512;
    private static final VectorSpecies<Integer> BITS = IntVector.SPECIES_512;

    private static final IntVector ODD_8 = odd(8);
    private static final VectorShuffle<Integer> DOWN_8 = VectorShuffle.iota(BITS, 8, 1, true);
    private static final VectorShuffle<Integer> UP_8 = VectorShuffle.iota(BITS, 8, 1, true);

    private static final IntVector ODD_4 = odd(4);
    private static final VectorShuffle<Integer> DOWN_4 = VectorShuffle.iota(BITS, 4, 1, true);
    private static final VectorShuffle<Integer> UP_4 = VectorShuffle.iota(BITS, 12, 1, true);

    private static final IntVector ODD_2 = odd(2);
    private static final VectorShuffle<Integer> DOWN_2 = VectorShuffle.iota(BITS, 2, 1, true);
    private static final VectorShuffle<Integer> UP_2 = VectorShuffle.iota(BITS, 14, 1, true);

    private static final IntVector ODD_1 = odd(1);
    private static final VectorShuffle<Integer> DOWN_1 = VectorShuffle.iota(BITS, 1, 1, true);
    private static final VectorShuffle<Integer> UP_1 = VectorShuffle.iota(BITS, 15, 1, true);

    private VectorPanels() {}

    /** All ones in the lanes whose number has this bit. */
    static IntVector odd(int bit) {
        int[] lanes = new int[LANES];
        for (int i = 0; i < LANES; i++) {
            lanes[i] = (i & bit) == 0 ? 0 : -1;
        }
        return IntVector.fromArray(BITS, lanes, 0);
    }

    /** Copies rows of B to panels. */
    static void copy(float[] b, int bAt, int bRow, int depth, int columns, float[] right) {
        for (int k = 0; k < columns; k += PANEL) {
            int width = Math.min(PANEL, columns - k);
            for (int p = 0; p < depth; p++) {
                int from = bAt + p * bRow + k;
                int to = k * DEPTH + p * PANEL;
                for (int j = 0; j < width; j += LENGTH) {
                    FloatVector.fromArray(SPECIES, b, from + j).intoArray(right, to + j);
                }
            }
        }
    }

    /** Copies rows of a turned A, of which A(i, p) is at {@code aAt + p·aStep + i}, to groups. */
    static void copyTurned(float[] a, int aAt, int aStep, int depth, int rows, float[] left) {
        for (int p = 0; p < depth; p++) {
            int from = aAt + p * aStep;
            int to = p * LANES;
            for (int i = 0; i < rows; i += LANES, to += LANES * DEPTH) {
                for (int l = 0; l < LANES; l += LENGTH) {
                    FloatVector.fromArray(SPECIES, a, from + i + l).intoArray(left, to + l);
                }
            }
        }
    }

    /** Turns columns of B, which lie in runs, to rows of panels; rows beyond the depth get what is in the runs' padding. */
    static void transpose(float[] b, int bAt, int bRow, int depth, int columns, float[] right) {
        int whole = LENGTH == LANES ? columns & -LANES : 0;
        for (int k = 0; k < whole; k += LANES) {
            squares(b, bAt + k * bRow, bRow, depth, right, k / PANEL * PANEL * DEPTH + k % PANEL);
        }
        for (int k = whole; k < columns; k++) {
            int to = k / PANEL * PANEL * DEPTH + k % PANEL;
            int from = bAt + k * bRow;
            for (int p = 0; p < depth; p++) {
                right[to + p * PANEL] = b[from + p];
            }
        }
    }

    /**
     * Turns 16 × 16 numbers at a time: in four rounds, rows whose numbers differ in one bit exchange the lanes whose
     * numbers do. With integers, since selecting by bits is one instruction, and by a mask of floats two.
     */
    private static void squares(float[] b, int bAt, int bRow, int depth, float[] right, int to) {
        for (int p = 0; p < depth; p += LANES) {
            int at = bAt + p;
            IntVector r0 = FloatVector.fromArray(WIDE, b, at).reinterpretAsInts();
            IntVector r1 = FloatVector.fromArray(WIDE, b, at + bRow).reinterpretAsInts();
            IntVector r2 = FloatVector.fromArray(WIDE, b, at + 2 * bRow).reinterpretAsInts();
            IntVector r3 = FloatVector.fromArray(WIDE, b, at + 3 * bRow).reinterpretAsInts();
            IntVector r4 = FloatVector.fromArray(WIDE, b, at + 4 * bRow).reinterpretAsInts();
            IntVector r5 = FloatVector.fromArray(WIDE, b, at + 5 * bRow).reinterpretAsInts();
            IntVector r6 = FloatVector.fromArray(WIDE, b, at + 6 * bRow).reinterpretAsInts();
            IntVector r7 = FloatVector.fromArray(WIDE, b, at + 7 * bRow).reinterpretAsInts();
            IntVector r8 = FloatVector.fromArray(WIDE, b, at + 8 * bRow).reinterpretAsInts();
            IntVector r9 = FloatVector.fromArray(WIDE, b, at + 9 * bRow).reinterpretAsInts();
            IntVector r10 = FloatVector.fromArray(WIDE, b, at + 10 * bRow).reinterpretAsInts();
            IntVector r11 = FloatVector.fromArray(WIDE, b, at + 11 * bRow).reinterpretAsInts();
            IntVector r12 = FloatVector.fromArray(WIDE, b, at + 12 * bRow).reinterpretAsInts();
            IntVector r13 = FloatVector.fromArray(WIDE, b, at + 13 * bRow).reinterpretAsInts();
            IntVector r14 = FloatVector.fromArray(WIDE, b, at + 14 * bRow).reinterpretAsInts();
            IntVector r15 = FloatVector.fromArray(WIDE, b, at + 15 * bRow).reinterpretAsInts();
            IntVector u800 = r8.rearrange(UP_8);
            IntVector d800 = r0.rearrange(DOWN_8);
            r0 = r0.lanewise(
                    VectorOperators.XOR, r0.lanewise(VectorOperators.XOR, u800).lanewise(VectorOperators.AND, ODD_8));
            r8 = d800.lanewise(
                    VectorOperators.XOR, d800.lanewise(VectorOperators.XOR, r8).lanewise(VectorOperators.AND, ODD_8));
            IntVector u801 = r9.rearrange(UP_8);
            IntVector d801 = r1.rearrange(DOWN_8);
            r1 = r1.lanewise(
                    VectorOperators.XOR, r1.lanewise(VectorOperators.XOR, u801).lanewise(VectorOperators.AND, ODD_8));
            r9 = d801.lanewise(
                    VectorOperators.XOR, d801.lanewise(VectorOperators.XOR, r9).lanewise(VectorOperators.AND, ODD_8));
            IntVector u802 = r10.rearrange(UP_8);
            IntVector d802 = r2.rearrange(DOWN_8);
            r2 = r2.lanewise(
                    VectorOperators.XOR, r2.lanewise(VectorOperators.XOR, u802).lanewise(VectorOperators.AND, ODD_8));
            r10 = d802.lanewise(
                    VectorOperators.XOR, d802.lanewise(VectorOperators.XOR, r10).lanewise(VectorOperators.AND, ODD_8));
            IntVector u803 = r11.rearrange(UP_8);
            IntVector d803 = r3.rearrange(DOWN_8);
            r3 = r3.lanewise(
                    VectorOperators.XOR, r3.lanewise(VectorOperators.XOR, u803).lanewise(VectorOperators.AND, ODD_8));
            r11 = d803.lanewise(
                    VectorOperators.XOR, d803.lanewise(VectorOperators.XOR, r11).lanewise(VectorOperators.AND, ODD_8));
            IntVector u804 = r12.rearrange(UP_8);
            IntVector d804 = r4.rearrange(DOWN_8);
            r4 = r4.lanewise(
                    VectorOperators.XOR, r4.lanewise(VectorOperators.XOR, u804).lanewise(VectorOperators.AND, ODD_8));
            r12 = d804.lanewise(
                    VectorOperators.XOR, d804.lanewise(VectorOperators.XOR, r12).lanewise(VectorOperators.AND, ODD_8));
            IntVector u805 = r13.rearrange(UP_8);
            IntVector d805 = r5.rearrange(DOWN_8);
            r5 = r5.lanewise(
                    VectorOperators.XOR, r5.lanewise(VectorOperators.XOR, u805).lanewise(VectorOperators.AND, ODD_8));
            r13 = d805.lanewise(
                    VectorOperators.XOR, d805.lanewise(VectorOperators.XOR, r13).lanewise(VectorOperators.AND, ODD_8));
            IntVector u806 = r14.rearrange(UP_8);
            IntVector d806 = r6.rearrange(DOWN_8);
            r6 = r6.lanewise(
                    VectorOperators.XOR, r6.lanewise(VectorOperators.XOR, u806).lanewise(VectorOperators.AND, ODD_8));
            r14 = d806.lanewise(
                    VectorOperators.XOR, d806.lanewise(VectorOperators.XOR, r14).lanewise(VectorOperators.AND, ODD_8));
            IntVector u807 = r15.rearrange(UP_8);
            IntVector d807 = r7.rearrange(DOWN_8);
            r7 = r7.lanewise(
                    VectorOperators.XOR, r7.lanewise(VectorOperators.XOR, u807).lanewise(VectorOperators.AND, ODD_8));
            r15 = d807.lanewise(
                    VectorOperators.XOR, d807.lanewise(VectorOperators.XOR, r15).lanewise(VectorOperators.AND, ODD_8));
            IntVector u400 = r4.rearrange(UP_4);
            IntVector d400 = r0.rearrange(DOWN_4);
            r0 = r0.lanewise(
                    VectorOperators.XOR, r0.lanewise(VectorOperators.XOR, u400).lanewise(VectorOperators.AND, ODD_4));
            r4 = d400.lanewise(
                    VectorOperators.XOR, d400.lanewise(VectorOperators.XOR, r4).lanewise(VectorOperators.AND, ODD_4));
            IntVector u401 = r5.rearrange(UP_4);
            IntVector d401 = r1.rearrange(DOWN_4);
            r1 = r1.lanewise(
                    VectorOperators.XOR, r1.lanewise(VectorOperators.XOR, u401).lanewise(VectorOperators.AND, ODD_4));
            r5 = d401.lanewise(
                    VectorOperators.XOR, d401.lanewise(VectorOperators.XOR, r5).lanewise(VectorOperators.AND, ODD_4));
            IntVector u402 = r6.rearrange(UP_4);
            IntVector d402 = r2.rearrange(DOWN_4);
            r2 = r2.lanewise(
                    VectorOperators.XOR, r2.lanewise(VectorOperators.XOR, u402).lanewise(VectorOperators.AND, ODD_4));
            r6 = d402.lanewise(
                    VectorOperators.XOR, d402.lanewise(VectorOperators.XOR, r6).lanewise(VectorOperators.AND, ODD_4));
            IntVector u403 = r7.rearrange(UP_4);
            IntVector d403 = r3.rearrange(DOWN_4);
            r3 = r3.lanewise(
                    VectorOperators.XOR, r3.lanewise(VectorOperators.XOR, u403).lanewise(VectorOperators.AND, ODD_4));
            r7 = d403.lanewise(
                    VectorOperators.XOR, d403.lanewise(VectorOperators.XOR, r7).lanewise(VectorOperators.AND, ODD_4));
            IntVector u408 = r12.rearrange(UP_4);
            IntVector d408 = r8.rearrange(DOWN_4);
            r8 = r8.lanewise(
                    VectorOperators.XOR, r8.lanewise(VectorOperators.XOR, u408).lanewise(VectorOperators.AND, ODD_4));
            r12 = d408.lanewise(
                    VectorOperators.XOR, d408.lanewise(VectorOperators.XOR, r12).lanewise(VectorOperators.AND, ODD_4));
            IntVector u409 = r13.rearrange(UP_4);
            IntVector d409 = r9.rearrange(DOWN_4);
            r9 = r9.lanewise(
                    VectorOperators.XOR, r9.lanewise(VectorOperators.XOR, u409).lanewise(VectorOperators.AND, ODD_4));
            r13 = d409.lanewise(
                    VectorOperators.XOR, d409.lanewise(VectorOperators.XOR, r13).lanewise(VectorOperators.AND, ODD_4));
            IntVector u410 = r14.rearrange(UP_4);
            IntVector d410 = r10.rearrange(DOWN_4);
            r10 = r10.lanewise(
                    VectorOperators.XOR, r10.lanewise(VectorOperators.XOR, u410).lanewise(VectorOperators.AND, ODD_4));
            r14 = d410.lanewise(
                    VectorOperators.XOR, d410.lanewise(VectorOperators.XOR, r14).lanewise(VectorOperators.AND, ODD_4));
            IntVector u411 = r15.rearrange(UP_4);
            IntVector d411 = r11.rearrange(DOWN_4);
            r11 = r11.lanewise(
                    VectorOperators.XOR, r11.lanewise(VectorOperators.XOR, u411).lanewise(VectorOperators.AND, ODD_4));
            r15 = d411.lanewise(
                    VectorOperators.XOR, d411.lanewise(VectorOperators.XOR, r15).lanewise(VectorOperators.AND, ODD_4));
            IntVector u200 = r2.rearrange(UP_2);
            IntVector d200 = r0.rearrange(DOWN_2);
            r0 = r0.lanewise(
                    VectorOperators.XOR, r0.lanewise(VectorOperators.XOR, u200).lanewise(VectorOperators.AND, ODD_2));
            r2 = d200.lanewise(
                    VectorOperators.XOR, d200.lanewise(VectorOperators.XOR, r2).lanewise(VectorOperators.AND, ODD_2));
            IntVector u201 = r3.rearrange(UP_2);
            IntVector d201 = r1.rearrange(DOWN_2);
            r1 = r1.lanewise(
                    VectorOperators.XOR, r1.lanewise(VectorOperators.XOR, u201).lanewise(VectorOperators.AND, ODD_2));
            r3 = d201.lanewise(
                    VectorOperators.XOR, d201.lanewise(VectorOperators.XOR, r3).lanewise(VectorOperators.AND, ODD_2));
            IntVector u204 = r6.rearrange(UP_2);
            IntVector d204 = r4.rearrange(DOWN_2);
            r4 = r4.lanewise(
                    VectorOperators.XOR, r4.lanewise(VectorOperators.XOR, u204).lanewise(VectorOperators.AND, ODD_2));
            r6 = d204.lanewise(
                    VectorOperators.XOR, d204.lanewise(VectorOperators.XOR, r6).lanewise(VectorOperators.AND, ODD_2));
            IntVector u205 = r7.rearrange(UP_2);
            IntVector d205 = r5.rearrange(DOWN_2);
            r5 = r5.lanewise(
                    VectorOperators.XOR, r5.lanewise(VectorOperators.XOR, u205).lanewise(VectorOperators.AND, ODD_2));
            r7 = d205.lanewise(
                    VectorOperators.XOR, d205.lanewise(VectorOperators.XOR, r7).lanewise(VectorOperators.AND, ODD_2));
            IntVector u208 = r10.rearrange(UP_2);
            IntVector d208 = r8.rearrange(DOWN_2);
            r8 = r8.lanewise(
                    VectorOperators.XOR, r8.lanewise(VectorOperators.XOR, u208).lanewise(VectorOperators.AND, ODD_2));
            r10 = d208.lanewise(
                    VectorOperators.XOR, d208.lanewise(VectorOperators.XOR, r10).lanewise(VectorOperators.AND, ODD_2));
            IntVector u209 = r11.rearrange(UP_2);
            IntVector d209 = r9.rearrange(DOWN_2);
            r9 = r9.lanewise(
                    VectorOperators.XOR, r9.lanewise(VectorOperators.XOR, u209).lanewise(VectorOperators.AND, ODD_2));
            r11 = d209.lanewise(
                    VectorOperators.XOR, d209.lanewise(VectorOperators.XOR, r11).lanewise(VectorOperators.AND, ODD_2));
            IntVector u212 = r14.rearrange(UP_2);
            IntVector d212 = r12.rearrange(DOWN_2);
            r12 = r12.lanewise(
                    VectorOperators.XOR, r12.lanewise(VectorOperators.XOR, u212).lanewise(VectorOperators.AND, ODD_2));
            r14 = d212.lanewise(
                    VectorOperators.XOR, d212.lanewise(VectorOperators.XOR, r14).lanewise(VectorOperators.AND, ODD_2));
            IntVector u213 = r15.rearrange(UP_2);
            IntVector d213 = r13.rearrange(DOWN_2);
            r13 = r13.lanewise(
                    VectorOperators.XOR, r13.lanewise(VectorOperators.XOR, u213).lanewise(VectorOperators.AND, ODD_2));
            r15 = d213.lanewise(
                    VectorOperators.XOR, d213.lanewise(VectorOperators.XOR, r15).lanewise(VectorOperators.AND, ODD_2));
            IntVector u100 = r1.rearrange(UP_1);
            IntVector d100 = r0.rearrange(DOWN_1);
            r0 = r0.lanewise(
                    VectorOperators.XOR, r0.lanewise(VectorOperators.XOR, u100).lanewise(VectorOperators.AND, ODD_1));
            r1 = d100.lanewise(
                    VectorOperators.XOR, d100.lanewise(VectorOperators.XOR, r1).lanewise(VectorOperators.AND, ODD_1));
            IntVector u102 = r3.rearrange(UP_1);
            IntVector d102 = r2.rearrange(DOWN_1);
            r2 = r2.lanewise(
                    VectorOperators.XOR, r2.lanewise(VectorOperators.XOR, u102).lanewise(VectorOperators.AND, ODD_1));
            r3 = d102.lanewise(
                    VectorOperators.XOR, d102.lanewise(VectorOperators.XOR, r3).lanewise(VectorOperators.AND, ODD_1));
            IntVector u104 = r5.rearrange(UP_1);
            IntVector d104 = r4.rearrange(DOWN_1);
            r4 = r4.lanewise(
                    VectorOperators.XOR, r4.lanewise(VectorOperators.XOR, u104).lanewise(VectorOperators.AND, ODD_1));
            r5 = d104.lanewise(
                    VectorOperators.XOR, d104.lanewise(VectorOperators.XOR, r5).lanewise(VectorOperators.AND, ODD_1));
            IntVector u106 = r7.rearrange(UP_1);
            IntVector d106 = r6.rearrange(DOWN_1);
            r6 = r6.lanewise(
                    VectorOperators.XOR, r6.lanewise(VectorOperators.XOR, u106).lanewise(VectorOperators.AND, ODD_1));
            r7 = d106.lanewise(
                    VectorOperators.XOR, d106.lanewise(VectorOperators.XOR, r7).lanewise(VectorOperators.AND, ODD_1));
            IntVector u108 = r9.rearrange(UP_1);
            IntVector d108 = r8.rearrange(DOWN_1);
            r8 = r8.lanewise(
                    VectorOperators.XOR, r8.lanewise(VectorOperators.XOR, u108).lanewise(VectorOperators.AND, ODD_1));
            r9 = d108.lanewise(
                    VectorOperators.XOR, d108.lanewise(VectorOperators.XOR, r9).lanewise(VectorOperators.AND, ODD_1));
            IntVector u110 = r11.rearrange(UP_1);
            IntVector d110 = r10.rearrange(DOWN_1);
            r10 = r10.lanewise(
                    VectorOperators.XOR, r10.lanewise(VectorOperators.XOR, u110).lanewise(VectorOperators.AND, ODD_1));
            r11 = d110.lanewise(
                    VectorOperators.XOR, d110.lanewise(VectorOperators.XOR, r11).lanewise(VectorOperators.AND, ODD_1));
            IntVector u112 = r13.rearrange(UP_1);
            IntVector d112 = r12.rearrange(DOWN_1);
            r12 = r12.lanewise(
                    VectorOperators.XOR, r12.lanewise(VectorOperators.XOR, u112).lanewise(VectorOperators.AND, ODD_1));
            r13 = d112.lanewise(
                    VectorOperators.XOR, d112.lanewise(VectorOperators.XOR, r13).lanewise(VectorOperators.AND, ODD_1));
            IntVector u114 = r15.rearrange(UP_1);
            IntVector d114 = r14.rearrange(DOWN_1);
            r14 = r14.lanewise(
                    VectorOperators.XOR, r14.lanewise(VectorOperators.XOR, u114).lanewise(VectorOperators.AND, ODD_1));
            r15 = d114.lanewise(
                    VectorOperators.XOR, d114.lanewise(VectorOperators.XOR, r15).lanewise(VectorOperators.AND, ODD_1));
            int into = to + p * PANEL;
            r0.reinterpretAsFloats().intoArray(right, into);
            r1.reinterpretAsFloats().intoArray(right, into + PANEL);
            r2.reinterpretAsFloats().intoArray(right, into + 2 * PANEL);
            r3.reinterpretAsFloats().intoArray(right, into + 3 * PANEL);
            r4.reinterpretAsFloats().intoArray(right, into + 4 * PANEL);
            r5.reinterpretAsFloats().intoArray(right, into + 5 * PANEL);
            r6.reinterpretAsFloats().intoArray(right, into + 6 * PANEL);
            r7.reinterpretAsFloats().intoArray(right, into + 7 * PANEL);
            r8.reinterpretAsFloats().intoArray(right, into + 8 * PANEL);
            r9.reinterpretAsFloats().intoArray(right, into + 9 * PANEL);
            r10.reinterpretAsFloats().intoArray(right, into + 10 * PANEL);
            r11.reinterpretAsFloats().intoArray(right, into + 11 * PANEL);
            r12.reinterpretAsFloats().intoArray(right, into + 12 * PANEL);
            r13.reinterpretAsFloats().intoArray(right, into + 13 * PANEL);
            r14.reinterpretAsFloats().intoArray(right, into + 14 * PANEL);
            r15.reinterpretAsFloats().intoArray(right, into + 15 * PANEL);
        }
    }
}
