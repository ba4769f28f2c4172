package hocket.workbench.training.reports;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Source.Column;
import hocket.schedulers.rings.Samples;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import hocket.workbench.pictures.plot.FieldPlot;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * A picture of samples that are points in the plane, with real points, over the classifier's output at each place, if
 * the networks have an EVAL program from a point to one number.
 *
 * @param setup may have the program of this output, and a feed of real points
 * @param samples the program that draws points
 */
public record PointsPicture(Setup setup, Samples samples) {
    /** The usual number of points of each kind. */
    public static final int POINTS = 1000;

    private static final int ACROSS = 96;

    /** Draws the picture as PNG, with the usual number of points. */
    void write(Path file, Session session, String title) {
        write(file, session, POINTS, title);
    }

    /**
     * Draws the picture as PNG.
     *
     * @param count the number of samples, and of real points
     */
    public void write(Path file, Session session, int count, String title) {
        float[] drawn = samples.few(session, count).floats();
        float[] real = real(count);
        double half = 1;
        for (float value : real.length > 0 ? real : drawn) {
            half = Float.isFinite(value) ? Math.max(half, 1.3 * Math.abs(value)) : half;
        }
        Optional<Program> program = field();
        half = Math.min(half, Float.MAX_VALUE);
        int across = program.isPresent() ? ACROSS : 0;
        float[] field = program.isPresent() ? field(program.get(), session, half) : new float[0];
        String output = program.map(each -> "output of program " + each.name()).orElse("");
        FieldPlot.write(file, field, across, across, -half, half, -half, half, real, drawn, output, title);
    }

    private Optional<Program> field() {
        return setup.networks().programs().stream()
                .filter(program ->
                        program.mode() == Mode.EVAL && program.inputs().size() == 1)
                .filter(program -> Samples.isPoint(program.inputs().get(0).shape())
                        && program.targets().get(0).batched()
                        && program.targets().get(0).shape().size() == 1)
                .findFirst();
    }

    /** Row by row from the bottom, each from the left. */
    private static float[] field(Program program, Session session, double half) {
        float[] places = new float[2 * ACROSS * ACROSS];
        for (int i = 0; i < ACROSS * ACROSS; i++) {
            places[2 * i] = (float) (half * (2 * (i % ACROSS + 0.5) / ACROSS - 1));
            places[2 * i + 1] = (float) (half * (2 * (i / ACROSS + 0.5) / ACROSS - 1));
        }
        Value input = program.inputs().get(0);
        Tensor points = Tensor.of(Shape.of(ACROSS * ACROSS, 2), places);
        return session.run(program, Feeds.of(input.path().text(), points))
                .get(0)
                .floats();
    }

    /** Returns the next points of a feed of points; the feed's position does not change. */
    private float[] real(int count) {
        for (Setup.Feed feed : setup.feeds()) {
            Source source = feed.source().open();
            if (samples.reads(source)) {
                continue; // the picture is drawn from these
            }
            Optional<Column> points = source.columns().stream()
                    .filter(column -> Samples.isPoint(column.shape()))
                    .findFirst();
            if (points.isPresent()) {
                return next(source, points.get(), count);
            }
        }
        return new float[0];
    }

    private static float[] next(Source source, Column points, int count) {
        State before = source.save();
        float[] all = new float[2 * count];
        int at = 0;
        do {
            Feeds rows = source.draw(points::equals, Streams.seed(0));
            float[] some =
                    Objects.requireNonNull(rows.tensors().get(points.name())).floats();
            int taken = Math.min(some.length, all.length - at);
            System.arraycopy(some, 0, all, at, taken);
            at += taken;
        } while (at < all.length && source.hasEpochs()); // rows from outside may not come
        source.restore(before);
        return Arrays.copyOf(all, at);
    }
}
