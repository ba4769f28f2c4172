package hocket.workbench.command.samples;

import hocket.gan.scores.FeatureRows;
import hocket.gan.scores.FeatureRows.Neighbour;
import hocket.programs.Session;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.feeds.PackedSource;
import hocket.schedulers.rings.Samples;
import hocket.scopes.ElementType;
import hocket.scopes.Heap;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentSpec.FeedSpec;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.NumberFormats;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The rows that a run's generator was trained on, in the order of the data.
 *
 * @param feed the name of their feed
 * @param rows the rows, as their networks see them
 */
public record TrainingRows(String feed, FeatureRows rows) {
    /**
     * Reads the rows of the first feed whose rows have the shape of samples. A feed that samples are made from, as by a
     * translator, comes last.
     *
     * @throws UserError if there is none, or it cannot be read
     */
    public static TrainingRows of(SelectedExperiment experiment, Samples samples) {
        List<SourceDescription> feeds = Samples.sources(experiment.setup()).stream()
                .filter(feed -> experiment.file().spec().feeds().containsKey(feed.name()))
                .toList();
        List<SourceDescription> alike = feeds.stream()
                .filter(feed -> column(feed, spec(experiment, feed), samples.shape()) >= 0)
                .toList();
        SourceDescription feed = alike.stream()
                .filter(each -> !samples.reads(each))
                .findFirst()
                .or(() -> alike.stream().findFirst())
                .orElseThrow(() -> new UserError("--neighbours: experiment " + experiment.name()
                        + " has no feed of rows " + samples.shape() + ", the shape of its samples; its feeds give "
                        + feeds.stream().map(SourceDescription::columns).toList()));
        feed.open(); // says what is wrong with the data
        Source source = UserError.unless(() -> spec(experiment, feed).openRows(feed.name()));
        int column = column(feed, spec(experiment, feed), samples.shape());
        return new TrainingRows(
                feed.name(),
                new FeatureRows(read(source, column), samples.shape().size()));
    }

    private static FeedSpec spec(SelectedExperiment experiment, SourceDescription feed) {
        return Objects.requireNonNull(experiment.file().spec().feeds().get(feed.name()));
    }

    /** Returns the column of rows, or of packs of rows, of a shape; -1 if there is none. */
    private static int column(SourceDescription feed, FeedSpec spec, Shape row) {
        List<Source.Column> columns = feed.columns();
        for (int i = 0; i < columns.size(); i++) {
            Source.Column single =
                    new Source.Column("single", row, columns.get(i).type());
            if (single.type().isFloating()
                    && PackedSource.columns(List.of(single), spec.pack())
                            .get(0)
                            .shape()
                            .equals(columns.get(i).shape())) {
                return i;
            }
        }
        return -1;
    }

    /** Reads an epoch of a column. */
    private static float[] read(Source source, int column) {
        ElementType type = source.columns().get(column).type();
        int size = source.columns().get(column).shape().size();
        float[] all = new float[0];
        int end = 0;
        while (source.epoch() < 1) {
            ByteBuffer[] drawn = new ByteBuffer[1];
            int rows = source.next(Streams.seed(0), (at, count) -> {
                if (at == column) {
                    drawn[0] = ByteBuffer.allocate(count * size * type.bytes()).order(ByteOrder.nativeOrder());
                }
                return at == column ? drawn[0] : null;
            });
            if (end + rows * size > all.length) {
                long most = source.drawsAnEpoch().orElse(0) * rows * size;
                long wanted = Math.max(Math.max(most, 2L * all.length), end + (long) rows * size);
                Heap.require("the rows of " + source.name(), (double) wanted * Float.BYTES);
                all = Arrays.copyOf(all, Math.toIntExact(Math.min(wanted, Integer.MAX_VALUE - 8)));
            }
            for (int i = 0; i < rows * size; i++) {
                all[end++] = (float) type.get(drawn[0], i);
            }
        }
        return Arrays.copyOf(all, end);
    }

    /**
     * Returns strips of a sample and its nearest rows by the Euclidean distance of their numbers, the nearest first; of rows at
     * one distance the first ones.
     *
     * @param distances takes the distances of all samples to their nearest row
     * @throws UserError if there are fewer rows
     */
    public SampleStrips beside(Samples samples, int neighbours, Consumer<double[]> distances) {
        if (neighbours > rows.count()) {
            throw new UserError("--neighbours " + neighbours + ": feed " + feed + " has "
                    + NumberFormats.counted(rows.count(), "row"));
        }
        return new SampleStrips(
                samples.shape(),
                1 + neighbours,
                1,
                (session, count, takes) -> draw(samples, neighbours, distances, session, count, takes),
                count -> SampleStrips.single(samples).described().apply(count) + " with the " + neighbours
                        + " nearest of " + NumberFormats.counted(rows.count(), "row") + " of " + feed);
    }

    private void draw(
            Samples samples,
            int neighbours,
            Consumer<double[]> distances,
            Session session,
            int count,
            Consumer<float[]> takes) {
        int size = rows.dimension();
        double[] nearest = new double[count];
        int[] at = {0};
        samples.draw(session, count, some -> {
            requireFinite(some);
            FeatureRows drawn = new FeatureRows(some, size);
            List<List<Neighbour>> found = drawn.nearest(rows, neighbours);
            for (int i = 0; i < drawn.count(); i++) {
                float[] strip = Arrays.copyOf(drawn.at(i).values(), (1 + neighbours) * size);
                for (int k = 0; k < neighbours; k++) {
                    int row = found.get(i).get(k).row();
                    System.arraycopy(rows.values(), row * size, strip, (1 + k) * size, size);
                }
                nearest[at[0]++] = found.get(i).get(0).distance();
                takes.accept(strip);
            }
        });
        distances.accept(nearest);
    }

    private static void requireFinite(float[] samples) {
        for (float value : samples) {
            if (!Float.isFinite(value)) {
                throw new CommandFailure("a sample has the value " + value + ", so it has no nearest rows");
            }
        }
    }
}
