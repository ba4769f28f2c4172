package hocket.programs.jvm;

import org.jspecify.annotations.Nullable;

/** Plain loops. They define the bits that the vector loops give too. */
final class PlainKernels implements DenseKernels {
    private static final int LANES = 16;

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
        int from = Parts.first(part, parts, outputs);
        int to = Parts.first(part + 1, parts, outputs);
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
                    from, to, 0, stride, inputs, w, wAt, inputs, 1, x, xAt, stride, 1, y, yAt, stride, scratch);
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
        java.util.Arrays.fill(y, at, at + count, value);
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
        int from = Parts.first(part, parts, inputs);
        int to = Parts.first(part + 1, parts, inputs);
        if (!add) {
            fill(dx, dxAt + from * stride, (to - from) * stride, 0);
        }
        if (stride == 1) { // lanes along the features
            PlainProducts.multiply(
                    0, 1, from, to, outputs, dy, dyAt, outputs, 1, w, wAt, inputs, 1, dx, dxAt, inputs, scratch);
        } else {
            PlainProducts.multiply(
                    from, to, 0, stride, outputs, w, wAt, 1, inputs, dy, dyAt, stride, 1, dx, dxAt, stride, scratch);
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
        int from = Parts.first(part, parts, outputs);
        int to = Parts.first(part + 1, parts, outputs);
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
                    from, to, 0, inputs, rows, dy, dyAt, stride, 1, x, xAt, 1, stride, dw, dwAt, inputs, scratch);
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
            case RECIPROCAL -> {
                for (int i = 0; i < count; i++) {
                    y[yAt + i] = 1 / x[xAt + i];
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
    public void fma(float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count) {
        for (int i = 0; i < count; i++) {
            out[outAt + i] = Math.fma(a[aAt + i * aStep], b[bAt + i * bStep], out[outAt + i]);
        }
    }

    @Override
    public float sum(float[] x, int at, int count) {
        float[] partial = new float[LANES];
        for (int i = 0; i < count; i++) {
            partial[i % LANES] += x[at + i];
        }
        return Functions.tree(partial);
    }

    @Override
    public float sumOfProducts(float[] a, int aAt, float[] b, int bAt, int count) {
        float[] partial = new float[LANES];
        for (int i = 0; i < count; i++) {
            partial[i % LANES] = Math.fma(a[aAt + i], b[bAt + i], partial[i % LANES]);
        }
        return Functions.tree(partial);
    }

    @Override
    public float max(float[] x, int at, int count) {
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            max = Math.max(max, x[at + i]);
        }
        return max;
    }
}
