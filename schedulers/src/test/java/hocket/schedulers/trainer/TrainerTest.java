package hocket.schedulers.trainer;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Trigger.everyRounds;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.inference.Inferencer;
import hocket.schedulers.state.State;
import hocket.schedulers.trainer.TrainerEvent.BeginEpoch;
import hocket.schedulers.trainer.TrainerEvent.BeginStep;
import hocket.schedulers.trainer.TrainerEvent.EndEpoch;
import hocket.schedulers.trainer.TrainerEvent.EndStep;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Training, testing and inferring in a line: the same as by hand, each in its mode. */
@Tag("engine")
class TrainerTest {
    private static final int ROWS = 48;

    @TempDir
    Path here = Path.of("");

    /** {@code y = x·w}: with a batch norm and dropout, whose modes matter. */
    private static Model regression() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3));
        Value y = graph.input("y", Shape.of(1));
        Network<Value, Value> net = graph.module(
                "net", in -> dense("out", dropout("drop", tanh(batchNorm("norm", dense("in", in, 16))), 0.2), 1));
        Value guess = net.apply(x);
        Value error = subtract(guess, y);
        return Model.minimise(Loss.of(mean(square(error))).metric("absolute_error", mean(abs(error))))
                .infers(guess);
    }

    private static float[] x() {
        float[] x = new float[ROWS * 3];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) Math.sin(i * 1.3);
        }
        return x;
    }

    private static Rows rows() {
        float[] x = x();
        float[] y = new float[ROWS];
        for (int i = 0; i < ROWS; i++) {
            y[i] = x[3 * i] - 2 * x[3 * i + 1] + 0.5f * x[3 * i + 2];
        }
        return Rows.of("x", Tensor.of(Shape.of(ROWS, 3), x)).and("y", Tensor.of(Shape.of(ROWS, 1), y));
    }

    private static Model gan() {
        Graph graph = new Graph();
        Value z = graph.noise("z", Shape.of(2));
        Value real = graph.input("x", Shape.of(3));
        Network<Value, Value> generator =
                graph.module("generator", in -> dense("out", tanh(batchNorm("norm", dense("in", in, 8))), 3));
        Network<Value, Value> discriminator =
                graph.module("discriminator", in -> dense("logit", tanh(dense("in", in, 8)), 1));
        Value fake = generator.apply(z);
        Value d = add(
                mean(softplus(negate(discriminator.apply(real)))),
                mean(softplus(discriminator.apply(stopGradient(fake)))));
        return Model.minimise("d", "discriminator/**", Loss.of(d))
                .and("g", "generator/**", Loss.of(mean(softplus(negate(discriminator.apply(fake))))))
                .infers(fake);
    }

    private static Source shown() {
        return Rows.of("x", Tensor.of(Shape.of(ROWS, 3), x())).batches(8);
    }

    @Test
    void aLineTrainsAsAPlanDoes() {
        Definition plan = () -> {
            Model model = gan();
            Turn.Descend d =
                    Turn.of("d", Model.training(model.objectives().get(0))).updates("discriminator/**", adam(1e-2));
            Turn.Descend g =
                    Turn.of("g", Model.training(model.objectives().get(1))).updates("generator/**", sgd(1e-2));
            return Setup.of(model.graph(), Plan.sequence(d, g), Budget.epochs("x", 3))
                    .feed(shown(), Resample.EACH_TURN);
        };
        try (LiveRun run = plan.begin(7, 1);
                Trainer trainer = Trainer.of(TrainerTest::gan)
                        .with("d", adam(1e-2))
                        .with("g", sgd(1e-2))
                        .threads(1)
                        .train(shown(), 3)) {
            run.run();
            assertThat(trainer.live().parameters().digest())
                    .isEqualTo(run.parameters().digest());
            assertThat(trainer.live().scheduler().position())
                    .isEqualTo(run.scheduler().position());
        }
    }

    @Test
    void trainingTwiceGoesOn() {
        Source source = shown();
        try (Trainer once =
                        Trainer.of(TrainerTest::gan).with(adam(1e-2)).threads(1).train(shown(), 3);
                Trainer twice = Trainer.of(TrainerTest::gan).with(adam(1e-2)).threads(1)) {
            twice.train(source, 1).train(source, 2);
            assertThat(twice.live().parameters().digest())
                    .isEqualTo(once.live().parameters().digest());
            twice.train(shown(), 1); // another source of the same columns, at its own beginning
            assertThat(twice.live().scheduler().position().round()).isEqualTo(4 * 6);
        }
    }

    @Test
    void eventsSayEpochBatchCostAndMetrics() {
        List<TrainerEvent> events = new ArrayList<>();
        List<Double> costs = new ArrayList<>();
        List<EndEpoch> ends = new ArrayList<>();
        try (Trainer trainer = Trainer.of(TrainerTest::regression)
                .with(adam(1e-2))
                .on(TrainerEvent.class, events::add)
                .on(EndStep.class, step -> costs.add(step.cost()))
                .on(EndEpoch.class, ends::add)) {
            trainer.train(rows().batches(16), 2);
        }
        assertThat(events.stream().map(event -> event.getClass().getSimpleName() + event.epoch()))
                .containsExactly(Stream.of(1, 2)
                        .flatMap(epoch -> Stream.concat(
                                Stream.concat(
                                        Stream.of("BeginEpoch" + epoch),
                                        Stream.of("BeginStep" + epoch, "EndStep" + epoch)
                                                .flatMap(name -> Stream.of(name))),
                                Stream.of(
                                        "BeginStep" + epoch,
                                        "EndStep" + epoch,
                                        "BeginStep" + epoch,
                                        "EndStep" + epoch,
                                        "EndEpoch" + epoch)))
                        .toArray(String[]::new));
        assertThat(events.get(0)).isEqualTo(new BeginEpoch(1));
        assertThat(events.get(3)).isEqualTo(new BeginStep(1, 2));
        assertThat(ends.get(0).batches()).isEqualTo(3);
        assertThat(ends.get(0).cost()).isCloseTo((costs.get(0) + costs.get(1) + costs.get(2)) / 3, within(1e-12));
        assertThat(ends.get(1).cost()).isLessThan(ends.get(0).cost());
        assertThat(ends.get(1).outcomes().metric("absolute_error")).isPositive();
        assertThatThrownBy(() -> ends.get(0).outcomes().metric("absolut_error"))
                .hasMessageContaining("objective train has no metric absolut_error")
                .hasMessageContaining("absolute_error");
        assertThatThrownBy(() -> ends.get(0).outcomes().of("trian")).hasMessageContaining("train");
    }

    @Test
    void aTestIsOfEvalProgramsAndChangesNothing() {
        Source testRows = rows().batchesInOrder("x", 16);
        try (Trainer trainer =
                Trainer.of(TrainerTest::regression).with(adam(1e-2)).train(rows().batches(16), 40)) {
            String before = trainer.live().parameters().digest();
            Outcomes outcomes = trainer.test(testRows);
            assertThat(trainer.test(testRows)).isEqualTo(outcomes);
            assertThat(trainer.live().parameters().digest()).isEqualTo(before);
            assertThat(testRows.epoch()).isZero();
            Model model = regression();
            Program eval =
                    Program.compile("eval", Mode.EVAL, model.objectives().get(0).loss());
            try (Session session = Session.over(eval.graph(), trainer.live().parameters())) {
                Feeds all = Feeds.of("x", tensor(rows(), 0, 3)).and("y", tensor(rows(), 1, 1));
                double whole = session.run(eval, all).get(0).scalar();
                assertThat(outcomes.cost()).isCloseTo(whole, within(1e-6)); // float32 sums in another order
            }
            assertThat(outcomes.cost()).isLessThan(0.3); // the variance of y is above 2
        }
    }

    private static Tensor tensor(Rows rows, int column, int width) {
        Source source = rows.batchesInOrder("all", ROWS);
        Feeds feeds = source.draw(of -> true, hocket.scopes.Streams.seed(0));
        return java.util.Objects.requireNonNull(
                feeds.tensors().get(source.columns().get(column).name()));
    }

    @Test
    void whatWasSavedInfersWithoutATrainerEachRowByItself() throws IOException {
        Path folder = here.resolve("model");
        float[] expected;
        try (Trainer trainer =
                Trainer.of(TrainerTest::regression).with(adam(1e-2)).train(rows().batches(16), 10)) {
            trainer.saveInferenceModel(folder);
            Value guess = regression().outputs().get(0);
            try (Session session = Session.over(guess.graph(), trainer.live().parameters(), Mode.EVAL)) {
                expected = session.run(
                                Program.compile("guess", Mode.EVAL, guess),
                                Feeds.of("x", Tensor.of(Shape.of(ROWS, 3), x())))
                        .get(0)
                        .floats();
            }
            trainer.train(rows().batches(16), 1); // what is saved stays as it was
        }
        try (Inferencer inferencer = Inferencer.load(folder)) {
            assertThat(inferencer.infer(Tensor.of(Shape.of(ROWS, 3), x())).floats())
                    .isEqualTo(expected);
            float[] one = Arrays.copyOfRange(x(), 9, 12);
            assertThat(inferencer.infer(Tensor.of(Shape.of(1, 3), one)).floats()[0])
                    .isCloseTo(expected[3], within(1e-6f)); // other sizes may be summed in another order
            assertThatThrownBy(() -> inferencer.sample(4, 0)).hasMessageContaining("input x is needed");
            assertThatThrownBy(() -> inferencer.infer(1, 2))
                    .hasMessage("input x needs 3 numbers for a row of (3), got 2");
        }
    }

    @Test
    void aModelIsNotSavedAmongTheCheckpointsOfARun() throws IOException {
        Path folder = here.resolve("run");
        Checkpoints.write(folder, 30, State.empty().with("step", 30));
        try (Trainer trainer =
                Trainer.of(TrainerTest::regression).with(adam(1e-2)).train(rows().batches(16), 1)) {
            assertThatThrownBy(() -> trainer.saveInferenceModel(folder))
                    .hasMessage(folder + " holds the checkpoints of a run: a model needs a folder of its own");
            assertThat(Checkpoints.numbers(folder)).containsExactly(30L);
            trainer.saveInferenceModel(here.resolve("model"));
            trainer.saveInferenceModel(here.resolve("model"));
        }
    }

    @Test
    void aGanIsAskedForSamplesAndSavesNothingOfItsDiscriminator() throws IOException {
        Path folder = here.resolve("gan");
        try (Trainer trainer = Trainer.of(TrainerTest::gan).with(adam(1e-2)).train(shown(), 2)) {
            trainer.saveInferenceModel(folder);
            assertThat(trainer.test(shown()).of("g").cost()).isPositive();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1))
                        .doesNotContain("discriminator");
            }
        }
        try (Inferencer one = Inferencer.load(folder);
                Inferencer other = Inferencer.load(folder)) {
            Tensor samples = one.sample(5, 1).tensor();
            assertThat(samples.shape()).isEqualTo(Shape.of(5, 3));
            assertThat(other.sample(5, 1).tensor()).isEqualTo(samples);
            assertThat(one.sample(5, 2).tensor()).isNotEqualTo(samples);
            assertThatThrownBy(() -> one.infer(1, 2)).hasMessageContaining("ask by sample(rows, seed)");
        }
    }

    @Test
    void sourcesWhoseColumnsAreCalledOtherwiseFeedInOrder() {
        Rows named = Rows.of("a", tensor(rows(), 0, 3)).and("b", tensor(rows(), 1, 1));
        try (Trainer one = Trainer.of(TrainerTest::regression).with(adam(1e-2)).threads(1);
                Trainer other =
                        Trainer.of(TrainerTest::regression).with(adam(1e-2)).threads(1)) {
            one.train(rows().batches("rows", 16), 2);
            other.feedOrder("x", "y").train(named.batches("rows", 16), 2);
            assertThat(other.live().parameters().digest())
                    .isEqualTo(one.live().parameters().digest());
            assertThat(other.test(named.batchesInOrder("test", 16)))
                    .isEqualTo(one.test(rows().batchesInOrder("test", 16)));
        }
    }

    @Test
    void aRingOfOnesOwnIsAroundEachCall() {
        List<Long> rounds = new ArrayList<>();
        try (Trainer trainer = Trainer.of(TrainerTest::gan)
                .with(adam(1e-2))
                .ring(hocket.schedulers.Ring.on(
                        Trigger.everyRounds(4), run -> rounds.add(run.position().round())))) {
            trainer.train(shown(), 1).train(shown(), 1);
        }
        assertThat(rounds).containsExactly(4L, 8L, 12L);
    }

    @Test
    void whatIsMissingOrDoesNotFitIsSaid() throws IOException {
        assertThatThrownBy(() -> Trainer.of(TrainerTest::gan).with("d", adam(1)).train(shown(), 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("objective g has no optimizer: call with(optimizer)");
        assertThatThrownBy(() -> Trainer.of(TrainerTest::gan).with("e", adam(1)))
                .hasMessageContaining("no objective e");
        assertThatThrownBy(() -> Trainer.of(TrainerTest::gan).with(adam(1)).train(shown(), -1))
                .hasMessage("epochs must be at least 0, was -1");
        assertThatThrownBy(
                        () -> Trainer.of(TrainerTest::regression).with(adam(1)).train(shown(), 1))
                .hasMessageContaining("y");
        Path folder = here.resolve("model");
        try (Trainer trainer = Trainer.of(TrainerTest::gan).with(adam(1e-2))) {
            assertThatThrownBy(() -> trainer.test(shown())).hasMessageContaining("nothing was trained yet");
            assertThatThrownBy(() -> trainer.saveInferenceModel(folder)).hasMessageContaining("nothing was trained");
            trainer.train(shown(), 1).saveInferenceModel(folder);
            assertThatThrownBy(() -> trainer.with(adam(1))).hasMessageContaining("before the first train");
            assertThatThrownBy(() -> trainer.train(rows().batches(8), 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("was trained on");
        }
        assertThatThrownBy(() -> Inferencer.load(regression().inference(), folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is of another model");
        assertThatThrownBy(() -> Inferencer.load(here.resolve("nowhere"))).isInstanceOf(IOException.class);
        Model mute = new Model(gan().objectives(), List.of());
        assertThatThrownBy(mute::inference).hasMessageContaining("infers(value)");
        assertThatThrownBy(() -> gan().and("d", "**", gan().objectives().get(0).loss()))
                .hasMessage("two objectives have one name: [d, g, d]");
        assertThatThrownBy(() -> gan().infers(regression().outputs().get(0))).hasMessageContaining("of another graph");
    }

    @Test
    void epochsAreCountedOverAllSourcesAndOneThatIsBrokenOffHasNoEnd() {
        List<String> seen = new ArrayList<>();
        Source rows = rows().batches("rows", 16);
        try (Trainer trainer =
                Trainer.of(TrainerTest::regression).with(adam(1e-2)).threads(1)) {
            trainer.on(EndEpoch.class, end -> seen.add(end.epoch() + " of " + end.batches()));
            trainer.train(rows, 2).train(rows().batches("other", 24), 1).train(rows, 1);
            assertThat(seen).containsExactly("1 of 3", "2 of 3", "3 of 2", "4 of 3");
            trainer.live().scheduler().on(everyRounds(13), Run::stop);
            trainer.train(rows, 2);
            assertThat(seen).hasSize(4); // broken off in the fifth
        }
    }
}
