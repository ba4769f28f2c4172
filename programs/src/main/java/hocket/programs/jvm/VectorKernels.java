package hocket.programs.jvm;

import org.jspecify.annotations.Nullable;

/**
 * Kernels by the Vector API; what is left of a run after whole vectors is done by the plain loops. Named by
 * {@link Vectors} as text only: without the incubator module this class and those it calls do not link.
 */
final class VectorKernels implements DenseKernels {
    private final PlainKernels rest = new PlainKernels();

    /** @throws UnsupportedOperationException if vectors are shorter than the loops are written for */
    VectorKernels() {
        if (VectorTiles.LENGTH < 4) {
            throw new UnsupportedOperationException("vectors of " + VectorTiles.LENGTH + " floats");
        }
    }

    @Override
    public String name() {
        return "vector";
    }

    @Override
    public void forward(
            int outputs,
            int inputs,
            int stride,
            float[] w,
            int wAt,
            float @Nullable [] bias,
            int biasAt,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            Activation activation,
            float slope,
            Scratch scratch,
            int part,
            int parts) {
        if (stride == 1) {
            int from = Parts.row(part, parts, outputs);
            int to = Parts.row(part + 1, parts, outputs);
            VectorSums.dots(from, to, inputs, w, wAt, x, xAt, bias, biasAt, y, yAt);
            activate(activation, slope, y, yAt + from, to - from);
            return;
        }
        boolean byColumns = Parts.byColumns(parts, outputs, stride);
        int i0 = byColumns ? 0 : Parts.row(part, parts, outputs);
        int i1 = byColumns ? outputs : Parts.row(part + 1, parts, outputs);
        int j0 = byColumns ? Parts.column(part, parts, stride) : 0;
        int j1 = byColumns ? Parts.column(part + 1, parts, stride) : stride;
        VectorProducts.multiply(
                this, i0, i1, j0, j1, inputs, w, wAt, inputs, 1, x, xAt, stride, false, y, yAt, stride, false, false,
                bias, biasAt, scratch);
        if (!byColumns) {
            activate(activation, slope, y, yAt + i0 * stride, (i1 - i0) * stride);
        } else {
            for (int i = i0; i < i1; i++) {
                activate(activation, slope, y, yAt + i * stride + j0, j1 - j0);
            }
        }
    }

    private void activate(Activation activation, float slope, float[] y, int at, int count) {
        switch (activation) {
            case NONE -> {}
            case RELU -> unary(Unary.RELU, 0, 0, y, at, y, at, count);
            case LEAKY_RELU -> unary(Unary.LEAKY_RELU, slope, 0, y, at, y, at, count);
            case TANH -> unary(Unary.TANH, 0, 0, y, at, y, at, count);
            case SIGMOID -> unary(Unary.SIGMOID, 0, 0, y, at, y, at, count);
        }
    }

    @Override
    public void inputGradient(
            int outputs,
            int inputs,
            int stride,
            float[] w,
            int wAt,
            float[] dy,
            int dyAt,
            float[] dx,
            int dxAt,
            boolean add,
            Scratch scratch,
            int part,
            int parts) {
        int from = Parts.row(part, parts, inputs);
        int to = Parts.row(part + 1, parts, inputs);
        if (stride == 1) { // lanes along the features
            VectorProducts.multiply(
                    this, 0, 1, from, to, outputs, dy, dyAt, outputs, 1, w, wAt, inputs, false, dx, dxAt, inputs, true,
                    add, null, 0, scratch);
        } else {
            VectorProducts.multiply(
                    this, from, to, 0, stride, outputs, w, wAt, 1, inputs, dy, dyAt, stride, false, dx, dxAt, stride,
                    false, add, null, 0, scratch);
        }
    }

    @Override
    public void weightGradient(
            int outputs,
            int inputs,
            int rows,
            int stride,
            float[] dy,
            int dyAt,
            float[] x,
            int xAt,
            float[] dw,
            int dwAt,
            float @Nullable [] db,
            int dbAt,
            boolean add,
            Scratch scratch,
            int part,
            int parts) {
        int from = Parts.row(part, parts, outputs);
        int to = Parts.row(part + 1, parts, outputs);
        boolean few = Parts.few(outputs, inputs);
        // where operands are turned, it is best that each part turns what is its own
        boolean byColumns = Parts.byColumns(parts, few ? outputs : 0, inputs);
        int i0 = byColumns ? 0 : from;
        int i1 = byColumns ? outputs : to;
        int j0 = byColumns ? Parts.column(part, parts, inputs) : 0;
        int j1 = byColumns ? Parts.column(part + 1, parts, inputs) : inputs;
        if (stride == 1) {
            VectorPairs.outer(from, to, inputs, dy, dyAt, x, xAt, dw, dwAt, add);
        } else if (few) {
            VectorDots.multiply(
                    i0, i1, j0, j1, rows, dy, dyAt, stride, x, xAt, stride, dw, dwAt, inputs, add, scratch.tile);
        } else {
            VectorProducts.multiply(
                    this, i0, i1, j0, j1, rows, dy, dyAt, stride, 1, x, xAt, stride, true, dw, dwAt, inputs, true, add,
                    null, 0, scratch);
        }
        if (db != null) {
            VectorSums.ofRuns(from, to, dy, dyAt, stride, rows, db, dbAt, add);
        }
    }

