package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.Activation;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.DenseSize;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.Matrix;
import hocket.programs.jvm.kernels.MatrixProduct;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WorkShare;
import hocket.programs.operators.Matmul;
import hocket.programs.operators.Products;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The computation of {@link Products}: matrix by matrix if a row holds several, and in parts if they are large. */
final class DenseProductRules {
    /** The number of matrices from which on they are laid beside each other where that is faster: as one long one. */
    private static final int MANY = 8;

    /** The number of rows up to which vectors are so empty that the rows of many matrices are merged. */
    private static final int FEW = 8;

    /** The distance, in elements, at which runs displace one another from a cache. */
    private static final int APART = 256;

    private DenseProductRules() {}

    /** A product of one of the matrices. */
    @FunctionalInterface
    private interface OfMatrix {
        void run(int matrix, WorkShare workShare);
    }

    /**
     * The products of all matrices.
     *
     * @param x what has the width of the weight, or its gradient
     */
    private static Runnable each(DenseRules in, Value x, DenseSize size, OfMatrix product) {
        return each(in, size, size.stride(), 0, DenseMemory.matrices(x), product);
    }

    /**
     * Returns a task for the matrices of a range.
     *
     * @param rows that are computed, with padding or without
     */
    private static Runnable each(DenseRules in, DenseSize size, int rows, int first, int end, OfMatrix product) {
        long multiplyAdds = (long) size.outputs() * size.inputs() * rows * (end - first);
        return in.threads.products(multiplyAdds, workShare -> {
            for (int i = first; i < end; i++) {
                product.run(i, workShare);
            }
        });
    }

    /** Returns the matrices of a value, with this number of features each. */
    private static Floats[] matrices(DenseRules in, Value of, float[] array, int features) {
        Floats[] all = new Floats[DenseMemory.matrices(of)];
        Arrays.setAll(all, i -> new Floats(array, i * features * in.memory.stride(of)));
        return all;
    }

    private static DenseSize size(DenseRules in, Value x, int units, int width) {
        return new DenseSize(units, width, in.memory.rows(x), in.memory.stride(x));
    }

    /** Returns a dense product with the activation after it. */
    static Runnable dense(DenseRules in, List<Value> inputs, Activation activation, float slope, float[] out) {
        Value x = inputs.get(0);
        DenseSize size =
                size(in, x, inputs.get(1).shape().get(0), inputs.get(1).shape().get(1));
        Floats weight = Floats.of(in.array(inputs.get(1)));
        Floats bias = inputs.size() > 2 ? Floats.of(in.array(inputs.get(2))) : null;
        Floats[] xs = matrices(in, x, in.array(x), size.inputs());
        Floats[] ys = matrices(in, x, out, size.outputs());
        DenseKernels kernels = in.kernels;
        if (isMerged(size, xs.length)) {
            return merged(
                    in,
                    size,
                    xs.length,
                    size.inputs(),
                    size.outputs(),
                    in.array(x),
                    out,
                    (whole, from, to, workShare) ->
                            kernels.forward(whole, weight, bias, from, to, activation, slope, workShare));
        }
        Runnable product = each(
                in,
                x,
                size,
                (i, workShare) -> kernels.forward(size, weight, bias, xs[i], ys[i], activation, slope, workShare));
        DenseParameter parameter = in.memory.parameter(inputs.get(1));
        if (parameter == null || !size.isByFeatures(size.outputs(), size.inputs())) {
            return product;
        }
        Runnable transposed = each(
                in,
                size,
                size.rows(),
                0,
                xs.length,
                (i, workShare) -> kernels.forwardTransposed(
                        size, parameter.transposed(), bias, xs[i], ys[i], activation, slope, workShare));
        Scratch scratch = in.threads.scratch(0);
        return () -> {
            if (parameter.isTransposed(size.outputs(), size.inputs(), kernels, scratch)) {
                transposed.run();
            } else {
                product.run();
            }
        };
    }

