package hocket.schedulers.rings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Samples between two draws of the noise. */
@Tag("engine")
class InterpolationTest {
    private static final Streams STREAMS = Streams.seed(7);

    private final Graph graph = new Graph();

    /** Twice some noise. */
    private Samples twice(Value noise) {
        return new Samples(Program.compile("draw", Mode.EVAL, Operators.scale(noise, 2)));
    }

    /** A generator that adds a number of the label to noise; its first number is the label's. */
    private Samples labelled(OptionalInt label) {
        Value labels = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value noise = graph.noise("noise", Shape.of(1));
        Value row;
        try (Scope<Value> generator = graph.module("generator")) {
            row = Operators.concat(0, Layers.embedding("row", labels, 3, 1), noise);
        }
        return new Samples(Program.compile("draw", Mode.EVAL, row), label, List.of());
    }

    /** Returns the rows that are drawn in a session of its own. */
    private float[][] rows(int size, BiConsumer<Session, Consumer<float[]>> drawing) {
        List<float[]> rows = new ArrayList<>();
        try (Parameters parameters = Parameters.initialise(graph.declarations(), STREAMS);
                Session session = Session.over(parameters, 1)) {
            drawing.accept(session, some -> {
                for (int i = 0; i < some.length; i += size) {
                    rows.add(Arrays.copyOfRange(some, i, i + size));
                }
            });
        }
        return rows.toArray(float[][]::new);
    }

    private static List<Float> firsts(float[][] rows) {
        return Arrays.stream(rows).map(row -> row[0]).toList();
    }

    @Test
    void theEndsOfEachWayAreTheSamplesOfTwoDrawsThatFollowEachOther() {
        Samples samples = twice(graph.noise("noise", Shape.of(4)));
        for (int ways : new int[] {3, 300}) { // 300 ways are more than one run of the program
            float[][] drawn = rows(4, (session, takes) -> samples.draw(session, 2 * ways, takes));
            float[][] between = rows(4, (session, takes) -> new Interpolation(samples, 5).draw(session, ways, takes));
            assertThat(between).hasDimensions(5 * ways, 4);
            for (int way = 0; way < ways; way++) {
                assertThat(between[5 * way]).isEqualTo(drawn[2 * way]);
                assertThat(between[5 * way + 4]).isEqualTo(drawn[2 * way + 1]);
                assertThat(between[5 * way + 2]).isNotEqualTo(drawn[2 * way]);
            }
        }
    }

    @Test
    void normalNoiseMovesAlongTheGreatCircleByEqualAngles() {
        Samples samples = twice(graph.noise("noise", Shape.of(3)));
        float[][] rows = rows(3, (session, takes) -> new Interpolation(samples, 3).draw(session, 1, takes));
        double product = 0;
        double first = 0;
        double last = 0;
        for (int k = 0; k < 3; k++) {
            product += rows[0][k] * rows[2][k];
            first += rows[0][k] * rows[0][k];
            last += rows[2][k] * rows[2][k];
        }
        double half = Math.acos(product / Math.sqrt(first * last)) / 2;
        assertThat(half).isGreaterThan(0.1);
        for (int k = 0; k < 3; k++) {
            assertThat((double) rows[1][k])
                    .isCloseTo((rows[0][k] + rows[2][k]) / (2 * Math.cos(half)), within(1e-5)); // sin(w/2) / sin(w)
        }
    }

    @Test
    void otherNoiseAndNoiseOfOneNumberMoveAlongTheLine() {
        Value uniform = graph.noise("uniform", Shape.of(3), new Distribution.Uniform(-1, 1), Redraw.EACH_ROUND);
        Value number = graph.noise("number", Shape.of(1));
        Samples samples = twice(Operators.concat(0, uniform, number));
        float[][] rows = rows(4, (session, takes) -> new Interpolation(samples, 5).draw(session, 2, takes));
        for (int way = 0; way < 2; way++) {
            for (int k = 0; k < 4; k++) {
                float from = rows[5 * way][k];
                float to = rows[5 * way + 4][k];
                assertThat(rows[5 * way + 1][k]).isCloseTo(0.75f * from + 0.25f * to, within(1e-6f));
            }
        }
    }

