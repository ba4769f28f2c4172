package hocket.schedulers.optimizers.kernels;

import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.optimizers.Sgd;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.lang.reflect.Constructor;
import java.util.Optional;

/** The classes that need the incubator module: looked up by name and tried, once, so that no JVM without it links them. */
record VectorLoopProvider(Constructor<? extends Loops> ofFloats, Constructor<? extends Loops> ofDoubles) {
    /** Empty where the JVM was started without the module, or lacks a method that the classes need. */
    static final Optional<VectorLoopProvider> FOUND = find();

    private static final int TRIAL = 4 * PartialSums.COUNT;

    private static Optional<VectorLoopProvider> find() {
        if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
            return Optional.empty();
        }
        try {
            VectorLoopProvider found =
                    new VectorLoopProvider(constructor("VectorFloats"), constructor("VectorDoubles"));
            run(found.floats(), ElementType.FLOAT32);
            run(found.doubles(), ElementType.FLOAT64);
            return Optional.of(found);
        } catch (ReflectiveOperationException | LinkageError e) {
            return Optional.empty();
        }
    }

    private static Constructor<? extends Loops> constructor(String name) throws ReflectiveOperationException {
        return Class.forName(VectorLoopProvider.class.getPackageName() + "." + name)
                .asSubclass(Loops.class)
                .getDeclaredConstructor();
    }

    Loops floats() {
        return make(ofFloats);
    }

    Loops doubles() {
        return make(ofDoubles);
    }

    private static Loops make(Constructor<? extends Loops> constructor) {
        try {
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot make " + constructor.getDeclaringClass(), e);
        }
    }

    /** Runs every loop once: a method that this JDK lacks shows only when it is called. */
    private static void run(Loops loops, ElementType type) {
        Reals[] r = new Reals[5];
        for (int i = 0; i < r.length; i++) {
            r[i] = Reals.of(Device.jvm().allocate(Shape.of(TRIAL), type));
        }
        UpdateStep updateStep = new UpdateStep();
        Sgd sgd = Optimizers.sgd(0);
        loops.sgd(sgd, updateStep, r[0], r[1], 0, TRIAL);
        loops.momentum(sgd.momentum(0.5), updateStep, r[0], r[1], r[2], 0, TRIAL);
        loops.adam(Optimizers.adam(0), updateStep, r[0], r[1], r[2], r[3], 0, TRIAL);
        loops.rmsProp(Optimizers.rmsProp(0), updateStep, r[0], r[1], r[2], r[3], r[4], 0, TRIAL);
        loops.follow(0.5, r[0], r[1], 0, TRIAL);
        loops.sumOfSquares(r[0], 0, TRIAL);
        loops.flush(r[0], 0, TRIAL);
    }
}
