package hocket.programs.layers;

import hocket.programs.Layers;
import java.util.List;

/**
 * The window of a convolution: immutable, made by {@link Layers#kernel}, changed by copies: {@code
 * kernel(4).stride(2).pad(1)}. Each setting holds (vertical, horizontal).
 *
 * @param size extents of the window
 * @param stride step between windows (of a transposed convolution: between outputs of neighbouring inputs)
 * @param pad zeros added on each side (of a transposed convolution: removed)
 * @param dilation distance between the taps
 * @param outputPad further rows and columns of a transposed convolution's output, at the end
 * @param groups parts into which the channels are split
 * @param weights initialisers, and whether there is a bias
 */
public record Window(
        List<Integer> size,
        List<Integer> stride,
        List<Integer> pad,
        List<Integer> dilation,
        List<Integer> outputPad,
        int groups,
        Weights weights)
        implements WindowCopies {
    public Window {
        size = List.copyOf(size);
        stride = List.copyOf(stride);
        pad = List.copyOf(pad);
        dilation = List.copyOf(dilation);
        outputPad = List.copyOf(outputPad);
        check("size", size, 1);
        check("stride", stride, 1);
        check("pad", pad, 0);
        check("dilation", dilation, 1);
        check("outputPad", outputPad, 0);
        if (groups < 1) {
            throw new IllegalArgumentException("groups of a kernel must be at least 1, was " + groups);
        }
    }

    private static void check(String what, List<Integer> pair, int least) {
        if (pair.size() != 2 || pair.get(0) < least || pair.get(1) < least) {
            throw new IllegalArgumentException(
                    what + " of a kernel must be two numbers of at least " + least + ", was " + pair);
        }
    }

    public static Window of(int vertical, int horizontal) {
        return new Window(
                List.of(vertical, horizontal),
                List.of(1, 1),
                List.of(0, 0),
                List.of(1, 1),
                List.of(0, 0),
                1,
                Weights.standard());
    }

    public Window stride(int both) {
        return stride(both, both);
    }

    public Window stride(int vertical, int horizontal) {
        return new Window(size, List.of(vertical, horizontal), pad, dilation, outputPad, groups, weights);
    }

    public Window pad(int both) {
        return pad(both, both);
    }

    public Window pad(int vertical, int horizontal) {
        return new Window(size, stride, List.of(vertical, horizontal), dilation, outputPad, groups, weights);
    }

    public Window dilation(int both) {
        return dilation(both, both);
    }

    public Window dilation(int vertical, int horizontal) {
        return new Window(size, stride, pad, List.of(vertical, horizontal), outputPad, groups, weights);
    }

    public Window outputPad(int vertical, int horizontal) {
        return new Window(size, stride, pad, dilation, List.of(vertical, horizontal), groups, weights);
    }

    /** For example {@code kernel 4x4 stride 2 pad 1}. */
    @Override
    public String toString() {
        return "kernel " + size.get(0) + "x" + size.get(1) + part("stride", stride, 1) + part("pad", pad, 0)
                + part("dilation", dilation, 1) + part("output pad", outputPad, 0)
                + (groups == 1 ? "" : " groups " + groups);
    }

    private static String part(String name, List<Integer> pair, int usual) {
        if (pair.get(0) == usual && pair.get(1) == usual) {
            return "";
        }
        return " " + name + " " + (pair.get(0).equals(pair.get(1)) ? pair.get(0) : pair.get(0) + "x" + pair.get(1));
    }
}