    static Runnable denseInput(DenseRules in, Products.DenseInput operator, Value dx, List<Value> inputs, float[] out) {
        DenseSize size =
                size(in, dx, inputs.get(1).shape().get(0), inputs.get(1).shape().get(1));
        Floats weight = Floats.of(in.array(inputs.get(1)));
        Floats[] dxs = matrices(in, dx, out, size.inputs());
        Floats[] dys = matrices(in, dx, in.array(inputs.get(0)), size.outputs());
        DenseKernels kernels = in.kernels;
        if (isMerged(size, dxs.length)) {
            return merged(
                    in,
                    size,
                    dxs.length,
                    size.outputs(),
                    size.inputs(),
                    in.array(inputs.get(0)),
                    out,
                    (whole, from, to, workShare) -> kernels.inputGradient(whole, weight, from, to, false, workShare));
        }
        return each(
                in,
                size,
                size.isByFeatures(size.inputs(), size.outputs()) ? size.rows() : size.stride(),
                0,
                dxs.length,
                (i, workShare) -> kernels.inputGradient(size, weight, dys[i], dxs[i], false, workShare));
    }

    /** @param bias destination of the bias gradient; null without one */
    static Runnable denseWeight(DenseRules in, List<Value> inputs, float @Nullable [] bias, float[] out) {
        Value x = inputs.get(0);
        DenseSize size = size(in, x, inputs.get(1).shape().get(-1), x.shape().get(-1));
        Floats[] xs = matrices(in, x, in.array(x), size.inputs());
        Floats[] dys = matrices(in, x, in.array(inputs.get(1)), size.outputs());
        Floats dw = Floats.of(out);
        Floats db = bias == null ? null : Floats.of(bias);
        DenseKernels kernels = in.kernels;
        if (xs.length >= MANY) {
            return longWeight(in, size, xs.length, in.array(x), in.array(inputs.get(1)), dw, db);
        }
        return each(in, size, size.stride(), 0, xs.length, (i, workShare) -> {
            kernels.weightGradient(size, dys[i], xs[i], dw, db, i > 0, workShare);
        });
    }

    /** The gradient of many matrices as of one: their rows are laid beside each other. */
    private static Runnable longWeight(
            DenseRules in, DenseSize size, int matrices, float[] x, float[] dy, Floats dw, @Nullable Floats db) {
        DenseSize whole = merged(size, matrices);
        int rows = whole.rows();
        int stride = whole.stride();
        float[] longX = in.memory.working(size.inputs() * stride);
        float[] longDy = in.memory.working(size.outputs() * stride);
        Runnable first = laid(in, size, size.inputs(), matrices, stride, x, longX);
        Runnable second = laid(in, size, size.outputs(), matrices, stride, dy, longDy);
        DenseKernels kernels = in.kernels;
        Runnable product = in.threads.products(
                (long) size.outputs() * size.inputs() * rows,
                workShare ->
                        kernels.weightGradient(whole, Floats.of(longDy), Floats.of(longX), dw, db, false, workShare));
        return () -> {
            first.run();
            second.run();
            product.run();
        };
    }

    /** The size of a product whose rows are those of all matrices. */
    private static DenseSize merged(DenseSize size, int matrices) {
        int rows = matrices * size.rows();
        int stride = Scratch.lanes(rows);
        stride += stride % APART == 0 ? Scratch.LANES : 0;
        return new DenseSize(size.outputs(), size.inputs(), rows, stride);
    }

    /** Returns whether the rows of many matrices fill vectors that those of a single one leave empty. */
    private static boolean isMerged(DenseSize size, int matrices) {
        return matrices >= MANY && size.rows() <= FEW;
    }

    /** A product of long matrices. */
    @FunctionalInterface
    private interface OfRows {
        void run(DenseSize size, Floats x, Floats y, WorkShare workShare);
    }

    /** The product of the rows of many matrices as of one matrix: they are laid beside each other, and the results back. */
    private static Runnable merged(
            DenseRules in, DenseSize size, int matrices, int from, int to, float[] x, float[] y, OfRows product) {
        DenseSize whole = merged(size, matrices);
        float[] longX = in.memory.working(from * whole.stride());
        float[] longY = in.memory.working(to * whole.stride());
        Runnable first = laid(in, size, from, matrices, whole.stride(), x, longX);
        Runnable products = in.threads.products(
                (long) size.outputs() * size.inputs() * whole.rows(),
                workShare -> product.run(whole, Floats.of(longX), Floats.of(longY), workShare));
        Runnable last = laidBack(in, size, to, matrices, whole.stride(), longY, y);
        return () -> {
            first.run();
            products.run();
            last.run();
        };
    }

