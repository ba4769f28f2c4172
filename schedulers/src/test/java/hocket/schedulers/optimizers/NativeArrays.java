package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.kernels.Operands;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/** Arrays for tests: made, copied, read. */
public final class NativeArrays {
    private NativeArrays() {}

    public static Reals zeros(ElementType type, int length) {
        return Reals.of(Device.jvm().allocate(Shape.of(length), type));
    }

    public static Reals of(ElementType type, double... values) {
        Reals made = zeros(type, values.length);
        set(made, values);
        return made;
    }

    public static Reals filled(ElementType type, int length, DoubleSupplier next) {
        double[] values = new double[length];
        Arrays.setAll(values, i -> next.getAsDouble());
        return of(type, values);
    }

    public static Reals copy(Reals original) {
        Reals made = zeros(original.type(), original.length());
        Kernels.copy(made, original, 0, made.length());
        return made;
    }

    public static Operands copy(Operands original) {
        return new Operands(
                copy(original.weight()),
                copy(original.gradient()),
                original.slots().stream().map(NativeArrays::copy).toList());
    }

    /** Weights and gradients in -1..1. */
    public static Target target(String path, ElementType type, int length, SplittableRandom random) {
        DoubleSupplier next = () -> 2 * random.nextDouble() - 1;
        return Target.of(path, filled(type, length, next), filled(type, length, next));
    }

    public static void set(Reals array, double... values) {
        for (int i = 0; i < values.length; i++) {
            if (array.type() == ElementType.FLOAT32) {
                array.floats().put(i, (float) values[i]);
            } else {
                array.doubles().put(i, values[i]);
            }
        }
    }

    public static double get(Reals array, int i) {
        return array.type() == ElementType.FLOAT32
                ? array.floats().get(i)
                : array.doubles().get(i);
    }

    public static double[] values(Reals array) {
        double[] values = new double[array.length()];
        Arrays.setAll(values, i -> get(array, i));
        return values;
    }

    /** The bits of each element, all NaN alike: which NaN an operation gives is left open by the language. */
    public static long[] bits(Reals array) {
        long[] bits = new long[array.length()];
        Arrays.setAll(
                bits,
                i -> array.type() == ElementType.FLOAT32
                        ? Float.floatToIntBits(array.floats().get(i))
                        : Double.doubleToLongBits(array.doubles().get(i)));
        return bits;
    }
}
