package hocket.rl.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.rl.networks.ConvolutionalEncoder.ChannelAxis;
import hocket.rl.networks.Mlp.Initialisation;
import hocket.rl.spaces.Box;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests the encoders of observations. */
class EncoderTest {
    private static final int CHANNELS = 2;
    private static final int HEIGHT = 3;
    private static final int WIDTH = 4;
    private static final ConvolutionalEncoder SMALL =
            new ConvolutionalEncoder(List.of(3), List.of(2), List.of(1), 5, ChannelAxis.FIRST);

    private static Box box(float high, int... extents) {
        Shape shape = Shape.of(extents);
        float[] highs = new float[shape.size()];
        Arrays.fill(highs, high);
        return new Box(shape, new float[shape.size()], highs);
    }

    private static double[] encoded(Encoder encoder, Box space, float[] observation) {
        Graph graph = new Graph();
        Value seen = graph.input("observation", space.shape());
        Value features = graph.module("encoder", (Value x) -> encoder.encode(x, space, Initialisation.UNIFORM))
                .apply(seen);
        Program program = Program.compile("encode", Mode.EVAL, features);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(3));
                Session session = Session.over(graph, parameters, Mode.EVAL)) {
            Tensor row = Tensor.of(space.shape().prepend(1), observation);
            return session.run(program, Feeds.of("observation", row)).get(0).doubles();
        }
    }

    /** Numbers of a picture, channels first. */
    private static float[] picture() {
        float[] picture = new float[CHANNELS * HEIGHT * WIDTH];
        for (int i = 0; i < picture.length; i++) {
            picture[i] = (i * 7 % 11) / 11f;
        }
        return picture;
    }

    @Test
    void channelsMayBeFirstOrLast() {
        float[] last = new float[picture().length];
        for (int i = 0; i < last.length; i++) {
            int channel = i / HEIGHT / WIDTH;
            last[i % (HEIGHT * WIDTH) * CHANNELS + channel] = picture()[i];
        }
        double[] first = encoded(SMALL, box(1, CHANNELS, HEIGHT, WIDTH), picture());
        assertThat(first).hasSize(5);
        assertThat(encoded(SMALL.channels(ChannelAxis.LAST), box(1, HEIGHT, WIDTH, CHANNELS), last))
                .isEqualTo(first);
        // of these two axes the shorter one has the channels
        assertThat(encoded(SMALL.channels(ChannelAxis.SHORTEST), box(1, HEIGHT, WIDTH, CHANNELS), last))
                .isEqualTo(first);
    }

    @Test
    void channelsOfEqualAxesAreFirst() {
        ConvolutionalEncoder shortest = SMALL.channels(ChannelAxis.SHORTEST);
        assertThat(encoded(shortest, box(1, CHANNELS, HEIGHT, WIDTH), picture()))
                .isEqualTo(encoded(SMALL, box(1, CHANNELS, HEIGHT, WIDTH), picture()));
        assertThat(encoded(shortest, box(1, 2, 6, 2), picture())).isEqualTo(encoded(SMALL, box(1, 2, 6, 2), picture()));
        assertThat(ConvolutionalEncoder.usual().channels()).isEqualTo(ChannelAxis.SHORTEST);
    }

    @Test
    void stackedPicturesAreFurtherChannels() {
        assertThat(encoded(SMALL, box(1, 2, 1, HEIGHT, WIDTH), picture()))
                .isEqualTo(encoded(SMALL, box(1, CHANNELS, HEIGHT, WIDTH), picture()));
    }

    @Test
    void picturesOfBytesAreDividedBy255() {
        float[] bytes = picture();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] *= 255;
        }
        double[] whole = encoded(SMALL, box(1, CHANNELS, HEIGHT, WIDTH), picture());
        double[] scaled = encoded(SMALL, box(255, CHANNELS, HEIGHT, WIDTH), bytes);
        for (int i = 0; i < whole.length; i++) {
            assertThat(scaled[i]).isCloseTo(whole[i], Offset.offset(1e-6)); // rounds once more
        }
    }

    @Test
    void aFlatEncoderTakesAnyShape() {
        double[] flat = encoded(Encoder.flat(), box(1, CHANNELS, HEIGHT, WIDTH), picture());
        assertThat(flat).hasSize(picture().length);
        assertThat(flat[5]).isEqualTo(picture()[5]);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> encoded(SMALL, box(1, 4), new float[4]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "encoder: convolutions need observations (channels, height, width), these are (4)");
        assertThatThrownBy(() -> encoded(SMALL, box(1, 1, 1, 4), new float[4]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "encoder: convolution 1 has a kernel of 2×2, and its picture (1,1,4) is smaller; observations"
                                + " are (1,1,4)");
        assertThatThrownBy(() -> SMALL.kernels(List.of(2, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("need as many numbers each");
        assertThatThrownBy(() -> SMALL.units(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("units: must be at least 1, was 0");
    }
}
