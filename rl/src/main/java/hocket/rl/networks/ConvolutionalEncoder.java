package hocket.rl.networks;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.transpose;

import hocket.programs.Value;
import hocket.programs.layers.Window;
import hocket.rl.networks.Mlp.Initialisation;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;
import java.util.List;

/**
 * Convolutions without padding, each with a rectifier, then a dense layer with one. The default is the network of MinAtar
 * (Young and Tian 2019); {@code {filters: [32, 64, 64], kernels: [8, 4, 3], strides: [4, 2, 1], units: 512}} is that of
 * Mnih et al. 2015 for pictures (4, 84, 84). Pictures are (channels, height, width) or (height, width, channels): the
 * shorter of the first and the last axis has the channels, of equal ones the first, unless a setting says which. Further
 * axes before them, such as that of stacked frames, count as channels. Pictures whose bounds are 0 and 255 are divided by
 * 255.
 *
 * @param filters of each convolution
 * @param kernels sides of the square kernels
 * @param strides of the convolutions
 * @param units of the dense layer
 * @param channels where a picture has its channels
 */
public record ConvolutionalEncoder(
        @Setting(usually = "[16]", least = 1, most = 4096, help = "filters of each convolution")
        List<Integer> filters,

        @Setting(usually = "[3]", least = 1, most = 64, help = "sides of their square kernels")
        List<Integer> kernels,

        @Setting(usually = "[1]", least = 1, most = 64, help = "their strides")
        List<Integer> strides,

        @Setting(usually = "128", least = 1, most = 65536, help = "units of the dense layer after them")
        int units,

        @Setting(
                usually = "shortest",
                help = "axis of the channels: first of (channels, height, width), last, or the shortest of these two;"
                        + " of equal ones the first")
        ChannelAxis channels)
        implements Encoder, ConvolutionalEncoderCopies {
    /** The place of the channels among a picture's axes. */
    public enum ChannelAxis {
        /** The shorter one of first and last; of equal ones, the first. */
        SHORTEST,
        FIRST,
        LAST;

        /** @param picture (…, a, b, c) */
        private boolean isLast(Shape picture) {
            int rank = picture.rank();
            return this == LAST || (this == SHORTEST && picture.get(rank - 1) < picture.get(rank - 3));
        }
    }

    private static final double BYTE = 255;

    /** @throws IllegalArgumentException if a setting is out of its range, or the lists differ in length */
    public ConvolutionalEncoder {
        ConvolutionalEncoderCopies.check(filters, kernels, strides, units);
        filters = List.copyOf(filters);
        kernels = List.copyOf(kernels);
        strides = List.copyOf(strides);
        if (filters.isEmpty() || kernels.size() != filters.size() || strides.size() != filters.size()) {
            throw new IllegalArgumentException("filters, kernels and strides: need as many numbers each, at least one,"
                    + " were " + filters + ", " + kernels + " and " + strides);
        }
    }

    /** Returns the network of MinAtar. */
    public static ConvolutionalEncoder usual() {
        return ConvolutionalEncoderCopies.usual();
    }

    @Override
    public Value encode(Value observation, Space space, Initialisation weights) {
        Value h = picture(observation, space);
        for (int i = 0; i < filters.size(); i++) {
            int side = kernels.get(i);
            if (h.shape().get(1) < side || h.shape().get(2) < side) {
                throw new IllegalArgumentException("encoder: convolution " + (i + 1) + " has a kernel of " + side + "×"
                        + side + ", and its picture " + h.shape() + " is smaller; observations are " + space.shape());
            }
            int inputs = h.shape().get(0) * side * side;
            Window window = kernel(side).stride(strides.get(i)).weights(weights.of(inputs, Math.sqrt(2)));
            h = relu(conv("conv" + (i + 1), h, filters.get(i), window));
        }
        Value features = flatten(h);
        return relu(dense("features", features, units, weights.of(features, Math.sqrt(2))));
    }

    private Value picture(Value observation, Space space) {
        int rank = observation.shape().rank();
        if (rank < 3) {
            throw new IllegalArgumentException(
                    "encoder: convolutions need observations (channels, height, width), these" + " are " + space.shape()
                            + " of " + space);
        }
        Value first = observation;
        if (channels.isLast(observation.shape())) {
            int[] order = new int[rank];
            for (int axis = 0; axis < rank; axis++) {
                order[axis] = axis < rank - 3 ? axis : axis == rank - 3 ? rank - 1 : axis - 1;
            }
            first = transpose(observation, order);
        }
        int height = first.shape().get(rank - 2);
        int width = first.shape().get(rank - 1);
        Value picture = rank == 3 ? first : reshape(first, first.shape().size() / height / width, height, width);
        return space instanceof Box box && box.spansBytes() ? scale(picture, 1 / BYTE) : picture;
    }
}