    private static Runnable laid(
            DenseRules in, DenseSize size, int features, int matrices, int stride, float[] from, float[] to) {
        int every = size.stride();
        return in.threads.overParts(features, (long) features * stride, (scratch, first, end) -> {
            if (every == 1) {
                in.kernels.turn(from, first, matrices, end - first, features, to, first * stride, stride, scratch);
                return;
            }
            for (int k = first; k < end; k++) {
                in.kernels.copyRuns(
                        from, k * every, features * every, matrices, size.rows(), to, k * stride, size.rows());
            }
        });
    }

    private static Runnable laidBack(
            DenseRules in, DenseSize size, int features, int matrices, int stride, float[] from, float[] to) {
        int every = size.stride();
        return in.threads.overParts(features, (long) features * stride, (scratch, first, end) -> {
            if (every == 1) {
                in.kernels.turn(from, first * stride, end - first, matrices, stride, to, first, features, scratch);
                return;
            }
            for (int k = first; k < end; k++) {
                // whole vectors, as the padding may hold anything
                in.kernels.copyRuns(from, k * stride, size.rows(), matrices, every, to, k * every, features * every);
            }
        });
    }

    static Runnable matmul(DenseRules in, Matmul matmul, Value value, List<Value> inputs, float[] out) {
        Value a = inputs.get(0);
        Value b = inputs.get(1);
        int rows = value.shape().get(-2);
        int columns = value.shape().get(-1);
        int depth = matmul.depth(a);
        int every = in.memory.stride(value);
        int pairs = value.shape().size() / (rows * columns);
        float[] as = in.array(a);
        float[] bs = in.array(b);
        DenseKernels kernels = in.kernels;
        long multiplyAdds = (long) value.shape().size() * depth * every;
        if (every > 1) {
            int groups = every / Scratch.LANES;
            Matrix left = matrix(as, matmul.transposedLeft(), rows, depth, every);
            Matrix right = matrix(bs, matmul.transposedRight(), depth, columns, every);
            Matrix result = new Matrix(out, 0, columns * every, every);
            return in.threads.products(multiplyAdds, workShare -> {
                for (int i = workShare.first(pairs * groups); i < workShare.end(pairs * groups); i++) {
                    int pair = i / groups;
                    int lanes = i % groups * Scratch.LANES;
                    kernels.rowProducts(
                            rows,
                            columns,
                            depth,
                            left.moved(pair * rows * depth * every + lanes),
                            right.moved(pair * depth * columns * every + lanes),
                            result.moved(pair * rows * columns * every + lanes),
                            false);
                }
            });
        }
        // Of a single row, matrices are turned to where their columns lie next to each other.
        float[] turnedLeft = matmul.transposedLeft() ? in.memory.working(pairs * rows * depth) : as;
        float[] turnedRight = matmul.transposedRight() ? in.memory.working(pairs * depth * columns) : bs;
        MatrixProduct size = new MatrixProduct(rows, columns, depth, depth, columns, columns);
        return in.threads.products(multiplyAdds, workShare -> {
            Scratch scratch = workShare.scratch();
            for (int pair = workShare.first(pairs); pair < workShare.end(pairs); pair++) {
                int leftAt = pair * rows * depth;
                int rightAt = pair * depth * columns;
                if (matmul.transposedLeft()) {
                    kernels.turn(as, leftAt, depth, rows, rows, turnedLeft, leftAt, depth, scratch);
                }
                if (matmul.transposedRight()) {
                    kernels.turn(bs, rightAt, columns, depth, depth, turnedRight, rightAt, columns, scratch);
                }
                kernels.product(
                        size,
                        new Floats(turnedLeft, leftAt),
                        new Floats(turnedRight, rightAt),
                        new Floats(out, pair * rows * columns),
                        false,
                        null,
                        scratch);
            }
        });
    }

    private static Matrix matrix(float[] values, boolean transposed, int rows, int columns, int every) {
        return transposed ? new Matrix(values, 0, every, rows * every) : new Matrix(values, 0, columns * every, every);
    }
}
