package hocket.workbench.pictures.tensorboard;

import hocket.programs.protobuf.Protobuf;
import hocket.scopes.Snapshot;
import hocket.workbench.runs.Histogram;
import hocket.workbench.runs.SampleName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes events by TensorFlow's {@code event.proto} and {@code summary.proto}. Values use the fields that every reader
 * knows, {@code simple_value}, {@code image} and {@code histo}, which TensorBoard converts for its plugins.
 */
final class Events {
    /** The status of a file's first event: a resumed run drops events from its step on. */
    private static final String VERSION = "brain.Event:2";

    private static final String SAMPLES = "samples";
    private static final int START = 1;

    private Events() {}

    /** Returns the time and step that every event has. */
    private static Protobuf event(double time, long step) {
        return new Protobuf().real(1, time).whole(2, step);
    }

    private static byte[] summary(double time, long step, Protobuf value) {
        return event(time, step).message(5, new Protobuf().message(1, value)).bytes();
    }

    private static Protobuf tagged(String tag) {
        return new Protobuf().text(1, tag);
    }

    /** Returns the first event of a file. */
    static byte[] version(double time) {
        return event(time, 0).text(3, VERSION).bytes();
    }

    /** Returns the event that drops events of earlier files from a step on, because the run was resumed before it. */
    static byte[] start(double time, long step) {
        return event(time, step).message(7, new Protobuf().whole(1, START)).bytes();
    }

    /** Returns the event of a metric, rounded to 32 bits as the format requires. */
    static byte[] scalar(double time, long step, String tag, double value) {
        return summary(time, step, tagged(tag).single(2, (float) value));
    }

    /**
     * Returns the event of a sample image with the bytes of its file; all numbered images form one series, {@code
     * samples}.
     *
     * @param name the file's name without its extension
     */
    static byte[] image(double time, long step, String name, Png picture) {
        String tag = SampleName.of(name).isPresent() ? SAMPLES : SAMPLES + "/" + name;
        Protobuf image = new Protobuf()
                .whole(1, picture.height())
                .whole(2, picture.width())
                .whole(3, picture.channels())
                .bytes(4, ByteBuffer.wrap(picture.bytes()));
        return summary(time, step, tagged(tag).message(4, image));
    }

    /** Returns histograms of each parameter's values; values that are not finite are left out. */
    static List<byte[]> histograms(double time, long step, Snapshot parameters) {
        List<byte[]> events = new ArrayList<>();
        parameters.tensors().forEach((path, tensor) -> {
            if (tensor.type().isFloating()) {
                events.add(histogram(time, step, path.text(), Histogram.finite(tensor.doubles())));
            }
        });
        return events;
    }

    private static byte[] histogram(double time, long step, String tag, double[] values) {
        Histogram bins = Histogram.of(values, Histogram.USUAL_BINS);
        Protobuf histogram = new Protobuf()
                .real(1, Arrays.stream(values).min().orElse(0))
                .real(2, Arrays.stream(values).max().orElse(0))
                .real(3, values.length)
                .real(4, Arrays.stream(values).sum())
                .real(5, Arrays.stream(values).map(value -> value * value).sum())
                .reals(6, Arrays.copyOfRange(bins.edges(), 1, bins.edges().length))
                .reals(7, Arrays.stream(bins.counts()).asDoubleStream().toArray());
        return summary(time, step, tagged(tag).message(5, histogram));
    }
}
