package hocket.programs.jvm.kernels;

import org.jspecify.annotations.Nullable;

/**
 * Kernels by the Vector API; what is left of a run after whole vectors is done by the plain loops. Named by
 * {@link VectorKernelProvider} as text only: without the incubator module this class and those it calls do not link.
 */
final class VectorKernels implements DenseKernels {
    /**
     * Elements of a call: a method that is entered often is compiled as a whole, while one whose loop is replaced as it
     * runs may keep its constants as objects.
     */
    private static final int PIECE = 4096;

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
            DenseSize size,
            Floats w,
            @Nullable Floats bias,
            Floats x,
            Floats y,
            Activation activation,
            float slope,
            WorkShare workShare) {
        int outputs = size.outputs();
        int stride = size.stride();
        if (stride == 1) {
            int from = workShare.firstRow(outputs);
            int to = workShare.endRow(outputs);
            VectorSums.dots(from, to, size.inputs(), w, x, bias, y);
            activate(activation, slope, y.values(), y.at() + from, to - from);
            return;
        }
        boolean byColumns = workShare.byColumns(outputs, stride);
        int i0 = byColumns ? 0 : workShare.firstRow(outputs);
        int i1 = byColumns ? outputs : workShare.endRow(outputs);
        int j0 = byColumns ? workShare.firstColumn(stride) : 0;
        int j1 = byColumns ? workShare.endColumn(stride) : stride;
        VectorProducts.multiply(
                this,
                i1 - i0,
                j1 - j0,
                size.inputs(),
                Matrix.of(w, size.inputs()).from(i0, 0),
                Matrix.of(x, stride).from(0, j0),
                Matrix.of(y, stride).from(i0, j0),
                false,
                false,
                bias == null ? null : new Floats(bias.values(), bias.at() + i0),
                workShare.scratch());
        if (!byColumns) {
            activate(activation, slope, y.values(), y.at() + i0 * stride, (i1 - i0) * stride);
        } else {
            for (int i = i0; i < i1; i++) {
                activate(activation, slope, y.values(), y.at() + i * stride + j0, j1 - j0);
            }
        }
    }

    @Override
    public void forwardTransposed(
            DenseSize size,
            Floats turned,
            @Nullable Floats bias,
            Floats x,
            Floats y,
            Activation activation,
            float slope,
            WorkShare workShare) {
        int outputs = size.outputs();
        alongFeatures(
                size, outputs, size.inputs(), turned, Scratch.lanes(outputs), bias, x, y, activation, slope, workShare);
    }

    /** Multiplies by a right operand from row to row, by vectors along its columns, which are the features of the result. */
    private void alongFeatures(
            DenseSize size,
            int features,
            int depth,
            Floats right,
            int rightRow,
            @Nullable Floats bias,
            Floats x,
            Floats y,
            Activation activation,
            float slope,
            WorkShare workShare) {
        int stride = size.stride();
        int rows = size.rows() % 4 == 3 ? size.rows() + 1 : size.rows(); // four are faster than three
        int from = workShare.firstRow(features);
        int count = workShare.endRow(features) - from;
        int row = Scratch.lanes(features);
        Scratch scratch = workShare.scratch();
        Floats sums = scratch.rowMajor(stride * row + Scratch.LANES);
        if (bias != null) {
            for (int r = 0; r < size.rows(); r++) {
                System.arraycopy(bias.values(), bias.at() + from, sums.values(), r * row + from, count);
            }
        }
        VectorProducts.multiply(
                this,
                rows,
                Scratch.lanes(count),
                depth,
                Matrix.turned(x, stride),
                Matrix.of(right, rightRow).from(0, from),
                Matrix.of(sums, row).from(0, from),
                false,
                bias != null,
                null,
                scratch);
        for (int r = 0; r < rows; r++) {
            activate(activation, slope, sums.values(), r * row + from, Scratch.lanes(count));
        }
        turn(sums.values(), from, stride, count, row, y.values(), y.at() + from * stride, stride, scratch);
    }

    @Override
    public void inputGradient(DenseSize size, Floats w, Floats dy, Floats dx, boolean add, WorkShare workShare) {
        int inputs = size.inputs();
        int outputs = size.outputs();
        int from = workShare.firstRow(inputs);
        int to = workShare.endRow(inputs);
        int stride = size.stride();
        Scratch scratch = workShare.scratch();
        if (stride == 1) { // lanes along the features
            VectorProducts.multiply(
                    this,
                    1,
                    to - from,
                    outputs,
                    Matrix.of(dy, outputs),
                    Matrix.of(w, inputs).from(0, from),
                    Matrix.of(dx, inputs).from(0, from),
                    true,
                    add,
                    null,
                    scratch);
        } else if (!add && size.isByFeatures(inputs, outputs)) {
            alongFeatures(size, inputs, outputs, w, inputs, null, dy, dx, Activation.NONE, 0, workShare);
        } else {
            VectorProducts.multiply(
                    this,
                    to - from,
                    stride,
                    outputs,
                    Matrix.turned(w, inputs).from(from, 0),
                    Matrix.of(dy, stride),
                    Matrix.of(dx, stride).from(from, 0),
                    false,
                    add,
                    null,
                    scratch);
        }
    }

    @Override
    public void weightGradient(
            DenseSize size, Floats dy, Floats x, Floats dw, @Nullable Floats db, boolean add, WorkShare workShare) {
        int inputs = size.inputs();
        int outputs = size.outputs();
        int rows = size.rows();
        int stride = size.stride();
        int from = workShare.firstRow(outputs);
        int to = workShare.endRow(outputs);
        boolean few = DenseSize.few(outputs, inputs);
        // where operands are turned, it is best that each part turns what is its own
        boolean byColumns = workShare.byColumns(few ? outputs : 0, inputs);
        int i0 = byColumns ? 0 : from;
        int i1 = byColumns ? outputs : to;
        int j0 = byColumns ? workShare.firstColumn(inputs) : 0;
        int j1 = byColumns ? workShare.endColumn(inputs) : inputs;
        if (stride == 1) {
            VectorPairs.outer(from, to, inputs, dy, x, dw, add);
        } else if (few) {
            VectorDots.multiply(i0, i1, j0, j1, rows, dy, x, stride, stride, dw, inputs, add, workShare.scratch().tile);
        } else {
            VectorProducts.multiply(
                    this,
                    i1 - i0,
                    j1 - j0,
                    rows,
                    Matrix.of(dy, stride).from(i0, 0),
                    Matrix.turned(x, stride).from(0, j0),
                    Matrix.of(dw, inputs).from(i0, j0),
                    true,
                    add,
                    null,
                    workShare.scratch());
        }
        if (db != null) {
            VectorSums.ofRuns(from, to, dy, stride, rows, db, add);
        }
    }

    @Override
    public void product(
            MatrixProduct size, Floats a, Floats b, Floats c, boolean add, @Nullable Floats bias, Scratch scratch) {
        boolean exact = size.columns() % Scratch.LANES != 0;
        boolean filled = exact && !add && bias != null; // the last columns of a row start at 0, or with what is there
        if (filled) {
            PlainKernels.start(size, c, bias);
        }
        VectorProducts.multiply(
                this,
                size.rows(),
                size.columns(),
                size.depth(),
                size.left(a),
                Matrix.of(b, size.bRow()),
                Matrix.of(c, size.cRow()),
                exact,
                add || filled,
                filled ? null : bias,
                scratch);
    }

    @Override
    public void reductions(MatrixProduct size, Floats a, Floats b, Floats c, Scratch scratch) {
        VectorDots.multiply(
                0,
                size.rows(),
                0,
                size.columns(),
                size.depth(),
                a,
                b,
                size.aRow(),
                size.bRow(),
                c,
                size.cRow(),
                false,
                scratch.tile);
    }

    @Override
    public void rowProducts(int rows, int columns, int depth, Matrix a, Matrix b, Matrix c, boolean add) {
        int tall = rows / 4 * 4;
        int wide = columns / 2 * 2;
        for (int lane = 0; lane < Scratch.LANES; lane += VectorTiles.LENGTH) {
            for (int p = 0; p < depth; p += Scratch.CHAIN) {
                int end = Math.min(depth, p + Scratch.CHAIN);
                boolean go = add || p > 0;
                VectorTiles.products(4, 2, 0, tall, 0, wide, p, end, a, b, c, lane, go);
                VectorTiles.products(4, 1, 0, tall, wide, columns, p, end, a, b, c, lane, go);
                VectorTiles.products(1, 2, tall, rows, 0, wide, p, end, a, b, c, lane, go);
                VectorTiles.products(1, 1, tall, rows, wide, columns, p, end, a, b, c, lane, go);
            }
        }
    }

    @Override
    public void copyRuns(float[] from, int at, int step, int runs, int width, float[] to, int toAt, int toStep) {
        VectorPanels.copyRuns(from, at, step, runs, width, to, toAt, toStep);
    }

    @Override
    public void combine(
            PlaneSum of,
            float[] x,
            int at,
            int plane,
            int step,
            int runs,
            int width,
            float[] bias,
            float[] y,
            int yAt,
            int yStep) {
        int done = VectorPlaneSums.combine(4, of, x, at, plane, step, runs, 0, width, bias, y, yAt, yStep);
        done = VectorPlaneSums.combine(1, of, x, at, plane, step, runs, done, width, bias, y, yAt, yStep);
        if (done < width) {
            rest.combine(of, x, at + done, plane, step, runs, width - done, bias, y, yAt + done, yStep);
        }
    }

    @Override
    public void unary(Unary f, float p, float q, float[] x, int xAt, float[] y, int yAt, int count) {
        int done = 0;
        for (int at = 0; at < count; at += PIECE) {
            done += VectorFunctions.apply(f, p, q, x, xAt + at, y, yAt + at, Math.min(PIECE, count - at));
        }
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
        int done = VectorPairs.apply(f, a, aAt, aStep, b, bAt, bStep, out, outAt, count);
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
            ActivationGradient f,
            float p,
            float[] g,
            int gAt,
            float[] y,
            int yAt,
            float[] out,
            int outAt,
            int count,
            boolean add) {
        int done = VectorPairs.slope(f, p, g, gAt, y, yAt, out, outAt, count, add);
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
    public void runSums(
            RunSums of,
            float[] x,
            float q,
            float[] g,
            int at,
            int step,
            int runs,
            int count,
            double[] sums,
            Scratch scratch) {
        int done = VectorRuns.sums(of.ordinal(), x, q, g, at, step, runs, count, sums);
        DenseKernels.super.runSums(of, x, q, g, at + done * step, step, runs - done, count, sums, scratch);
    }

    @Override
    public void moments(boolean centred, float epsilon, float[] x, int at, int step, int count, float[] moments) {
        VectorRuns.moments(centred, epsilon, x, at, step, count, moments);
    }

    @Override
    public void standardise(float[] moments, float[] x, int at, int step, int count, float[] out) {
        VectorRuns.standardise(moments, x, at, step, count, out);
    }

    @Override
    public void standardiseGradient(
            boolean centred, float[] moments, float[] x, float[] g, int at, int step, int count, float[] out) {
        VectorRuns.standardiseGradient(centred, moments, x, g, at, step, count, out);
    }

    @Override
    public void normalise(
            Activation activation, float slope, float[] x, float c, float p, float q, float[] y, int at, int count) {
        int done = VectorRuns.normalise(activation, slope, x, c, p, q, y, at, count);
        if (activation == Activation.TANH || activation == Activation.SIGMOID) {
            activate(activation, slope, y, at, done);
        }
        DenseKernels.super.normalise(activation, slope, x, c, p, q, y, at + done, count - done);
    }

    @Override
    public void normGradient(
            float[] x, float c, float r, float[] g, float p, float q, float[] out, int at, int count, Scratch scratch) {
        int done = VectorRuns.normGradient(x, c, r, g, p, q, out, at, count);
        DenseKernels.super.normGradient(x, c, r, g, p, q, out, at + done, count - done, scratch);
    }

    @Override
    public void rowSums(float[] x, float q, float[] g, int at, int step, int width, int count, float[] sums) {
        for (int r = 0; r < width; ) {
            int vectors = vectors(width - r);
            VectorRuns.rowSums(vectors, x, q, g, at + r, step, count, sums, r, width);
            r += vectors * VectorTiles.LENGTH;
        }
    }

    @Override
    public void normaliseRows(
            Activation activation,
            float slope,
            float[] x,
            float c,
            float[] pq,
            float[] y,
            int at,
            int step,
            int width,
            int count) {
        for (int r = 0; r < width; ) {
            int vectors = vectors(width - r);
            VectorRuns.normaliseRows(vectors, activation, slope, x, c, pq, r, width, y, at + r, step, count);
            r += vectors * VectorTiles.LENGTH;
        }
        if (activation == Activation.TANH || activation == Activation.SIGMOID) {
            for (int i = at; i < at + count * step; i += step) {
                activate(activation, slope, y, i, width);
            }
        }
    }

    @Override
    public void rowNormGradient(
            float[] x,
            float c,
            float r,
            float[] g,
            float[] p,
            float q,
            float[] out,
            int at,
            int step,
            int width,
            int count) {
        for (int row = 0; row < width; ) {
            int vectors = vectors(width - row);
            VectorRuns.rowNormGradient(vectors, x, c, r, g, p, row, q, out, at + row, step, count);
            row += vectors * VectorTiles.LENGTH;
        }
    }

    /** Four vectors are loaded side by side where there are as many. */
    private static int vectors(int rows) {
        return rows >= 4 * VectorTiles.LENGTH ? 4 : 1;
    }

    @Override
    public void addRuns(float[] x, int at, int step, int runs, int width, float[] to, int toAt) {
        int done = VectorRuns.add(x, at, step, runs, width, to, toAt);
        DenseKernels.super.addRuns(x, at + done, step, runs, width - done, to, toAt + done);
    }

    @Override
    public float max(float[] x, int at, int count) {
        return VectorSums.max(x, at, count);
    }

    @Override
    public void turn(
            float[] from,
            int at,
            int rows,
            int columns,
            int fromStride,
            float[] to,
            int toAt,
            int toStride,
            Scratch scratch) {
        int wholeRows = rows & -VectorTiles.LENGTH;
        int wholeColumns = columns & -VectorTiles.LENGTH;
        VectorPanels.turnSquares(from, at, wholeRows, wholeColumns, fromStride, to, toAt, toStride, scratch.tile);
        Transpose.turn(
                from,
                at + wholeColumns,
                wholeRows,
                columns - wholeColumns,
                fromStride,
                to,
                toAt + wholeColumns * toStride,
                toStride);
        Transpose.turn(
                from,
                at + wholeRows * fromStride,
                rows - wholeRows,
                columns,
                fromStride,
                to,
                toAt + wholeRows,
                toStride);
    }
}
