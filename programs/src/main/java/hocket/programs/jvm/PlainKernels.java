package hocket.programs.jvm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Plain loops. They define the bits that the vector loops give too. */
final class PlainKernels implements DenseKernels {
    PlainKernels() {}

    @Override
    public String name() {
        return "plain";
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
        int from = Parts.row(part, parts, outputs);
        int to = Parts.row(part + 1, parts, outputs);
        if (stride == 1) {
            for (int i = from; i < to; i++) {
                float dot = sumOfProducts(w, wAt + i * inputs, x, xAt, inputs);
                y[yAt + i] = bias == null ? dot : dot + bias[biasAt + i];
            }
        } else {
            for (int i = from; i < to; i++) {
                fill(y, yAt + i * stride, stride, bias == null ? 0 : bias[biasAt + i]);
            }
            PlainProducts.multiply(
                    this, from, to, 0, stride, inputs, w, wAt, inputs, 1, x, xAt, stride, 1, y, yAt, stride, scratch);
        }
        activate(activation, slope, y, yAt + from * stride, (to - from) * stride);
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

    private static void fill(float[] y, int at, int count, float value) {
        Arrays.fill(y, at, at + count, value);
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
        if (!add) {
            fill(dx, dxAt + from * stride, (to - from) * stride, 0);
        }
        if (stride == 1) { // lanes along the features
            PlainProducts.multiply(
                    this, 0, 1, from, to, outputs, dy, dyAt, outputs, 1, w, wAt, inputs, 1, dx, dxAt, inputs, scratch);
        } else {
            PlainProducts.multiply(
                    this, from, to, 0, stride, outputs, w, wAt, 1, inputs, dy, dyAt, stride, 1, dx, dxAt, stride,
                    scratch);
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
        if (stride > 1 && Parts.few(outputs, inputs)) {
            for (int i = from; i < to; i++) {
                for (int j = 0; j < inputs; j++) {
                    float sum = sumOfProducts(dy, dyAt + i * stride, x, xAt + j * stride, rows);
                    int at = dwAt + i * inputs + j;
                    dw[at] = add ? dw[at] + sum : sum;
                }
            }
        } else {
            if (!add) {
                fill(dw, dwAt + from * inputs, (to - from) * inputs, 0);
            }
            PlainProducts.multiply(
                    this, from, to, 0, inputs, rows, dy, dyAt, stride, 1, x, xAt, 1, stride, dw, dwAt, inputs, scratch);
        }
        if (db != null) {
            for (int i = from; i < to; i++) {
                float sum = sum(dy, dyAt + i * stride, rows);
                db[dbAt + i] = add ? db[dbAt + i] + sum : sum;
            }
        }
    }

    @Override
    public void unary(Unary f, float p, float q, float[] x, int xAt, float[] y, int yAt, int count) {
        switch (f) {
            case NEGATE -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = -x[xAt + i];
                }
            }
            case RELU -> {
                for (int i = 0; i < count; i++) {
                    float v = x[xAt + i];
                    y[yAt + i] = v < 0 ? 0 : v;
                }
            }
            case LEAKY_RELU -> {
                for (int i = 0; i < count; i++) {
                    float v = x[xAt + i];
                    y[yAt + i] = v < 0 ? p * v : v;
                }
            }
            case ELU -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = Functions.elu(x[xAt + i], p);
                }
            }
            case TANH -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = Functions.tanh(x[xAt + i]);
                }
            }
            case SIGMOID -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = Functions.sigmoid(x[xAt + i]);
                }
            }
            case SOFTPLUS -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = Functions.softplus(x[xAt + i]);
                }
            }
            case EXP -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = Functions.exp(x[xAt + i]);
                }
            }
            case LOG -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = Functions.log(x[xAt + i]);
                }
            }
            case SQRT -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = (float) Math.sqrt(x[xAt + i]);
                }
            }
            case SQUARE -> {
                for (int i = 0; i < count; i++) {
                    float v = x[xAt + i];
                    y[yAt + i] = v * v;
                }
            }
            case ABS -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = Math.abs(x[xAt + i]);
                }
            }
            case AFFINE -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = Math.fma(p, x[xAt + i], q);
                }
            }
            case CLIP -> {
                for (int i = 0; i < count; i++) {
                    float v = x[xAt + i];
                    y[yAt + i] = v < p ? p : v > q ? q : v;
                }
            }
        }
    }

    @Override
    public void binary(
            Binary f, float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        switch (f) {
            case ADD -> {
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = a[aAt + i * aStep] + b[bAt + i * bStep];
                }
            }
            case SUBTRACT -> {
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = a[aAt + i * aStep] - b[bAt + i * bStep];
                }
            }
            case MULTIPLY -> {
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = a[aAt + i * aStep] * b[bAt + i * bStep];
                }
            }
            case DIVIDE -> {
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = a[aAt + i * aStep] / b[bAt + i * bStep];
                }
            }
            case MAXIMUM -> {
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = Math.max(a[aAt + i * aStep], b[bAt + i * bStep]);
                }
            }
            case MINIMUM -> {
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = Math.min(a[aAt + i * aStep], b[bAt + i * bStep]);
                }
            }
            case EQUAL -> {
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = a[aAt + i * aStep] == b[bAt + i * bStep] ? 1 : 0;
                }
            }
            case GREATER -> {
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = a[aAt + i * aStep] > b[bAt + i * bStep] ? 1 : 0;
                }
            }
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
            Slope f, float p, float[] g, int gAt, float[] y, int yAt, float[] out, int outAt, int count, boolean add) {
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
    public float sum(float[] x, int at, int count) {
        if (count <= Scratch.BLOCK) {
            return block(x, at, count);
        }
        double sum = 0;
        for (int i = 0; i < count; i += Scratch.BLOCK) {
            sum += block(x, at + i, Math.min(Scratch.BLOCK, count - i));
        }
        return (float) sum;
    }

    private static float block(float[] x, int at, int count) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        float s4 = 0;
        float s5 = 0;
        float s6 = 0;
        float s7 = 0;
        float s8 = 0;
        float s9 = 0;
        float s10 = 0;
        float s11 = 0;
        float s12 = 0;
        float s13 = 0;
        float s14 = 0;
        float s15 = 0;
        int i = 0;
        for (; i + 16 <= count; i += 16) {
            int u = at + i;
            s0 += x[u];
            s1 += x[u + 1];
            s2 += x[u + 2];
            s3 += x[u + 3];
            s4 += x[u + 4];
            s5 += x[u + 5];
            s6 += x[u + 6];
            s7 += x[u + 7];
            s8 += x[u + 8];
            s9 += x[u + 9];
            s10 += x[u + 10];
            s11 += x[u + 11];
            s12 += x[u + 12];
            s13 += x[u + 13];
            s14 += x[u + 14];
            s15 += x[u + 15];
        }
        int rest = count - i;
        s0 = rest > 0 ? s0 + x[at + i] : s0;
        s1 = rest > 1 ? s1 + x[at + i + 1] : s1;
        s2 = rest > 2 ? s2 + x[at + i + 2] : s2;
        s3 = rest > 3 ? s3 + x[at + i + 3] : s3;
        s4 = rest > 4 ? s4 + x[at + i + 4] : s4;
        s5 = rest > 5 ? s5 + x[at + i + 5] : s5;
        s6 = rest > 6 ? s6 + x[at + i + 6] : s6;
        s7 = rest > 7 ? s7 + x[at + i + 7] : s7;
        s8 = rest > 8 ? s8 + x[at + i + 8] : s8;
        s9 = rest > 9 ? s9 + x[at + i + 9] : s9;
        s10 = rest > 10 ? s10 + x[at + i + 10] : s10;
        s11 = rest > 11 ? s11 + x[at + i + 11] : s11;
        s12 = rest > 12 ? s12 + x[at + i + 12] : s12;
        s13 = rest > 13 ? s13 + x[at + i + 13] : s13;
        s14 = rest > 14 ? s14 + x[at + i + 14] : s14;
        s0 = ((s0 + s8) + (s4 + s12)) + ((s2 + s10) + (s6 + s14));
        s1 = ((s1 + s9) + (s5 + s13)) + ((s3 + s11) + (s7 + s15));
        return s0 + s1;
    }

    @Override
    public float sumOfProducts(float[] a, int aAt, float[] b, int bAt, int count) {
        if (count <= Scratch.BLOCK) {
            return blockOfProducts(a, aAt, b, bAt, count);
        }
        double sum = 0;
        for (int i = 0; i < count; i += Scratch.BLOCK) {
            sum += blockOfProducts(a, aAt + i, b, bAt + i, Math.min(Scratch.BLOCK, count - i));
        }
        return (float) sum;
    }

    private static float blockOfProducts(float[] a, int aAt, float[] b, int bAt, int count) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        float s4 = 0;
        float s5 = 0;
        float s6 = 0;
        float s7 = 0;
        float s8 = 0;
        float s9 = 0;
        float s10 = 0;
        float s11 = 0;
        float s12 = 0;
        float s13 = 0;
        float s14 = 0;
        float s15 = 0;
        int i = 0;
        for (; i + 16 <= count; i += 16) {
            int u = aAt + i;
            int v = bAt + i;
            s0 = Math.fma(a[u], b[v], s0);
            s1 = Math.fma(a[u + 1], b[v + 1], s1);
            s2 = Math.fma(a[u + 2], b[v + 2], s2);
            s3 = Math.fma(a[u + 3], b[v + 3], s3);
            s4 = Math.fma(a[u + 4], b[v + 4], s4);
            s5 = Math.fma(a[u + 5], b[v + 5], s5);
            s6 = Math.fma(a[u + 6], b[v + 6], s6);
            s7 = Math.fma(a[u + 7], b[v + 7], s7);
            s8 = Math.fma(a[u + 8], b[v + 8], s8);
            s9 = Math.fma(a[u + 9], b[v + 9], s9);
            s10 = Math.fma(a[u + 10], b[v + 10], s10);
            s11 = Math.fma(a[u + 11], b[v + 11], s11);
            s12 = Math.fma(a[u + 12], b[v + 12], s12);
            s13 = Math.fma(a[u + 13], b[v + 13], s13);
            s14 = Math.fma(a[u + 14], b[v + 14], s14);
            s15 = Math.fma(a[u + 15], b[v + 15], s15);
        }
        int rest = count - i;
        s0 = rest > 0 ? Math.fma(a[aAt + i], b[bAt + i], s0) : s0;
        s1 = rest > 1 ? Math.fma(a[aAt + i + 1], b[bAt + i + 1], s1) : s1;
        s2 = rest > 2 ? Math.fma(a[aAt + i + 2], b[bAt + i + 2], s2) : s2;
        s3 = rest > 3 ? Math.fma(a[aAt + i + 3], b[bAt + i + 3], s3) : s3;
        s4 = rest > 4 ? Math.fma(a[aAt + i + 4], b[bAt + i + 4], s4) : s4;
        s5 = rest > 5 ? Math.fma(a[aAt + i + 5], b[bAt + i + 5], s5) : s5;
        s6 = rest > 6 ? Math.fma(a[aAt + i + 6], b[bAt + i + 6], s6) : s6;
        s7 = rest > 7 ? Math.fma(a[aAt + i + 7], b[bAt + i + 7], s7) : s7;
        s8 = rest > 8 ? Math.fma(a[aAt + i + 8], b[bAt + i + 8], s8) : s8;
        s9 = rest > 9 ? Math.fma(a[aAt + i + 9], b[bAt + i + 9], s9) : s9;
        s10 = rest > 10 ? Math.fma(a[aAt + i + 10], b[bAt + i + 10], s10) : s10;
        s11 = rest > 11 ? Math.fma(a[aAt + i + 11], b[bAt + i + 11], s11) : s11;
        s12 = rest > 12 ? Math.fma(a[aAt + i + 12], b[bAt + i + 12], s12) : s12;
        s13 = rest > 13 ? Math.fma(a[aAt + i + 13], b[bAt + i + 13], s13) : s13;
        s14 = rest > 14 ? Math.fma(a[aAt + i + 14], b[bAt + i + 14], s14) : s14;
        s0 = ((s0 + s8) + (s4 + s12)) + ((s2 + s10) + (s6 + s14));
        s1 = ((s1 + s9) + (s5 + s13)) + ((s3 + s11) + (s7 + s15));
        return s0 + s1;
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
    public void turn(float[] from, int rows, int firstColumn, int columns, int fromStride, float[] to, int toStride) {
        Turning.turn(from, 0, rows, firstColumn, firstColumn + columns, fromStride, to, toStride);
    }
}
