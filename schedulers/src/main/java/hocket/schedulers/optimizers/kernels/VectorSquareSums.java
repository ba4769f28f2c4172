package hocket.schedulers.optimizers.kernels;

import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums of squares by vectors, in the order of {@link PartialSums}. The two methods differ in how an element becomes a
 * double. One thread at a time.
 */
final class VectorSquareSums {
    /** At most 512 bits, so that four vectors hold at most all partial sums. */
    private static final VectorSpecies<Double> DOUBLES =
            DoubleVector.SPECIES_PREFERRED.length() <= 8 ? DoubleVector.SPECIES_PREFERRED : DoubleVector.SPECIES_512;

    /** As many floats as there are doubles. */
    private static final VectorSpecies<Float> FLOATS =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private static final int LENGTH = DOUBLES.length();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final boolean BUFFERS = VectorMemory.BUFFERS;
    private static final MethodHandle LOAD_FLOATS = VectorMemory.load(FloatVector.class, VectorSpecies.class, FLOATS);
    private static final MethodHandle LOAD_DOUBLES =
            VectorMemory.load(DoubleVector.class, VectorSpecies.class, DOUBLES);

    private final double[] sums = new double[PartialSums.COUNT];

    double ofFloats(Reals values, int from, int to) {
        Object memory = values.memory();
        Arrays.fill(sums, 0);
        int end = to - (to - from) % PartialSums.COUNT;
        try {
            for (int j = 0; j < PartialSums.COUNT; j += 4 * LENGTH) {
                DoubleVector s0 = DoubleVector.zero(DOUBLES);
                DoubleVector s1 = s0;
                DoubleVector s2 = s0;
                DoubleVector s3 = s0;
                for (int i = from + j; i < end; i += PartialSums.COUNT) {
                    int at = i * Float.BYTES;
                    DoubleVector x0 = (DoubleVector) (BUFFERS
                                    ? FloatVector.fromByteBuffer(FLOATS, (ByteBuffer) memory, at, ORDER)
                                    : (FloatVector) LOAD_FLOATS.invokeExact(memory, at))
                            .convertShape(VectorOperators.F2D, DOUBLES, 0);
                    DoubleVector x1 = (DoubleVector) (BUFFERS
                                    ? FloatVector.fromByteBuffer(
                                            FLOATS, (ByteBuffer) memory, at + LENGTH * Float.BYTES, ORDER)
                                    : (FloatVector) LOAD_FLOATS.invokeExact(memory, at + LENGTH * Float.BYTES))
                            .convertShape(VectorOperators.F2D, DOUBLES, 0);
                    DoubleVector x2 = (DoubleVector) (BUFFERS
                                    ? FloatVector.fromByteBuffer(
                                            FLOATS, (ByteBuffer) memory, at + 2 * LENGTH * Float.BYTES, ORDER)
                                    : (FloatVector) LOAD_FLOATS.invokeExact(memory, at + 2 * LENGTH * Float.BYTES))
                            .convertShape(VectorOperators.F2D, DOUBLES, 0);
                    DoubleVector x3 = (DoubleVector) (BUFFERS
                                    ? FloatVector.fromByteBuffer(
                                            FLOATS, (ByteBuffer) memory, at + 3 * LENGTH * Float.BYTES, ORDER)
                                    : (FloatVector) LOAD_FLOATS.invokeExact(memory, at + 3 * LENGTH * Float.BYTES))
                            .convertShape(VectorOperators.F2D, DOUBLES, 0);
                    s0 = s0.add(x0.mul(x0));
                    s1 = s1.add(x1.mul(x1));
                    s2 = s2.add(x2.mul(x2));
                    s3 = s3.add(x3.mul(x3));
                }
                s0.intoArray(sums, j);
                s1.intoArray(sums, j + LENGTH);
                s2.intoArray(sums, j + 2 * LENGTH);
                s3.intoArray(sums, j + 3 * LENGTH);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        for (int i = end; i < to; i++) {
            double x = values.floats().get(i);
            sums[i - end] += x * x;
        }
        return PartialSums.total(sums);
    }

    double ofDoubles(Reals values, int from, int to) {
        Object memory = values.memory();
        Arrays.fill(sums, 0);
        int end = to - (to - from) % PartialSums.COUNT;
        try {
            for (int j = 0; j < PartialSums.COUNT; j += 4 * LENGTH) {
                DoubleVector s0 = DoubleVector.zero(DOUBLES);
                DoubleVector s1 = s0;
                DoubleVector s2 = s0;
                DoubleVector s3 = s0;
                for (int i = from + j; i < end; i += PartialSums.COUNT) {
                    int at = i * Double.BYTES;
                    DoubleVector x0 = BUFFERS
                            ? DoubleVector.fromByteBuffer(DOUBLES, (ByteBuffer) memory, at, ORDER)
                            : (DoubleVector) LOAD_DOUBLES.invokeExact(memory, at);
                    DoubleVector x1 = BUFFERS
                            ? DoubleVector.fromByteBuffer(
                                    DOUBLES, (ByteBuffer) memory, at + LENGTH * Double.BYTES, ORDER)
                            : (DoubleVector) LOAD_DOUBLES.invokeExact(memory, at + LENGTH * Double.BYTES);
                    DoubleVector x2 = BUFFERS
                            ? DoubleVector.fromByteBuffer(
                                    DOUBLES, (ByteBuffer) memory, at + 2 * LENGTH * Double.BYTES, ORDER)
                            : (DoubleVector) LOAD_DOUBLES.invokeExact(memory, at + 2 * LENGTH * Double.BYTES);
                    DoubleVector x3 = BUFFERS
                            ? DoubleVector.fromByteBuffer(
                                    DOUBLES, (ByteBuffer) memory, at + 3 * LENGTH * Double.BYTES, ORDER)
                            : (DoubleVector) LOAD_DOUBLES.invokeExact(memory, at + 3 * LENGTH * Double.BYTES);
                    s0 = s0.add(x0.mul(x0));
                    s1 = s1.add(x1.mul(x1));
                    s2 = s2.add(x2.mul(x2));
                    s3 = s3.add(x3.mul(x3));
                }
                s0.intoArray(sums, j);
                s1.intoArray(sums, j + LENGTH);
                s2.intoArray(sums, j + 2 * LENGTH);
                s3.intoArray(sums, j + 3 * LENGTH);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        for (int i = end; i < to; i++) {
            double x = values.doubles().get(i);
            sums[i - end] += x * x;
        }
        return PartialSums.total(sums);
    }
}