    @Test
    void aWayHasOneLabelAndWaysHaveAllLabelsInTurn() {
        Samples samples = labelled(OptionalInt.empty());
        float[][] rows = rows(2, (session, takes) -> new Interpolation(samples, 4).draw(session, 4, takes));
        float[] labels = new float[4];
        for (int i = 0; i < rows.length; i++) {
            labels[i / 4] = i % 4 == 0 ? rows[i][0] : labels[i / 4];
            assertThat(rows[i][0]).isEqualTo(labels[i / 4]);
        }
        assertThat(labels[3]).isEqualTo(labels[0]);
        assertThat(labels[0]).isNotIn(labels[1], labels[2]);
    }

    @Test
    void aWayKeepsItsRowOfAFeed() {
        Value point = graph.input("point", Shape.of(1));
        Program program =
                Program.compile("draw", Mode.EVAL, Operators.concat(0, point, graph.noise("noise", Shape.of(1))));
        Source source =
                Rows.of("point", Tensor.of(Shape.of(4, 1), 0f, 1f, 2f, 3f)).batchesInOrder("points", 2);
        Samples samples = new Samples(program, OptionalInt.empty(), List.of(source));
        float[][] rows = rows(2, (session, takes) -> new Interpolation(samples, 2).draw(session, 3, takes));
        assertThat(firsts(rows)).containsExactly(0f, 0f, 1f, 1f, 2f, 2f);
    }

    @Test
    void aWalkReturnsToItsBeginningAndItsFramesHaveAllLabelsOfOneNoise() {
        Samples samples = labelled(OptionalInt.empty());
        Interpolation interpolation = new Interpolation(samples, 3);
        float[][] rows = rows(2, (session, takes) -> interpolation.walk(session, 2, takes));
        assertThat(interpolation.samplesOfAFrame()).isEqualTo(3);
        assertThat(rows)
                .hasDimensions((int) interpolation.framesOfAWalk(2) * 3, 2)
                .hasDimensions(12, 2);
        for (int frame = 0; frame < 4; frame++) {
            assertThat(rows[3 * frame + 1][1]).isEqualTo(rows[3 * frame][1]);
            assertThat(rows[3 * frame + 1][0]).isEqualTo(rows[1][0]).isNotEqualTo(rows[3 * frame][0]);
        }
        assertThat(rows[9][1]).isCloseTo(rows[3][1], within(1e-6f)); // half of the way there and back
        assertThat(rows[6][1]).isNotEqualTo(rows[0][1]);
    }

    @Test
    void aLabelThatIsGivenIsTheOnlyOneOfAWalk() {
        Interpolation interpolation = new Interpolation(labelled(OptionalInt.of(1)), 3);
        assertThat(interpolation.samplesOfAFrame()).isEqualTo(1);
        float[][] rows = rows(2, (session, takes) -> interpolation.walk(session, 3, takes));
        assertThat(firsts(rows)).hasSize(6).containsOnly(rows[0][0]);
    }

    @Test
    void thereIsNothingBetweenSamplesWithoutNoiseAndNoWayOfOneStep() {
        Value a = graph.input("a", Shape.of(2));
        Source source = Rows.of("a", Tensor.of(Shape.of(4, 2), new float[8])).batches(2);
        Samples read = new Samples(
                Program.compile("twice", Mode.EVAL, Operators.scale(a, 2)), OptionalInt.empty(), List.of(source));
        assertThatThrownBy(() -> new Interpolation(read, 2))
                .hasMessage("program twice draws no noise that could be interpolated");
        Samples drawn = twice(graph.noise("noise", Shape.of(3)));
        assertThatThrownBy(() -> new Interpolation(drawn, 1)).hasMessageContaining("at least 2 steps, its ends, was 1");
    }
}
