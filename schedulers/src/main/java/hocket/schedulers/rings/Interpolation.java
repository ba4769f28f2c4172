package hocket.schedulers.rings;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.operators.Leaf;
import hocket.scopes.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Samples on the way from one draw of the noise to another. Standard normal noise moves along the great circle through both
 * draws, so that its length stays typical; other noise moves along the straight line. Labels, and columns of feeds that the
 * program reads, stay the same along a way. All noise of the program moves, so both ends are the samples of the two draws.
 *
 * <p>Source: Shoemake, "Animating Rotation with Quaternion Curves" (1985), for the formula; White, "Sampling Generative
 * Networks" (2016), section 2, for its use with generators.
 *
 * @param samples the samples
 * @param steps samples of a way, with both ends; at least 2
 */
public record Interpolation(Samples samples, int steps) {
    /** The sine of the angle below which two draws are on one line through the origin. */
    private static final double SMALLEST = 1e-6;

    /**
     * A sample on a way.
     *
     * @param from the number of the draw at its beginning
     * @param to the number of the draw at its end
     * @param share the part of the way, 0..1
     * @param row the number of its label, and of its row of a feed
     */
    private record Place(int from, int to, double share, int row) {}

    /** @throws IllegalArgumentException if there are fewer than two steps, or the program draws no noise */
    public Interpolation {
        if (steps < 2) {
            throw new IllegalArgumentException("an interpolation needs at least 2 steps, its ends, was " + steps);
        }
        if (moving(samples.program()).isEmpty()) {
            throw new IllegalArgumentException(
                    "program " + samples.program().name() + " draws no noise that could be interpolated");
        }
    }

    /**
     * Draws ways one after the other, in parts. Way i begins at draw 2i of the noise and ends at the next one; it has the
     * i-th label and the i-th row of a feed.
     */
    public void draw(Session session, int ways, Consumer<float[]> takes) {
        draw(session, 2 * ways, ways, ways * steps, takes, place -> {
            int way = place / steps;
            return new Place(2 * way, 2 * way + 1, place % steps / (steps - 1.0), way);
        });
    }

    /** Returns the samples of a frame of a {@link #walk}: one for each label, unless all samples have one label. */
    public int samplesOfAFrame() {
        return samples.label().isPresent() ? 1 : Math.max(1, samples.classes());
    }

    /** Returns the frames of a {@link #walk}. */
    public long framesOfAWalk(int draws) {
        return draws * (steps - 1L);
    }

    /**
     * Draws the frames of a walk from draw to draw of the noise and back to the first, in parts. The samples of a frame have
     * the same noise and differ in their label.
     */
    public void walk(Session session, int draws, Consumer<float[]> takes) {
        int width = samplesOfAFrame();
        int frames = Math.toIntExact(framesOfAWalk(draws));
        draw(session, draws, width, frames * width, takes, place -> {
            int frame = place / width;
            int from = frame / (steps - 1);
            return new Place(from, (from + 1) % draws, frame % (steps - 1) / (steps - 1.0), place % width);
        });
    }

    private void draw(
            Session session, int draws, int rows, int count, Consumer<float[]> takes, IntFunction<Place> places) {
        Map<Value, double[]> noises = noises(session, draws);
        Feeds held = samples.feeds(session, 0, rows);
        for (int from = 0; from < count; from += Samples.ROWS) {
            List<Place> part = IntStream.range(from, Math.min(from + Samples.ROWS, count))
                    .mapToObj(places)
                    .toList();
            int[] same = part.stream().mapToInt(Place::row).toArray();
            Feeds feeds = Feeds.rows(part.size());
            for (Map.Entry<String, Tensor> each : held.tensors().entrySet()) {
                feeds = feeds.and(each.getKey(), Samples.rows(each.getValue(), same));
            }
            for (Map.Entry<Value, double[]> noise : noises.entrySet()) {
                feeds = feeds.and(noise.getKey().path().text(), between(noise.getKey(), noise.getValue(), part));
            }
            takes.accept(session.run(samples.program(), feeds).get(0).floats());
        }
    }

    /** Draws the noises as {@link Samples#draw} does in a new session, so that ends are samples of this seed. */
    private Map<Value, double[]> noises(Session session, int draws) {
        List<Value> noises = moving(samples.program());
        Program drawing = Program.compile("noise", Mode.EVAL, noises.toArray(Value[]::new));
        Map<Value, double[]> all = new LinkedHashMap<>();
        noises.forEach(noise -> all.put(noise, new double[draws * noise.shape().size()]));
        for (int from = 0; from < draws; from += Samples.ROWS) {
            List<Tensor> drawn = session.run(drawing, Feeds.rows(Math.min(Samples.ROWS, draws - from)));
            for (int i = 0; i < drawn.size(); i++) {
                double[] some = drawn.get(i).doubles();
                Value noise = noises.get(i);
                System.arraycopy(some, 0, all.get(noise), from * noise.shape().size(), some.length);
            }
        }
        return all;
    }

    private static List<Value> moving(Program program) {
        return program.noises().stream()
                .filter(noise -> !(distribution(noise) instanceof Leaf.Distribution.RowGroup))
                .toList();
    }

    private static Leaf.Distribution distribution(Value noise) {
        return ((Leaf.Noise) noise.operator()).distribution();
    }

    private static Tensor between(Value noise, double[] draws, List<Place> places) {
        int size = noise.shape().size();
        double[] rows = new double[places.size() * size];
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            double[] weights = distribution(noise) instanceof Leaf.Distribution.Normal
                    ? alongTheCircle(draws, place, size)
                    : alongTheLine(place);
            for (int k = 0; k < size; k++) {
                rows[i * size + k] =
                        weights[0] * draws[place.from * size + k] + weights[1] * draws[place.to * size + k];
            }
        }
        return Tensor.rounded(noise.shape().prepend(places.size()), noise.type(), rows);
    }

    /** The weights of both draws: {@code sin((1 - t)·ω) / sin ω} and {@code sin(t·ω) / sin ω} for the angle ω between them. */
    private static double[] alongTheCircle(double[] draws, Place place, int size) {
        double product = 0;
        double fromSquare = 0;
        double toSquare = 0;
        for (int k = 0; k < size; k++) {
            double from = draws[place.from * size + k];
            double to = draws[place.to * size + k];
            product += from * to;
            fromSquare += from * from;
            toSquare += to * to;
        }
        double cosine = product / Math.sqrt(fromSquare * toSquare);
        double angle = Math.acos(Math.max(-1, Math.min(1, cosine)));
        double sine = Math.sin(angle);
        if (!(sine > SMALLEST)) {
            return alongTheLine(place); // both on one line through the origin: there is no circle, or no need of one
        }
        return new double[] {Math.sin((1 - place.share) * angle) / sine, Math.sin(place.share * angle) / sine};
    }

    private static double[] alongTheLine(Place place) {
        return new double[] {1 - place.share, place.share};
    }
}
