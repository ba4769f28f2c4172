package hocket.programs.jvm.kernels;

import hocket.settings.Each;
import hocket.settings.Registers;
import hocket.settings.Template;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Plain loops. They define the bits that the vector loops give too. */
@Template("PlainKernels")
final class PlainKernelsTemplate implements DenseKernels {
    PlainKernelsTemplate() {}

    @Override
    public String name() {
        return "plain";
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
        int inputs = size.inputs();
        int stride = size.stride();
        int from = workShare.firstRow(size.outputs());
        int to = workShare.endRow(size.outputs());
        float[] out = y.values();
        if (stride == 1) {
            for (int i = from; i < to; i++) {
                float dot = sumOfProducts(w.values(), w.at() + i * inputs, x.values(), x.at(), inputs);
                out[y.at() + i] = bias == null ? dot : dot + bias.values()[bias.at() + i];
            }
        } else {
            for (int i = from; i < to; i++) {
                fill(out, y.at() + i * stride, stride, bias == null ? 0 : bias.values()[bias.at() + i]);
            }
            PlainProducts.multiply(
                    this,
                    to - from,
                    stride,
                    inputs,
                    Matrix.of(w, inputs).from(from, 0),
                    Matrix.of(x, stride),
                    Matrix.of(y, stride).from(from, 0),
                    workShare.scratch());
        }
        activate(activation, slope, out, y.at() + from * stride, (to - from) * stride);
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
        int stride = size.stride();
        int rows = size.rows();
        int from = workShare.firstRow(size.outputs());
        int to = workShare.endRow(size.outputs());
        int row = Scratch.lanes(size.outputs());
        Floats sums = workShare.scratch().rowMajor(rows * row);
        for (int r = 0; r < rows; r++) {
            if (bias == null) {
                fill(sums.values(), r * row + from, to - from, 0);
            } else {
                System.arraycopy(bias.values(), bias.at() + from, sums.values(), r * row + from, to - from);
            }
        }
        PlainProducts.multiply(
                this,
                rows,
                to - from,
                size.inputs(),
                Matrix.turned(x, stride),
                Matrix.of(turned, row).from(0, from),
                Matrix.of(sums, row).from(0, from),
                workShare.scratch());
        turn(
                sums.values(),
                from,
                rows,
                to - from,
                row,
                y.values(),
                y.at() + from * stride,
                stride,
                workShare.scratch());
        activate(activation, slope, y.values(), y.at() + from * stride, (to - from) * stride);
    }

    private static void fill(float[] y, int at, int count, float value) {
        Arrays.fill(y, at, at + count, value);
    }

    @Override
    public void inputGradient(DenseSize size, Floats w, Floats dy, Floats dx, boolean add, WorkShare workShare) {
        int inputs = size.inputs();
        int outputs = size.outputs();
        int stride = size.stride();
        int from = workShare.firstRow(inputs);
        int to = workShare.endRow(inputs);
        if (!add) {
            fill(dx.values(), dx.at() + from * stride, (to - from) * stride, 0);
        }
        if (stride == 1) { // lanes along the features
            PlainProducts.multiply(
                    this,
                    1,
                    to - from,
                    outputs,
                    Matrix.of(dy, outputs),
                    Matrix.of(w, inputs).from(0, from),
                    Matrix.of(dx, inputs).from(0, from),
                    workShare.scratch());
        } else {
            PlainProducts.multiply(
                    this,
                    to - from,
                    stride,
                    outputs,
                    Matrix.turned(w, inputs).from(from, 0),
                    Matrix.of(dy, stride),
                    Matrix.of(dx, stride).from(from, 0),
                    workShare.scratch());
        }
    }

    @Override
    public void weightGradient(
            DenseSize size, Floats dy, Floats x, Floats dw, @Nullable Floats db, boolean add, WorkShare workShare) {
        int inputs = size.inputs();
        int rows = size.rows();
        int stride = size.stride();
        int from = workShare.firstRow(size.outputs());
        int to = workShare.endRow(size.outputs());
        if (stride > 1 && DenseSize.few(size.outputs(), inputs)) {
            for (int i = from; i < to; i++) {
                for (int j = 0; j < inputs; j++) {
                    int xAt = x.at() + j * stride;
                    float sum = sumOfProducts(dy.values(), dy.at() + i * stride, x.values(), xAt, rows);
                    put(sum, dw, i * inputs + j, add);
                }
            }
        } else {
            if (!add) {
                fill(dw.values(), dw.at() + from * inputs, (to - from) * inputs, 0);
            }
            PlainProducts.multiply(
                    this,
                    to - from,
                    inputs,
                    rows,
                    Matrix.of(dy, stride).from(from, 0),
                    Matrix.turned(x, stride),
                    Matrix.of(dw, inputs).from(from, 0),
                    workShare.scratch());
        }
        if (db != null) {
            for (int i = from; i < to; i++) {
                put(sum(dy.values(), dy.at() + i * stride, rows), db, i, add);
            }
        }
    }

