package hocket.programs.jvm;

import hocket.programs.Value;
import hocket.programs.layers.Window;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Gathering;
import hocket.programs.operators.Pooling;
import hocket.programs.operators.Reduction;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The reference computation of reductions, pools and batch norm, by their definitions. */
final class PlainReductionRules {
    private PlainReductionRules() {}

    static Runnable reduce(PlainRules in, Reduction.Reduce operator, Value v, List<Value> inputs, double[] out) {
        Value x = inputs.get(0);
        AxisLayout all = switch (operator.axis()) {
            case Reduction.Reduce.ALL -> new AxisLayout(1, in.full(x).size(), 1);
            case Reduction.Reduce.BATCH -> new AxisLayout(1, in.rows, x.shape().size());
            default -> in.around(x, operator.axis());
        };
        double[] values = in.array(x);
        return () -> {
            for (int i = 0; i < out.length; i++) {
                int start = all.line(i);
                double combined = operator.how() == Reduction.How.MAX ? Double.NEGATIVE_INFINITY : 0;
                for (int k = 0; k < all.along(); k++) {
                    double value = values[start + k * all.inside()];
                    combined = operator.how() == Reduction.How.MAX ? Math.max(combined, value) : combined + value;
                }
                out[i] = operator.how() == Reduction.How.MEAN ? combined / all.along() : combined;
            }
        };
    }

