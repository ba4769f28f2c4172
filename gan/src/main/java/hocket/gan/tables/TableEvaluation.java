package hocket.gan.tables;

import hocket.gan.data.Images;
import hocket.gan.scores.FeatureRows;
import hocket.gan.scores.HeldOutScores;
import hocket.gan.scores.ImageSetScores;
import hocket.gan.scores.NearestNeighbours;
import hocket.gan.scores.ReferenceRows;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.ProgramEvaluation;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Evaluates a generator of rows of a table. {@code column_distance}, which decides which parameters are best, and {@code correlation_difference} are of
 * {@link TableDistances}. With held-out rows the thorough evaluation has {@code nearest_neighbour_ratio} and {@code nearer_to_training} of {@link
 * NearestNeighbours}, over at most 12,000 training rows and 2,000 held-out ones.
 */
final class TableEvaluation implements ProgramEvaluation {
    private static final String DISTANCE = "column_distance";
    private static final String DIFFERENCE = "correlation_difference";
    private static final Streams STREAMS = Streams.seed(0);

    private final TableSource real;
    private final Program draw;
    private final int samples;
    private final Optional<TableData> heldOut;
    private final boolean isThorough;

    TableEvaluation(TableSource real, Program draw, int samples, Optional<TableData> heldOut) {
        this(real, draw, samples, heldOut, false);
    }

    private TableEvaluation(
            TableSource real, Program draw, int samples, Optional<TableData> heldOut, boolean isThorough) {
        this.real = real;
        this.draw = draw;
        this.samples = samples;
        this.heldOut = heldOut;
        this.isThorough = isThorough;
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(new Merit(DISTANCE, false));
    }

    @Override
    public Map<String, Range> ranges() {
        Map<String, Range> ranges = new HashMap<>(HeldOutScores.NEIGHBOURS);
        ranges.put(DISTANCE, Range.SHARE);
        ranges.put(DIFFERENCE, new Range(0, 2, false));
        return ranges;
    }

    @Override
    public OptionalInt rows() {
        return OptionalInt.of(samples);
    }

    @Override
    public Evaluation thorough() {
        return new TableEvaluation(real, draw, samples, heldOut, true);
    }

    @Override
    public SortedMap<String, Double> scores(Session session) {
        return scores(real.encoding()
                .decode(session.run(draw, Feeds.rows(samples)).get(0).floats()));
    }

    /** The scores of a bootstrap of the real rows, of one half against the other, of independent columns, and of held-out rows. */
    @Override
    public List<Reference> references(int threads) {
        TableData table = real.table();
        List<Reference> references = new ArrayList<>();
        references.add(ReferenceRows.ofBootstrap(samples, scores(table.at(drawn("bootstrap", 0)))));
        int[] order = ReferenceRows.shuffled(table.count());
        int half = Math.min(samples, order.length / 2);
        if (half > 1) {
            TableData one = table.at(Arrays.copyOf(order, half));
            references.add(ReferenceRows.ofHalves(
                    half, distances(one, table.at(Arrays.copyOfRange(order, half, 2 * half)))));
        }
        references.add(new Reference(
                "independent", "each column drawn from the real rows on its own", samples, scores(independent(table))));
        heldOut.ifPresent(others -> {
            SortedMap<String, Double> scores = alone(others);
            scores.putAll(HeldOutScores.neighbours(NearestNeighbours.ofHeldOut(ofTraining(), ofOthers(others))));
            references.add(ReferenceRows.ofHeldOut(others.count(), scores));
        });
        return references;
    }

    private int[] drawn(String name, int counter) {
        UniformRandomProvider random = STREAMS.at("references/" + name).generator(counter);
        return IntStream.generate(() -> random.nextInt(real.table().count()))
                .limit(samples)
                .toArray();
    }

    private FeatureRows ofTraining() {
        return points(real.table(), HeldOutScores.MOST_TRAINING);
    }

    private FeatureRows ofOthers(TableData others) {
        return points(others, ImageSetScores.MOST);
    }

    private FeatureRows points(TableData rows, int most) {
        TableData some = rows.count() > most ? rows.at(Images.spread(most, rows.count())) : rows;
        return TableDistances.points(some, real.table());
    }

    private TableData independent(TableData table) {
        return new TableData(
                IntStream.range(0, table.columns().size())
                        .mapToObj(i -> table.columns().get(i).at(drawn("independent", i)))
                        .toList(),
                samples);
    }

    private SortedMap<String, Double> scores(TableData rows) {
        SortedMap<String, Double> scores = alone(rows);
        if (isThorough) {
            heldOut.ifPresent(others -> scores.putAll(HeldOutScores.neighbours(
                    NearestNeighbours.of(ofTraining(), ofOthers(others), TableDistances.points(rows, real.table())))));
        }
        return scores;
    }

    private SortedMap<String, Double> alone(TableData rows) {
        return distances(rows, real.table());
    }

    private static SortedMap<String, Double> distances(TableData rows, TableData others) {
        return new TreeMap<>(Map.of(
                DISTANCE, TableDistances.columns(rows, others), DIFFERENCE, TableDistances.associations(rows, others)));
    }
}
