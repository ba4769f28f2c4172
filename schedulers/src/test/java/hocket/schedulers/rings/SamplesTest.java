package hocket.schedulers.rings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Value;
import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Samples of programs that read rows of a feed. */
@Tag("engine")
class SamplesTest {
    private static final Streams STREAMS = Streams.seed(7);

    private final Graph graph = new Graph();
    private final Value a = graph.input("a", Shape.of(2));
    private final Program twice = Program.compile("twice", Mode.EVAL, Operators.scale(a, 2));

    private static Source source(boolean shuffled) {
        float[] points = new float[2 * 10];
        for (int i = 0; i < points.length; i++) {
            points[i] = i;
        }
        return Rows.of("point", Tensor.of(Shape.of(10, 2), points))
                .batches("points", 4, shuffled)
                .feeding("points", List.of("a"));
    }

    private float[] few(Samples samples, int count) {
        try (Parameters parameters = Parameters.initialise(graph.declarations(), STREAMS);
                Session session = Session.over(parameters, 1)) {
            return samples.few(session, count).floats();
        }
    }

    @Test
    void rowsAreTheNextOnesOfTheFeedWhichStaysWhereItIs() {
        Source source = source(false);
        source.draw(twice, STREAMS);
        Samples samples = new Samples(twice, OptionalInt.empty(), List.of(source));
        assertThat(few(samples, 2)).containsExactly(16, 18, 20, 22);
        assertThat(few(samples, 2)).containsExactly(16, 18, 20, 22);
        Tensor next =
                Objects.requireNonNull(source.draw(twice, STREAMS).tensors().get("a"));
        assertThat(next.floats()).startsWith(8, 9);
    }

    @Test
    void moreThanABatchAndMoreThanAnEpochCanBeDrawn() {
        Samples samples = new Samples(twice, OptionalInt.empty(), List.of(source(false)));
        assertThat(few(samples, 9)).hasSize(18).endsWith(28, 30, 0, 2); // of ten rows, an epoch has two batches of four
    }

    @Test
    void aShuffledFeedGivesAfterwardsWhatItWouldHaveGiven() {
        Source looked = source(true);
        few(new Samples(twice, OptionalInt.empty(), List.of(looked)), 5);
        assertThat(looked.draw(twice, STREAMS).tensors())
                .isEqualTo(source(true).draw(twice, STREAMS).tensors());
    }

    @Test
    void anInputThatNoFeedGivesIsRefusedWithWhatThereIs() {
        assertThatThrownBy(() -> new Samples(twice))
                .hasMessage("program twice reads a (batch,2), which no feed gives; samples are drawn from noise, labels"
                        + " and columns of feeds: []");
        Source other = Rows.of("a", Tensor.of(Shape.of(4, 3), new float[12])).batches(2);
        assertThatThrownBy(() -> new Samples(twice, OptionalInt.empty(), List.of(other)))
                .hasMessageStartingWith("program twice reads a (batch,2), and the feeds give a (3)");
    }

    @Test
    void aLabelIsStillAskedForInItsTurnAndNotReadFromAFeed() {
        Value label = graph.input("label", Shape.scalar(), hocket.scopes.ElementType.INT64);
        Value row;
        try (Scope<Value> generator = graph.module("generator")) {
            row = Layers.embedding("row", label, 3, 2);
        }
        Program draw = Program.compile("draw", Mode.EVAL, row);
        Source labels = Rows.of("label", Tensor.of(Shape.of(4), 2L, 2L, 2L, 2L)).batches(2);
        Samples samples = new Samples(draw, OptionalInt.empty(), List.of(labels));
        assertThat(samples.reads(labels)).isFalse();
        float[] drawn = few(samples, 4);
        assertThat(List.of(drawn[6], drawn[7])).isEqualTo(List.of(drawn[0], drawn[1])); // 0, 1, 2, 0
        assertThat(drawn[2]).isNotEqualTo(drawn[0]);
    }
}
