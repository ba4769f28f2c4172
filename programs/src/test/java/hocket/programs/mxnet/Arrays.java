package hocket.programs.mxnet;

import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Random;

/** Arrays for tests, filled and read as a whole. */
final class Arrays {
    private Arrays() {}

    static MxArray floats(Shape shape, float... values) {
        MxArray array = MxArray.create(shape, ElementType.FLOAT32);
        write(array, values);
        return array;
    }

    static MxArray zeros(Shape shape) {
        return MxArray.create(shape, ElementType.FLOAT32);
    }

    /** Normal values of the given spread, the same for the same seed. */
    static MxArray normal(long seed, double spread, Shape shape) {
        Random random = new Random(seed);
        float[] values = new float[shape.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (random.nextGaussian() * spread);
        }
        return floats(shape, values);
    }

    static MxArray doubles(Shape shape, double... values) {
        MxArray array = MxArray.create(shape, ElementType.FLOAT64);
        array.buffer().asDoubleBuffer().put(values);
        return array;
    }

    static void write(MxArray array, float... values) {
        array.buffer().asFloatBuffer().put(values);
    }

    static float[] read(MxArray array) {
        float[] values = new float[array.shape().size()];
        array.buffer().asFloatBuffer().get(values);
        return values;
    }

    static double[] readDoubles(MxArray array) {
        double[] values = new double[array.shape().size()];
        array.buffer().asDoubleBuffer().get(values);
        return values;
    }
}
