package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.layers.Window;
import hocket.programs.operators.Pooling;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;

/** The computation of {@link Pooling}: each window for all rows of the batch at a time. */
final class DensePoolingRules {
    private DensePoolingRules() {}

    /** The places of the largest elements of windows: NaN before all others, else the first of equals. */
    private static final class Largest {
        private final float[] x;
        private final ConvolutionTaps taps;
        private final int stride;
        private final int image;
        private final int[] places;
        private final float[] values;

        Largest(DenseRules in, Window kernel, Value x, Shape result) {
            this.x = in.array(x);
            int high = kernel.size().get(0);
            int wide = kernel.size().get(1);
            this.taps = ConvolutionTaps.of(kernel, high, wide, x.shape(), result);
            this.stride = in.memory.stride(x);
            this.image = x.shape().get(1) * x.shape().get(2) * stride;
            this.places = new int[stride];
            this.values = new float[stride];
        }

        /** Returns the place of the largest for each row, in the window of a pixel of the result. */
        int[] of(int channel, int pixel) {
            int[] sources = taps.sources()[pixel];
            for (int k = 0; k < sources.length; k++) {
                int at = channel * image + sources[k] * stride;
                for (int n = 0; n < stride; n++) {
                    float next = x[at + n];
                    if (k == 0 || next > values[n] || Float.isNaN(next)) {
                        values[n] = next;
                        places[n] = at + n;
                    }
                }
            }
            return places;
        }
    }

    /** Returns the elements of an image at the places of the largest of x. */
    static Runnable picked(DenseRules in, Window kernel, Value value, Value x, Value taken, float[] out) {
        Largest largest = new Largest(in, kernel, x, value.shape());
        float[] from = in.array(taken);
        int stride = in.memory.stride(value);
        int pixels = value.shape().get(1) * value.shape().get(2);
        return () -> {
            for (int i = 0; i < value.shape().size(); i++) {
                int[] places = largest.of(i / pixels, i % pixels);
                for (int n = 0; n < stride; n++) {
                    out[i * stride + n] = from[places[n]];
                }
            }
        };
    }

    static Runnable maxPoolInput(
            DenseRules in, Pooling.MaxPoolInput operator, Value value, List<Value> inputs, float[] out) {
        Shape result = inputs.get(1).shape();
        Largest largest = new Largest(in, operator.kernel(), inputs.get(0), result);
        float[] g = in.array(inputs.get(1));
        int stride = in.memory.stride(value);
        int pixels = result.get(1) * result.get(2);
        return () -> {
            Arrays.fill(out, 0, in.memory.length(value), 0);
            for (int i = 0; i < result.size(); i++) {
                int[] places = largest.of(i / pixels, i % pixels);
                for (int n = 0; n < stride; n++) {
                    out[places[n]] += g[i * stride + n];
                }
            }
        };
    }
}