    static Runnable argMax(PlainRules in, Reduction.ArgMax operator, Value v, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(0));
        int width = inputs.get(0).shape().get(-1);
        return () -> {
            for (int i = 0; i < out.length; i++) {
                int best = 0;
                for (int k = 1; k < width; k++) {
                    best = x[i * width + k] > x[i * width + best] ? k : best;
                }
                out[i] = best;
            }
        };
    }

    static Runnable argSort(PlainRules in, Reduction.ArgSort operator, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(0));
        AxisLayout all = in.around(inputs.get(0), operator.axis());
        return () -> {
            for (int i = 0; i < all.outside() * all.inside(); i++) {
                int start = all.line(i);
                // With 0.0 both zeros are equal.
                Comparator<Integer> ascending = Comparator.comparingDouble(k -> x[start + k * all.inside()] + 0.0);
                List<Integer> order = IntStream.range(0, all.along())
                        .boxed()
                        .sorted(operator.descending() ? ascending.reversed() : ascending)
                        .toList();
                for (int k = 0; k < all.along(); k++) {
                    out[start + k * all.inside()] = order.get(k);
                }
            }
        };
    }

    static Runnable gather(PlainRules in, Gathering.Gather operator, Value v, List<Value> inputs, double[] out) {
        AxisLayout from = in.around(inputs.get(0), operator.axis());
        double[] x = in.array(inputs.get(0));
        double[] index = in.array(inputs.get(1));
        return joined(in.around(v, operator.axis()), from, index, (at, place) -> out[at] = x[place]);
    }

    static Runnable scatterAdd(
            PlainRules in, Gathering.ScatterAdd operator, Value v, List<Value> inputs, double[] out) {
        AxisLayout from = in.around(inputs.get(0), operator.axis());
        double[] x = in.array(inputs.get(0));
        double[] index = in.array(inputs.get(1));
        Runnable sums = joined(from, in.around(v, operator.axis()), index, (at, place) -> out[place] += x[at]);
        return () -> {
            Arrays.fill(out, 0);
            sums.run();
        };
    }

    /** An element that has an index, and the place that this names. */
    @FunctionalInterface
    private interface Joint {
        void at(int indexed, int place);
    }

    private static Runnable joined(AxisLayout indices, AxisLayout places, double[] index, Joint joint) {
        return () -> {
            for (int i = 0; i < indices.outside() * indices.inside(); i++) {
                for (int k = 0; k < indices.along(); k++) {
                    int at = indices.line(i) + k * indices.inside();
                    joint.at(at, places.line(i) + (int) index[at] * places.inside());
                }
            }
        };
    }

    static Runnable embeddingWeight(
            PlainRules in, Gathering.EmbeddingWeight operator, Value v, List<Value> inputs, double[] out) {
        double[] index = in.array(inputs.get(0));
        double[] g = in.array(inputs.get(1));
        int width = v.shape().get(1);
        return () -> {
            Arrays.fill(out, 0);
            for (int i = 0; i < g.length; i++) {
                out[(int) index[i / width] * width + i % width] += g[i];
            }
        };
    }

    static Runnable softmax(PlainRules in, Reduction.Softmax operator, Value v, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(0));
        AxisLayout all = in.around(v, operator.axis());
        return () -> {
            for (int i = 0; i < all.outside() * all.inside(); i++) {
                int start = all.line(i);
                double largest = Double.NEGATIVE_INFINITY;
                for (int k = 0; k < all.along(); k++) {
                    largest = Math.max(largest, x[start + k * all.inside()]);
                }
                double sum = 0;
                for (int k = 0; k < all.along(); k++) {
                    sum += StrictMath.exp(x[start + k * all.inside()] - largest);
                }
                for (int k = 0; k < all.along(); k++) {
                    double distance = x[start + k * all.inside()] - largest;
                    out[start + k * all.inside()] =
                            operator.logarithm() ? distance - StrictMath.log(sum) : StrictMath.exp(distance) / sum;
                }
            }
        };
    }

    static Runnable cumulativeSum(
            PlainRules in, Reduction.CumulativeSum operator, Value v, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(0));
        AxisLayout all = in.around(v, operator.axis());
        return () -> {
            for (int i = 0; i < all.outside() * all.inside(); i++) {
                int start = all.line(i);
                double sum = 0;
                for (int k = 0; k < all.along(); k++) {
                    int place = operator.reversed() ? all.along() - 1 - k : k;
                    sum += x[start + place * all.inside()];
                    out[start + place * all.inside()] = sum;
                }
            }
        };
    }

    /** Takes the elements of one image at the places of the largest of another's windows. */
    static Runnable picked(PlainRules in, Window kernel, Value v, Value from, Value taken, double[] out) {
        double[] x = in.array(from);
        double[] other = in.array(taken);
        return () -> {
            for (int i = 0; i < out.length; i++) {
                out[i] = other[largest(kernel, x, from.shape(), v.shape(), i)];
            }
        };
    }

    static Runnable maxPoolInput(
            PlainRules in, Pooling.MaxPoolInput operator, Value v, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(0));
        double[] g = in.array(inputs.get(1));
        return () -> {
            Arrays.fill(out, 0);
            for (int i = 0; i < g.length; i++) {
                out[largest(operator.kernel(), x, v.shape(), inputs.get(1).shape(), i)] += g[i];
            }
        };
    }

    /** The place of the largest in the window of one result: NaN before all others, else the first of equals. */
    private static int largest(Window kernel, double[] x, Shape image, Shape result, int at) {
        int column = at % result.get(2);
        int row = at / result.get(2) % result.get(1);
        int plane = at / result.get(2) / result.get(1);
        int best = -1;
        for (int r = 0; r < kernel.size().get(0); r++) {
            int top = row * kernel.stride().get(0)
                    + r * kernel.dilation().get(0)
                    - kernel.pad().get(0);
            for (int c = 0; c < kernel.size().get(1); c++) {
                int left = column * kernel.stride().get(1)
                        + c * kernel.dilation().get(1)
                        - kernel.pad().get(1);
                if (top >= 0 && top < image.get(1) && left >= 0 && left < image.get(2)) {
                    int place = (plane * image.get(1) + top) * image.get(2) + left;
                    best = best < 0 || x[place] > x[best] || Double.isNaN(x[place]) ? place : best;
                }
            }
        }
        return best;
    }

    static Runnable batchNorm(PlainRules in, BatchNorm operator, Value v, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(BatchNorm.X));
        double[] scale = in.array(inputs.get(BatchNorm.SCALE));
        double[] shift = in.array(inputs.get(BatchNorm.SHIFT));
        boolean ofBatch = operator.usesBatch(in.mode);
        int channels = inputs.get(BatchNorm.SCALE).shape().size();
        double[] mean = ofBatch ? in.further(v)[BatchNorm.BATCH_MEAN] : in.array(inputs.get(BatchNorm.MEAN));
        double[] variance =
                ofBatch ? in.further(v)[BatchNorm.BATCH_VARIANCE] : in.array(inputs.get(BatchNorm.VARIANCE));
        int pixels = v.shape().size() / channels;
        return () -> {
            if (ofBatch) {
                in.moments(inputs.get(BatchNorm.X), mean, variance);
            }
            for (int i = 0; i < out.length; i++) {
                int c = i / pixels % channels;
                int own = i / pixels % scale.length; // of the row, where each has a scale
                out[i] = (x[i] - mean[c]) / Math.sqrt(variance[c] + operator.epsilon()) * scale[own] + shift[own];
            }
        };
    }
}