    @Override
    public void product(
            MatrixProduct size, Floats a, Floats b, Floats c, boolean add, @Nullable Floats bias, Scratch scratch) {
        if (!add) {
            start(size, c, bias);
        }
        PlainProducts.multiply(
                this,
                size.rows(),
                size.columns(),
                size.depth(),
                size.left(a),
                Matrix.of(b, size.bRow()),
                Matrix.of(c, size.cRow()),
                scratch);
    }

    /** Fills a result with its bias. */
    static void start(MatrixProduct size, Floats c, @Nullable Floats bias) {
        for (int i = 0; i < size.rows(); i++) {
            int at = c.at() + i * size.cRow();
            fill(c.values(), at, size.columns(), bias == null ? 0 : bias.values()[bias.at() + i]);
        }
    }

    @Override
    public void rowProducts(int rows, int columns, int depth, Matrix a, Matrix b, Matrix c, boolean add) {
        float[] sums = new float[Scratch.LANES];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                int to = c.at(i, j);
                for (int first = 0; first < depth; first += Scratch.CHAIN) {
                    Arrays.fill(sums, 0);
                    for (int p = first; p < Math.min(depth, first + Scratch.CHAIN); p++) {
                        addProducts(a.values(), a.at(i, p), b.values(), b.at(p, j), sums);
                    }
                    for (int lane = 0; lane < sums.length; lane++) {
                        float before = add || first > 0 ? c.values()[to + lane] : 0;
                        c.values()[to + lane] = before + sums[lane];
                    }
                }
            }
        }
    }

    private static void addProducts(float[] a, int aAt, float[] b, int bAt, float[] sums) {
        for (int lane = 0; lane < sums.length; lane++) {
            sums[lane] = Math.fma(a[aAt + lane], b[bAt + lane], sums[lane]);
        }
    }

    @Override
    public void copyRuns(float[] from, int at, int step, int runs, int width, float[] to, int toAt, int toStep) {
        for (int i = 0; i < runs; i++) {
            System.arraycopy(from, at + i * step, to, toAt + i * toStep, width);
        }
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
        for (int i = 0; i < runs; i++) {
            float start = bias.length == 0 ? 0 : bias[i];
            for (int j = 0; j < width; j++) {
                int from = at + i * step + j;
                float u = Math.fma(of.s(), element(x, of.b(), plane, from), element(x, of.a(), plane, from));
                float v = Math.fma(of.s(), element(x, of.d(), plane, from), element(x, of.c(), plane, from));
                y[yAt + i * yStep + j] = Math.fma(of.t(), v, u) + start;
            }
        }
    }

    /** Returns an element of a plane, 0 where there is none. */
    private static float element(float[] x, int number, int plane, int from) {
        return number < 0 ? 0 : x[number * plane + from];
    }

    private static void put(float sum, Floats to, int i, boolean add) {
        int at = to.at() + i;
        to.values()[at] = add ? to.values()[at] + sum : sum;
    }

    @Override
    public void reductions(MatrixProduct size, Floats a, Floats b, Floats c, Scratch scratch) {
        for (int i = 0; i < size.rows(); i++) {
            for (int j = 0; j < size.columns(); j++) {
                int aAt = a.at() + i * size.aRow();
                int bAt = b.at() + j * size.bRow();
                float sum = sumOfProducts(a.values(), aAt, b.values(), bAt, size.depth());
                c.values()[c.at() + i * size.cRow() + j] = sum;
            }
        }
    }

    @Override
    public void unary(@Each Unary f, float p, float q, float[] x, int xAt, float[] y, int yAt, int count) {
        for (int i = 0; i < count; i++) {
            float v = x[xAt + i];
            y[yAt + i] = switch (f) {
                case NEGATE -> -v;
                case RELU -> v < 0 ? 0 : v;
                case LEAKY_RELU -> v < 0 ? p * v : v;
                case ELU -> FloatFunctions.elu(v, p);
                case TANH -> FloatFunctions.tanh(v);
                case SIGMOID -> FloatFunctions.sigmoid(v);
                case SOFTPLUS -> FloatFunctions.softplus(v);
                case ERF -> FloatFunctions.erf(v);
                case EXP -> FloatFunctions.exp(v);
                case LOG -> FloatFunctions.log(v);
                case SQRT -> (float) Math.sqrt(v);
                case SQUARE -> v * v;
                case ABS -> Math.abs(v);
                case AFFINE -> Math.fma(p, v, q);
                case CLIP -> v < p ? p : v > q ? q : v;
            };
        }
    }

    @Override
    public void binary(
            @Each Binary f,
            float[] a,
            int aAt,
            int aStep,
            float[] b,
            int bAt,
            int bStep,
            float[] out,
            int outAt,
            int count) {
        for (int i = 0; i < count; i++) {
            float u = a[aAt + i * aStep];
            float v = b[bAt + i * bStep];
            out[outAt + i] = switch (f) {
                case ADD -> u + v;
                case SUBTRACT -> u - v;
                case MULTIPLY -> u * v;
                case DIVIDE -> u / v;
                case MAXIMUM -> Math.max(u, v);
                case MINIMUM -> Math.min(u, v);
                case EQUAL -> u == v ? 1 : 0;
                case GREATER -> u > v ? 1 : 0;
            };
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
        for (int i = 0; i < count; i++) {
            out[outAt + i] = condition[conditionAt + i * conditionStep] != 0 ? a[aAt + i * aStep] : b[bAt + i * bStep];
        }
    }

    @Override
    public void slope(
            @Each ActivationGradient f,
            float p,
            float[] g,
            int gAt,
            float[] y,
            int yAt,
            float[] out,
            int outAt,
            int count,
            boolean add) {
        for (int i = 0; i < count; i++) {
            float d = g[gAt + i];
            float v = y[yAt + i];
            float back = switch (f) {
                case TANH -> d * Math.fma(-v, v, 1);
                case SIGMOID -> d * Math.fma(-v, v, v);
                case RELU -> v > 0 ? d : 0;
                case LEAKY_RELU -> v > 0 ? d : p * d;
            };
            out[outAt + i] = add ? out[outAt + i] + back : back;
        }
    }

    @Override
    public void moments(boolean centred, float epsilon, float[] x, int at, int step, int count, float[] moments) {
        float share = 1f / count;
        for (int lane = 0; lane < Scratch.LANES; lane++) {
            int first = at + lane;
            float mean = centred ? differences(x, first, step, count, 0) * share : 0;
            float rest = centred ? differences(x, first, step, count, mean) * share : 0;
            float total = 0;
            for (int p = 0; p < count; p += Scratch.CHAIN) {
                float sum = 0;
                for (int k = p; k < Math.min(count, p + Scratch.CHAIN); k++) {
                    float v = x[first + k * step] - mean - rest;
                    sum = Math.fma(v, v, sum);
                }
                total += sum;
            }
            moments[lane] = mean;
            moments[Scratch.LANES + lane] = rest;
            moments[2 * Scratch.LANES + lane] = 1 / (float) Math.sqrt(Math.fma(total, share, epsilon));
        }
    }

    /** The sum of a row's differences to a number. */
    private static float differences(float[] x, int first, int step, int count, float from) {
        float total = 0;
        for (int p = 0; p < count; p += Scratch.CHAIN) {
            float sum = 0;
            for (int k = p; k < Math.min(count, p + Scratch.CHAIN); k++) {
                sum += x[first + k * step] - from;
            }
            total += sum;
        }
        return total;
    }

    @Override
    public void standardise(float[] moments, float[] x, int at, int step, int count, float[] out) {
        for (int lane = 0; lane < Scratch.LANES; lane++) {
            float mean = moments[lane];
            float rest = moments[Scratch.LANES + lane];
            float factor = moments[2 * Scratch.LANES + lane];
            for (int i = at + lane; i < at + lane + count * step; i += step) {
                out[i] = (x[i] - mean - rest) * factor;
            }
        }
    }

    @Override
    public void standardiseGradient(
            boolean centred, float[] moments, float[] x, float[] g, int at, int step, int count, float[] out) {
        float share = 1f / count;
        for (int lane = 0; lane < Scratch.LANES; lane++) {
            int first = at + lane;
            float mean = moments[lane];
            float rest = moments[Scratch.LANES + lane];
            float factor = moments[2 * Scratch.LANES + lane];
            float ofG = centred ? differences(g, first, step, count, 0) * share : 0;
            float total = 0;
            for (int p = 0; p < count; p += Scratch.CHAIN) {
                float sum = 0;
                for (int k = p; k < Math.min(count, p + Scratch.CHAIN); k++) {
                    int i = first + k * step;
                    sum = Math.fma(g[i] - ofG, (x[i] - mean - rest) * factor, sum);
                }
                total += sum;
            }
            float along = total * share;
            for (int i = first; i < first + count * step; i += step) {
                float y = (x[i] - mean - rest) * factor;
                out[i] = Math.fma(-y, along, g[i] - ofG) * factor;
            }
        }
    }

    @Override
    public void rowSums(float[] x, float q, float[] g, int at, int step, int width, int count, float[] sums) {
        for (int r = 0; r < width; r++) {
            float total = 0;
            float products = 0;
            for (int p = 0; p < count; p += Scratch.CHAIN) {
                float sum = 0;
                float chain = 0;
                for (int k = p; k < Math.min(count, p + Scratch.CHAIN); k++) {
                    int i = at + r + k * step;
                    sum += g[i];
                    chain = Math.fma(g[i], x[i] + q, chain);
                }
                total += sum;
                products += chain;
            }
            sums[r] = total;
            sums[width + r] = products;
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
        for (int i = at; i < at + count * step; i += step) {
            for (int r = 0; r < width; r++) {
                y[i + r] = Math.fma(x[i + r] + c, pq[r], pq[width + r]);
            }
            activate(activation, slope, y, i, width);
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
        for (int i = at; i < at + count * step; i += step) {
            for (int row = 0; row < width; row++) {
                out[i + row] = Math.fma(g[i + row], p[row], q) + r * (x[i + row] + c);
            }
        }
    }

    @Override
    public float sum(float[] x, int at, int count) {
        if (count <= Scratch.BLOCK) {
            return block(1, x, at, x, at, count);
        }
        double sum = 0;
        for (int i = 0; i < count; i += Scratch.BLOCK) {
            sum += block(1, x, at + i, x, at + i, Math.min(Scratch.BLOCK, count - i));
        }
        return (float) sum;
    }

    @Override
    public float sumOfProducts(float[] a, int aAt, float[] b, int bAt, int count) {
        if (count <= Scratch.BLOCK) {
            return block(2, a, aAt, b, bAt, count);
        }
        double sum = 0;
        for (int i = 0; i < count; i += Scratch.BLOCK) {
            sum += block(2, a, aAt + i, b, bAt + i, Math.min(Scratch.BLOCK, count - i));
        }
        return (float) sum;
    }

    /** The sum of a run, or of the products of two. */
    private static float block(@Each({1, 2}) int factors, float[] a, int aAt, float[] b, int bAt, int count) {
        @Registers float[] s = new float[16];
        int i = 0;
        for (; i + 16 <= count; i += 16) {
            int u = aAt + i;
            int v = bAt + i;
            for (int k = 0; k < 16; k++) {
                s[k] = factors == 1 ? s[k] + a[u + k] : Math.fma(a[u + k], b[v + k], s[k]);
            }
        }
        for (int k = 0; k < 15; k++) {
            if (i + k < count) {
                float x = a[aAt + i + k];
                s[k] = factors == 1 ? s[k] + x : Math.fma(x, b[bAt + i + k], s[k]);
            }
        }
        for (int k = 0; k < 8; k++) {
            s[k] += s[k + 8];
        }
        for (int k = 0; k < 4; k++) {
            s[k] += s[k + 4];
        }
        for (int k = 0; k < 2; k++) {
            s[k] += s[k + 2];
        }
        return s[0] + s[1];
    }

    @Override
    public float max(float[] x, int at, int count) {
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            max = Math.max(max, x[at + i]);
        }
        return max;
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
        Transpose.turn(from, at, rows, columns, fromStride, to, toAt, toStride);
    }
}
