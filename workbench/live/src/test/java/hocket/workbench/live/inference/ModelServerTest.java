package hocket.workbench.live.inference;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import hocket.workbench.online.RowBatch;
import hocket.workbench.online.RowFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions to a network with one weight and a bias, whose parameters change while they come. */
@Tag("engine")
@Timeout(30)
class ModelServerTest {
    private final Setup setup = setup();
    private volatile CompletableFuture<ParameterCopy> newest = CompletableFuture.completedFuture(weights(1, 2, 3));
    private final ModelServer server = new ModelServer(setup, 0, () -> newest, 0);

    /** {@code line} gives y = weight x + bias; {@code centred} what is left of y where its mean over the batch is taken away. */
    private static Setup setup() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(1));
        Value noise = graph.noise("noise", Shape.of(2));
        Network<Value, Value> line = graph.module("line", in -> dense("out", in, 1));
        Value y = line.apply(x);
        Value noisy = graph.name("noisy", add(noise, y));
        Value centred = graph.name("centred", subtract(y, mean(y)));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value looked = graph.name("looked", oneHot(label, 3));
        Program fit = Program.compile("fit", Mode.TRAIN, Loss.of(mean(square(y))));
        return Setup.of(
                Networks.of(
                        graph,
                        fit,
                        Program.compile("centre", Mode.EVAL, centred),
                        Program.compile("disturb", Mode.EVAL, noisy),
                        Program.compile("look", Mode.EVAL, looked),
                        Program.compile("size", Mode.EVAL, mean(square(y)))),
                Turn.of("fit", fit).updates("line/**", sgd(0.1)),
                Budget.rounds(1));
    }

    private static ParameterCopy weights(long step, float weight, float bias) {
        try (Parameters parameters = setup().initialise(0)) {
            Snapshot begun = parameters.snapshot();
            begun.tensors()
                    .keySet()
                    .forEach(path -> parameters.set(path.text(), path.name().equals("weight") ? weight : bias));
            return new ParameterCopy(step, parameters.snapshot(), 0);
        }
    }

    private Servable.Question question(String name, float... xs) {
        Servable servable = server.servable(name);
        return servable.question(
                RowBatch.of(servable.format(false).orElseThrow(), List.of(Tensor.of(Shape.of(xs.length, 1), xs))), 0);
    }

    private InferenceResult ask(String name, float... xs) throws Exception {
        return server.ask(question(name, xs)).get(30, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void eachIsAnsweredWithItsOwnRows() throws Exception {
        List<CompletableFuture<InferenceResult>> answers = new ArrayList<>();
        newest = new CompletableFuture<>(); // so that all of them wait
        for (int i = 0; i < 700; i++) {
            answers.add(server.ask(question("line", i, -i)));
        }
        newest.complete(weights(1, 2, 3));
        for (int i = 0; i < 700; i++) {
            InferenceResult inferenceResult = answers.get(i).get(30, TimeUnit.SECONDS);
            assertThat(inferenceResult.outputs().get(0)).isEqualTo(Tensor.of(Shape.of(2, 1), 2f * i + 3, -2f * i + 3));
            assertThat(inferenceResult.step()).isEqualTo(1);
        }
    }

    @Test
    void parametersAreExchangedBetweenBatchesAndNoQuestionIsLost() throws Exception {
        AtomicLong step = new AtomicLong();
        try (ModelServer changing = new ModelServer(
                setup, 0, () -> CompletableFuture.completedFuture(weights(step.incrementAndGet(), 1, step.get())), 0)) {
            Servable line = changing.servable("line");
            List<CompletableFuture<InferenceResult>> answers = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                answers.add(changing.ask(line.question(
                        RowBatch.of(line.format(false).orElseThrow(), List.of(Tensor.of(Shape.of(2, 1), 0f, i))), 0)));
                if (i % 50 == 0) {
                    answers.get(i).get(30, TimeUnit.SECONDS);
                }
            }
            for (int i = 0; i < answers.size(); i++) {
                InferenceResult inferenceResult = answers.get(i).get(30, TimeUnit.SECONDS);
                float bias = inferenceResult.step();
                assertThat(inferenceResult.outputs().get(0)).isEqualTo(Tensor.of(Shape.of(2, 1), bias, i + bias));
            }
            assertThat(answers.get(2999).get().step()).isGreaterThan(20);
        }
    }

    @Test
    void whatLooksAtTheWholeBatchIsAnsweredAlone() throws Exception {
        List<CompletableFuture<InferenceResult>> answers = new ArrayList<>();
        newest = new CompletableFuture<>();
        for (int i = 0; i < 20; i++) {
            answers.add(server.ask(question("centre", i, i + 1, i + 5)));
        }
        newest.complete(weights(1, 1, 0));
        for (CompletableFuture<InferenceResult> inferenceResult : answers) {
            assertThat(inferenceResult
                            .get(30, TimeUnit.SECONDS)
                            .outputs()
                            .get(0)
                            .floats())
                    .containsExactly(-2, -1, 3);
        }
        assertThat(server.servable("line").mixesRows()).isFalse();
        assertThatThrownBy(() -> server.servable("size")).hasMessageContaining("gives nothing for a row");
    }

    @Test
    void noiseFollowsFromTheSeedAloneOrIsGiven() throws Exception {
        Servable disturb = server.servable("disturb");
        assertThat(disturb.noises()).containsExactly("noise");
        RowFormat asked = disturb.format(false).orElseThrow();
        RowBatch one = RowBatch.of(asked, List.of(Tensor.of(Shape.of(1, 1), 0f)));
        RowBatch three = RowBatch.of(asked, List.of(Tensor.of(Shape.of(3, 1), 0f, 0f, 0f)));
        float[] first =
                server.ask(disturb.question(one, 5)).get().outputs().get(0).floats();
        float[] all =
                server.ask(disturb.question(three, 5)).get().outputs().get(0).floats();
        assertThat(Arrays.copyOf(all, 2)).containsExactly(first);
        assertThat(server.ask(disturb.question(one, 6)).get().outputs().get(0).floats())
                .isNotEqualTo(first);
        RowFormat both = disturb.format(true).orElseThrow();
        assertThat(both.columns()).hasSize(2);
        List<Tensor> given = both.columns().stream()
                .map(column ->
                        column.name().equals("x") ? Tensor.of(Shape.of(1, 1), 0f) : Tensor.of(Shape.of(1, 2), 10f, 20f))
                .toList();
        assertThat(server.ask(disturb.question(RowBatch.of(both, given), 0))
                        .get()
                        .outputs()
                        .get(0)
                        .floats())
                .containsExactly(13, 23);
    }

    @Test
    void anIndexThatIsNoneIsRefusedByItsRow() {
        Servable look = server.servable("look");
        RowBatch wrong = RowBatch.of(look.format(false).orElseThrow(), List.of(Tensor.of(Shape.of(3), 0L, 2L, 3L)));
        assertThatThrownBy(() -> look.question(wrong, 0)).hasMessage("input label: must be 0 to 2, row 2 has 3");
    }

    @Test
    void whoAsksTooMuchComesAgain() throws Exception {
        newest = new CompletableFuture<>();
        float[] many = new float[1000];
        List<CompletableFuture<InferenceResult>> answers = new ArrayList<>();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        answers.add(server.ask(question("line", many)));
                    }
                })
                .isInstanceOf(BusyException.class);
        assertThat(answers).hasSizeBetween(10, 11);
        newest.complete(weights(1, 2, 3));
        for (CompletableFuture<InferenceResult> inferenceResult : answers) {
            assertThat(inferenceResult
                            .get(30, TimeUnit.SECONDS)
                            .outputs()
                            .get(0)
                            .shape())
                    .isEqualTo(Shape.of(1000, 1));
        }
        ask("line", 1);
    }

    @Test
    void whatFailsFailsForThoseWhoAskedAndTheNextAreAnswered() throws Exception {
        newest = CompletableFuture.failedFuture(new IllegalStateException("no checkpoint yet"));
        assertThatThrownBy(() -> ask("line", 1)).rootCause().hasMessage("no checkpoint yet");
        newest = CompletableFuture.completedFuture(weights(1, 2, 3));
        assertThat(ask("line", 1).outputs().get(0).floats()).containsExactly(5);
        newest = CompletableFuture.failedFuture(new IllegalStateException("the run has ended"));
        assertThat(ask("line", 1).outputs().get(0).floats()).containsExactly(5);
    }

    @Test
    void anErrorIsToldToThoseWhoAskedAndEndsNothing() throws Exception {
        AtomicLong asked = new AtomicLong();
        try (ModelServer failing = new ModelServer(
                setup,
                0,
                () -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new LinkageError("once");
                    }
                    return CompletableFuture.completedFuture(weights(1, 2, 3));
                },
                0)) {
            CompletableFuture<InferenceResult> first = failing.ask(question("line", 1));
            assertThatThrownBy(() -> first.get(30, TimeUnit.SECONDS)).cause().hasMessage("once");
            assertThat(failing.ask(question("line", 1))
                            .get(30, TimeUnit.SECONDS)
                            .step())
                    .isEqualTo(1);
        }
    }

    @Test
    void aRunThatTakesALongTurnHoldsUpNoAnswerTwice() throws Exception {
        assertThat(ask("line", 1).step()).isEqualTo(1);
        newest = new CompletableFuture<>(); // a turn that does not end
        for (int i = 0; i < 100; i++) { // a minute, if each waited for half a second
            assertThat(ask("line", 1).step()).isEqualTo(1);
        }
        newest.complete(weights(2, 1, 1));
        assertThat(ask("line", 1).step()).isEqualTo(2);
        while (!server.isIdle()) { // soon after its last answer
            Thread.onSpinWait();
        }
    }

    @Test
    void whoWaitsWhenItIsClosedIsToldSo() throws Exception {
        newest = new CompletableFuture<>();
        CompletableFuture<InferenceResult> inferenceResult = server.ask(question("line", 1));
        server.close();
        assertThatThrownBy(() -> inferenceResult.get(30, TimeUnit.SECONDS))
                .cause()
                .hasMessage("the run is no longer served");
        assertThatThrownBy(() -> server.ask(question("line", 1))).hasMessage("the run is no longer served");
    }
}