    @Override
    public void unary(Unary f, float p, float q, float[] x, int xAt, float[] y, int yAt, int count) {
        int done = switch (f) {
            case NEGATE -> VectorFunctions.negate(x, xAt, y, yAt, count);
            case RELU -> VectorFunctions.relu(x, xAt, y, yAt, count);
            case LEAKY_RELU -> VectorFunctions.leakyRelu(x, xAt, y, yAt, count, p);
            case ELU -> VectorFunctions.elu(x, xAt, y, yAt, count, p);
            case TANH -> VectorFunctions.tanh(x, xAt, y, yAt, count);
            case SIGMOID -> VectorFunctions.sigmoid(x, xAt, y, yAt, count);
            case SOFTPLUS -> VectorFunctions.softplus(x, xAt, y, yAt, count);
            case EXP -> VectorFunctions.exp(x, xAt, y, yAt, count);
            case LOG -> VectorFunctions.log(x, xAt, y, yAt, count);
            case SQRT -> VectorFunctions.sqrt(x, xAt, y, yAt, count);
            case SQUARE -> VectorFunctions.square(x, xAt, y, yAt, count);
            case ABS -> VectorFunctions.abs(x, xAt, y, yAt, count);
            case AFFINE -> VectorFunctions.affine(x, xAt, y, yAt, count, p, q);
            case CLIP -> VectorFunctions.clip(x, xAt, y, yAt, count, p, q);
        };
        if (done < count) {
            rest.unary(f, p, q, x, xAt + done, y, yAt + done, count - done);
        }
    }

    @Override
    public void binary(
            Binary f, float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        if (aStep == 0 && bStep == 0) {
            rest.binary(f, a, aAt, 0, b, bAt, 0, out, outAt, count);
            return;
        }
        int done = switch (f) {
            case ADD -> VectorPairs.add(a, aAt, aStep, b, bAt, bStep, out, outAt, count);
            case SUBTRACT -> VectorPairs.subtract(a, aAt, aStep, b, bAt, bStep, out, outAt, count);
            case MULTIPLY -> VectorPairs.multiply(a, aAt, aStep, b, bAt, bStep, out, outAt, count);
            case DIVIDE -> VectorPairs.divide(a, aAt, aStep, b, bAt, bStep, out, outAt, count);
            case MAXIMUM -> VectorPairs.maximum(a, aAt, aStep, b, bAt, bStep, out, outAt, count);
            case MINIMUM -> VectorPairs.minimum(a, aAt, aStep, b, bAt, bStep, out, outAt, count);
            case EQUAL -> VectorPairs.equal(a, aAt, aStep, b, bAt, bStep, out, outAt, count);
            case GREATER -> VectorPairs.greater(a, aAt, aStep, b, bAt, bStep, out, outAt, count);
        };
        if (done < count) {
            rest.binary(f, a, aAt + done * aStep, aStep, b, bAt + done * bStep, bStep, out, outAt + done, count - done);
        }
    }

    @Override
    public void where(
            float[] condition,
            int conditionAt,
            int conditionStep,
            float[] a,
            int aAt,
            int aStep,
            float[] b,
            int bAt,
            int bStep,
            float[] out,
            int outAt,
            int count) {
        int done = VectorPairs.where(
                condition, conditionAt, conditionStep, a, aAt, aStep, b, bAt, bStep, out, outAt, count);
        if (done < count) {
            rest.where(
                    condition,
                    conditionAt + done * conditionStep,
                    conditionStep,
                    a,
                    aAt + done * aStep,
                    aStep,
                    b,
                    bAt + done * bStep,
                    bStep,
                    out,
                    outAt + done,
                    count - done);
        }
    }

    @Override
    public void slope(
            Slope f, float p, float[] g, int gAt, float[] y, int yAt, float[] out, int outAt, int count, boolean add) {
        int done = switch (f) {
            case TANH -> VectorPairs.tanhSlope(g, gAt, y, yAt, out, outAt, count, add);
            case SIGMOID -> VectorPairs.sigmoidSlope(g, gAt, y, yAt, out, outAt, count, add);
            case RELU -> VectorPairs.reluSlope(g, gAt, y, yAt, out, outAt, count, add);
            case LEAKY_RELU -> VectorPairs.leakyReluSlope(g, gAt, y, yAt, out, outAt, count, add, p);
        };
        if (done < count) {
            rest.slope(f, p, g, gAt + done, y, yAt + done, out, outAt + done, count - done, add);
        }
    }

    @Override
    public float sum(float[] x, int at, int count) {
        return VectorSums.sum(x, at, count);
    }

    @Override
    public float sumOfProducts(float[] a, int aAt, float[] b, int bAt, int count) {
        return VectorSums.sumOfProducts(a, aAt, b, bAt, count);
    }

    @Override
    public float max(float[] x, int at, int count) {
        return VectorSums.max(x, at, count);
    }

    @Override
    public void turn(float[] from, int rows, int firstColumn, int columns, int fromStride, float[] to, int toStride) {
        int last = firstColumn + columns;
        if (VectorTiles.LENGTH != Scratch.LANES) {
            Turning.turn(from, 0, rows, firstColumn, last, fromStride, to, toStride);
            return;
        }
        int wholeRows = rows & -Scratch.LANES;
        int wholeColumns = firstColumn + (columns & -Scratch.LANES);
        VectorPanels.turnSquares(from, rows, firstColumn, columns, fromStride, to, toStride);
        Turning.turn(from, 0, wholeRows, wholeColumns, last, fromStride, to, toStride);
        Turning.turn(from, wholeRows, rows, firstColumn, last, fromStride, to, toStride);
    }
}
