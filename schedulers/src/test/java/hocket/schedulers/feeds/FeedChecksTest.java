package hocket.schedulers.feeds;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.schedulers.Budget.epochs;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.Trigger.everyEpochOf;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Toy;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is refused of sources before the first turn; whatever is refused has drawn and changed nothing. */
@Tag("engine")
class FeedChecksTest {
    private final Graph graph = new Graph();
    private final Turn.Descend learn = learn(graph);
    private final Parameters parameters = Toy.store(graph, 7);
    private final Scheduler scheduler = Scheduler.over(parameters, 1);
    private final Rows images = Toy.rows("image", 10, 4);
    private final Rows labelled = images.and("label", Tensor.of(Shape.of(10), 0, 1, 2, 0, 1, 2, 0, 1, 2, 0L));

    private static Turn.Descend learn(Graph graph) {
        Value image = graph.input("image", Shape.of(4));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value loss;
        try (Scope<Value> net = graph.module("net")) {
            loss = mean(square(add(dense("out", image, 2), embedding("label", label, 3, 2))));
        }
        return Turn.of("learn", Program.compile("learn", Mode.TRAIN, loss)).updates("net/**", sgd(0.1));
    }

    @AfterEach
    void close() {
        scheduler.close();
        parameters.close();
    }

    private void assertRefused(String message) {
        String before = parameters.digest();
        scheduler.plan(learn);
        assertThatThrownBy(() -> scheduler.check(rounds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> scheduler.run(rounds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThat(parameters.digest()).isEqualTo(before);
        assertThat(scheduler.position()).isEqualTo(new Event.Position(0, 0, 0));
    }

    @Test
    void anInputWithoutASourceIsRefusedNamingTheNearestColumn() {
        Rows wrong = images.and("lable", Tensor.of(Shape.of(10), new long[10]));
        scheduler.feed(wrong.batches(2), EACH_TURN);
        assertRefused("turn learn reads input label, which no source feeds; did you mean lable?");
    }

    @Test
    void aSourceThatFeedsNobodyIsRefused() {
        scheduler.feed(labelled.batches(2), EACH_TURN);
        scheduler.feed(Toy.rows("sound", 10, 1).batches(2), EACH_TURN);
        assertRefused("source sound feeds nobody: its columns are [sound (1) FLOAT32], the plan's turns read"
                + " [image, label]");
    }

    @Test
    void aColumnOfAnotherShapeIsRefused() {
        scheduler.feed(
                Toy.rows("image", 10, 3)
                        .and("label", Tensor.of(Shape.of(10), new long[10]))
                        .batches(2),
                EACH_TURN);
        assertRefused("turn learn: input image has rows (4), the source gives (3)");
    }

    @Test
    void aColumnOfAnotherTypeIsRefused() {
        Tensor floats = Tensor.of(Shape.of(10), new float[10]);
        scheduler.feed(images.and("label", floats).batches(2), EACH_TURN);
        assertRefused("turn learn: input label is INT64, the source gives FLOAT32");
    }

    @Test
    void twoSourcesForOneInputAreRefused() {
        scheduler.feed(labelled.batches(2), EACH_TURN);
        scheduler.feed(images.batches("more", 2), EACH_TURN);
        assertRefused("turn learn reads input image, which 2 sources feed: image and more");
    }

    @Test
    void sourcesWithBatchesOfDifferentSizesAreRefused() {
        Rows labels = Rows.of("label", Tensor.of(Shape.of(10), new long[10]));
        scheduler.feed(images.batches(2), EACH_TURN).feed(labels.batches(5), EACH_TURN);
        assertRefused("turn learn reads batches of 2 rows from image and of 5 from label");
    }

    @Test
    void twoSourcesOfOneNameAreRefused() {
        scheduler.feed(labelled.batches(2), EACH_TURN);
        assertThatThrownBy(() -> scheduler.feed(images.batches(2), EACH_TURN))
                .hasMessage("two sources are called image: make a source once and keep it, or give one another name");
        assertThatThrownBy(() -> scheduler.step(learn, labelled.batches(2)))
                .hasMessage("two sources are called image: make a source once and keep it, or give one another name");
    }

    @Test
    void aBudgetThatNamesNoSourceIsRefused() {
        scheduler.plan(learn).feed(labelled.batches("digits", 2), EACH_TURN);
        assertThatThrownBy(() -> scheduler.run(epochs("digit", 1)))
                .hasMessage("no source is called digit or has a column that is; did you mean digits?");
    }

    @Test
    void aTriggerThatNamesNoSourceIsRefused() {
        scheduler.plan(learn).feed(labelled.batches("digits", 2), EACH_TURN).on(everyEpochOf("images"), run -> {});
        assertThatThrownBy(() -> scheduler.run(rounds(1)))
                .hasMessage("no source is called images or has a column that is; there is: digits");
    }

    @Test
    void aTriggerThatNamesNoSourceIsRefusedWhereThereIsNone() {
        Toy.Game game = Toy.bilinear();
        try (Parameters store = Toy.store(game.graph(), 1);
                Scheduler own = Scheduler.over(store, 1)) {
            own.plan(Turn.of("x", game.forX()).updates("game/x", sgd(0.1))).on(everyEpochOf("image"), run -> {});
            assertThatThrownBy(() -> own.run(rounds(1)))
                    .hasMessage("no source is called image or has a column that is; there is none at all");
        }
    }

    @Test
    void aTurnOfNoiseAloneNeedsANumberOfRows() {
        Toy.Gan gan = Toy.gan();
        try (Parameters store = gan.parameters(1);
                Scheduler own = Scheduler.over(store, 1)) {
            assertThatThrownBy(() -> own.plan(gan.g()).run(rounds(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("turn g draws noise, but nothing says how many rows: call scheduler.batch(n) or feed a"
                            + " source");
            own.batch(6).run(rounds(1));
            assertThat(own.position().step()).isEqualTo(1);
        }
    }

    @Test
    void thereIsNothingToRunWithoutAPlan() {
        assertThatThrownBy(() -> scheduler.run(rounds(1)))
                .hasMessage("there is no plan: call plan(…) before run(…), or step(turn) by turn");
    }

    @Test
    void aStepDrawsFromNoSourceWhenAnInputIsMissingOrASourceFeedsNothing() {
        Source onlyImages = images.batches("pictures", 2);
        assertThatThrownBy(() -> scheduler.step(learn, onlyImages))
                .hasMessage("turn learn reads input label, which no source feeds; there is: image");
        Source sound = Toy.rows("sound", 10, 1).batches(2);
        Source both = labelled.batches("both", 2);
        assertThatThrownBy(() -> scheduler.step(learn, both, sound))
                .hasMessage("turn learn reads nothing of source sound; it reads [image, label]");
        assertThatThrownBy(() -> scheduler.step(learn, both, onlyImages))
                .hasMessage("turn learn reads input image, which 2 sources feed: both and pictures");
        assertThat(onlyImages.epoch() + both.epoch() + sound.epoch()).isZero();
        assertThat(scheduler.position().step()).isZero();
    }

    @Test
    void aStepAfterAnotherDoesNotSilentlyTakeTheRowsOfTheLast() {
        scheduler.step(learn, labelled.batches(2));
        assertThatThrownBy(() -> scheduler.step(learn))
                .hasMessage("turn learn reads input image, which no source feeds; there is none at all");
    }

    @Test
    void givenRowsMustBeAllThatIsReadAndFit() {
        Feeds image = Feeds.of("image", Tensor.of(Shape.of(2, 4), new float[8]));
        Tensor labels = Tensor.of(Shape.of(2), 0L, 1L);
        assertThatThrownBy(() -> scheduler.step(learn, image))
                .hasMessage("turn learn reads input label, which was not fed; fed: [image]");
        assertThatThrownBy(
                        () -> scheduler.step(learn, image.and("label", labels).and("lable", labels)))
                .hasMessageContaining("reads no input lable")
                .hasMessageContaining("did you mean label?");
        assertThatThrownBy(() -> scheduler.step(learn, image.and("label", Tensor.of(Shape.of(2), 0f, 1f))))
                .hasMessage("input label is INT64, got FLOAT32");
        assertThatThrownBy(() -> scheduler.step(learn, image.and("label", Tensor.of(Shape.of(2), 0L, 3L))))
                .hasMessage("input label: must be 0 to 2, row 1 has 3");
        assertThat(scheduler.position().step()).isZero();
        scheduler.step(learn, image.and("label", labels));
        assertThat(scheduler.position().step()).isEqualTo(1);
    }

    @Test
    void aSourceThatWasRefusedLeavesItsNameFreeAndItsCursorWhereItWas() {
        Source narrow = Toy.rows("image", 10, 3)
                .and("label", Tensor.of(Shape.of(10), new long[10]))
                .batches("data", 5);
        assertThatThrownBy(() -> scheduler.step(learn, narrow)).isInstanceOf(IllegalArgumentException.class);
        Source five = images.batches(5);
        Source two = Rows.of("label", Tensor.of(Shape.of(10), new long[10])).batches(2);
        assertThatThrownBy(() -> scheduler.step(learn, five, two)).hasMessageContaining("batches of 5");
        assertThat(five.epoch()).isZero();
        assertThat(two.epoch()).isZero();
        scheduler.step(learn, labelled.batches("data", 5));
    }
}
