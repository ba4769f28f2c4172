package hocket.programs.jvm.kernels;

import java.util.Optional;

/** The classes that need the incubator module: looked up by name and tried, once, so that no JVM without it links them. */
final class VectorKernelProvider {
    /** Empty where the JVM was started without the module, or lacks a method that the classes were compiled with. */
    static final Optional<DenseKernels> FOUND = find();

    private VectorKernelProvider() {}

    private static Optional<DenseKernels> find() {
        if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
            return Optional.empty();
        }
        try {
            DenseKernels found = Class.forName(VectorKernelProvider.class.getPackageName() + ".VectorKernels")
                    .asSubclass(DenseKernels.class)
                    .getDeclaredConstructor()
                    .newInstance();
            run(found);
            return Optional.of(found);
        } catch (ReflectiveOperationException | LinkageError e) {
            return Optional.empty();
        }
    }

    /** Runs every loop once: a method that this JDK lacks shows only when it is called. */
    private static void run(DenseKernels kernels) {
        WorkShare workShare = new WorkShare(0, 1, new Scratch());
        float[] a = new float[96 * 96 + 16];
        float[] b = new float[96 * 96 + 16];
        float[] c = new float[96 * 96 + 16];
        Floats x = Floats.of(a);
        Floats y = Floats.of(b);
        Floats z = Floats.of(c);
        for (int features : new int[] {7, 15}) {
            for (int stride : new int[] {1, 112, 16}) {
                DenseSize square = new DenseSize(features, features, 1, stride);
                for (Activation activation : Activation.values()) {
                    kernels.forward(square, x, y, y, z, activation, 0, workShare);
                }
                kernels.forwardTransposed(square, x, y, y, z, Activation.NONE, 0, workShare);
                kernels.inputGradient(square, x, y, z, true, workShare);
                DenseSize wide = new DenseSize(features, 75, 1, stride);
                kernels.weightGradient(wide, x, y, z, new Floats(c, 75 * 75), true, workShare);
            }
        }
        kernels.product(new MatrixProduct(7, 17, 9, 9, 32, 32), x, y, z, false, x, workShare.scratch());
        kernels.reductions(new MatrixProduct(7, 17, 40, 48, 48, 32), x, y, z, workShare.scratch());
        kernels.rowProducts(
                5, 3, 1, new Matrix(a, 0, 16, 16), new Matrix(b, 0, 16, 16), new Matrix(c, 0, 48, 16), false);
        kernels.turn(a, 0, 17, 19, 32, c, 0, 32, workShare.scratch());
        kernels.addRuns(a, 0, 32, 3, 17, c, 0);
        for (RunSums of : RunSums.values()) {
            kernels.runSums(of, a, 0, b, 0, 80, 9, 65, new double[2], workShare.scratch());
        }
        for (Activation activation : Activation.values()) {
            kernels.normalise(activation, 0, a, 0, 1, 0, c, 0, 17);
        }
        kernels.normGradient(a, 0, 1, b, 1, 0, c, 0, 17, workShare.scratch());
        for (int width : new int[] {16, 80}) {
            kernels.rowSums(a, 0, b, 0, 80, width, 5, c);
            for (Activation activation : Activation.values()) {
                kernels.normaliseRows(activation, 0, a, 0, b, c, 0, 80, width, 5);
            }
            kernels.rowNormGradient(a, 0, 1, b, a, 0, c, 0, 80, width, 5);
        }
        kernels.copyRuns(a, 0, 17, 2, 17, c, 0, 20);
        kernels.combine(PlaneSum.of(0), a, 0, 0, 0, 1, 17 + 4 * Scratch.LANES, b, c, 0, 0);
        for (Unary f : Unary.values()) {
            kernels.unary(f, 0, 0, a, 0, c, 0, 64);
        }
        for (Binary f : Binary.values()) {
            kernels.binary(f, a, 0, 1, b, 0, 0, c, 0, 64);
        }
        kernels.where(a, 0, 1, b, 0, 0, b, 0, 1, c, 0, 64);
        for (ActivationGradient f : ActivationGradient.values()) {
            kernels.slope(f, 0, a, 0, b, 0, c, 0, 64, true);
        }
        float unused = kernels.sum(a, 0, 64) + kernels.sumOfProducts(a, 0, b, 0, 64) + kernels.max(a, 0, 64);
        c[0] = unused;
    }
}
