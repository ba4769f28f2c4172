package hocket.schedulers.inference;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.execution.ProgramException;
import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.AtomicFolder;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Networks of dense layers, asked from many threads. */
@Timeout(60)
class InferencerTest {
    private static final int CALLERS = 8;
    private static final int WIDTH = 5;

    @TempDir
    Path here = Path.of("");

    private final Graph graph = new Graph();
    private final Value observation = graph.input("observation", Shape.of(WIDTH));
    private final Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
    private final Value noise = graph.noise("noise", Shape.of(3));
    private final Network<Value, Value> actor = graph.module("actor", this::layers);
    private final Network<Value, Value> generator = graph.module("generator", this::layers);
    private final Program act = Program.compile("act", Mode.EVAL, actor.apply(observation));
    private final Program draw =
            Program.compile("draw", Mode.EVAL, generator.apply(concat(0, noise, oneHot(label, 4))));
    private final Program both = Program.compile(
            "both", Mode.EVAL, add(actor.apply(observation), generator.apply(concat(0, noise, oneHot(label, 4)))));
    private final Program noiseAlone = Program.compile("alone", Mode.EVAL, tanh(noise));

    private Value layers(Value in) {
        return dense("out", tanh(batchNorm("norm", dense("hidden", in, 70))), 3);
    }

    private Parameters parameters(long seed) {
        return Parameters.initialise(graph.declarations(), Streams.seed(seed));
    }

    private Snapshot snapshot(long seed) {
        try (Parameters parameters = parameters(seed)) {
            return parameters.snapshot();
        }
    }

    private static Tensor observations(int rows, long seed) {
        double[] drawn = new double[rows * WIDTH];
        Streams.seed(seed).at("observations").normal(0, drawn);
        float[] floats = new float[drawn.length];
        Arrays.setAll(drawn, i -> floats[i] = (float) drawn[i]);
        return Tensor.of(Shape.of(rows, WIDTH), floats);
    }

    private static <T> List<T> byManyThreads(int calls, java.util.function.IntFunction<T> call) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                int number = i;
                futures.add(callers.submit(() -> call.apply(number)));
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> future : futures) {
                answers.add(future.get());
            }
            return answers;
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void manyThreadsGetTheBitsOfASessionOnOneThread() throws Exception {
        int calls = 400;
        List<Tensor> expected = new ArrayList<>();
        try (Parameters parameters = parameters(7);
                Session session = Session.over(parameters, 1)) {
            for (int i = 0; i < calls; i++) {
                expected.add(session.run(act, Feeds.of("observation", observations(1 + i % 9, i)))
                        .get(0));
            }
        }
        try (Inferencer inferencer = Inferencer.of(act, snapshot(7))) {
            List<Tensor> answers = byManyThreads(
                    calls, i -> inferencer.infer(observations(1 + i % 9, i)).tensor());
            assertThat(answers).isEqualTo(expected);
        }
    }

    @Test
    void aRowDependsOnHowManyRowsItsCallHasInItsLastBitsOnlyAndOnTheirValuesNotAtAll() {
        try (Inferencer inferencer = Inferencer.of(act, snapshot(7))) {
            for (int rows : new int[] {1, 2, 3, 8, 33}) {
                float[] first = observations(rows, 1).floats();
                float[] others = observations(rows, 2).floats();
                System.arraycopy(first, (rows - 1) * WIDTH, others, 0, WIDTH);
                float[] last = inferencer
                        .infer(Tensor.of(Shape.of(rows, WIDTH), first))
                        .floats();
                float[] moved = inferencer
                        .infer(Tensor.of(Shape.of(rows, WIDTH), others))
                        .floats();
                float[] alone = inferencer
                        .infer(Arrays.copyOfRange(first, (rows - 1) * WIDTH, rows * WIDTH))
                        .floats();
                for (int i = 0; i < 3; i++) {
                    assertThat(moved[i]).as(rows + " rows").isEqualTo(last[(rows - 1) * 3 + i]);
                    assertThat(alone[i]).isCloseTo(moved[i], within(1e-6f)); // sums of 70 numbers of about 1, reordered
                }
            }
        }
    }

    @Test
    void noiseFollowsFromSeedAndRowAndNotFromTheThread() throws Exception {
        Feeds threes = Feeds.of("label", Tensor.of(Shape.of(6), 3L, 3L, 3L, 3L, 3L, 3L));
        try (Inferencer inferencer = Inferencer.of(draw, snapshot(7))) {
            assertThat(inferencer.inputs()).extracting("name").containsExactly("label");
            assertThat(inferencer.noises()).extracting("name").containsExactly("noise");
            Tensor expected = inferencer.infer(threes, 5).tensor();
            assertThat(byManyThreads(50, i -> inferencer.infer(threes, 5).tensor()))
                    .containsOnly(expected);
            assertThat(inferencer.infer(threes, 6).tensor()).isNotEqualTo(expected);
            Tensor given = Objects.requireNonNull(
                    ProgramInference.of(draw).complete(threes, 5).tensors().get("noise"));
            assertThat(inferencer.infer(threes.and("noise", given), 99).tensor())
                    .isEqualTo(expected);
        }
        try (Inferencer inferencer = Inferencer.of(noiseAlone, snapshot(7))) {
            float[] many = inferencer.sample(20, 5).floats();
            assertThat(inferencer.sample(4, 5).floats()).isEqualTo(Arrays.copyOf(many, 12));
        }
    }

    @Test
    void aModelWithSeveralInputsIsGivenAllByName() {
        Feeds feeds = Feeds.of("observation", observations(2, 1)).and("label", Tensor.of(Shape.of(2), 0L, 3L));
        try (Inferencer inferencer = Inferencer.of(both, snapshot(7))) {
            assertThat(inferencer.infer(feeds, 1).tensor().shape()).isEqualTo(Shape.of(2, 3));
            assertThatThrownBy(() -> inferencer.infer(1, 2)).hasMessageContaining("both has 2 inputs");
        }
    }

    @Test
    void whatDoesNotFitIsRefusedAndTheNextCallIsAnswered() {
        try (Inferencer agent = Inferencer.of(act, snapshot(7));
                Inferencer generating = Inferencer.of(draw, snapshot(7))) {
            Tensor expected = agent.infer(observations(2, 3)).tensor();
            assertThatThrownBy(() -> agent.infer(1, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("input observation needs 5 numbers for a row of (5), got 2");
            assertThatThrownBy(() -> agent.infer(Tensor.of(Shape.of(2, 4), new float[8])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("input observation needs rows (5)")
                    .hasMessageContaining("got (2,4)");
            assertThatThrownBy(() -> agent.infer(Tensor.of(Shape.of(1, WIDTH), new double[WIDTH])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("input observation is FLOAT32, got FLOAT64");
            assertThatThrownBy(() -> agent.infer(Feeds.of("observatoin", observations(2, 3))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("input observation is needed");
            assertThatThrownBy(() -> generating.infer(Feeds.of("label", Tensor.of(Shape.of(1), 4L))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("label");
            assertThatThrownBy(() -> agent.infer(1, 2, 3, 4, 5).tensor("actoin"))
                    .hasMessageContaining("there is no output actoin");
            assertThatThrownBy(() -> agent.infer(1, 2, 3, 4, 5).longs()).isInstanceOf(IllegalStateException.class);
            assertThat(agent.infer(observations(2, 3)).tensor()).isEqualTo(expected);
        }
    }

    @Test
    void parametersThatDoNotFitAreRefusedWhenItIsMade() {
        Snapshot values = snapshot(7);
        TreeMap<hocket.scopes.Path, Tensor> fewer = new TreeMap<>(values.tensors());
        fewer.remove(hocket.scopes.Path.of("actor/out/bias"));
        assertThatThrownBy(() -> Inferencer.of(act, new Snapshot(fewer)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("actor/out/bias");
        fewer.put(hocket.scopes.Path.of("actor/out/bias"), Tensor.of(Shape.of(4), new float[4]));
        assertThatThrownBy(() -> Inferencer.of(act, new Snapshot(fewer)))
                .hasMessage("actor/out/bias: the program reads FLOAT32(3), the parameters hold FLOAT32(4)");
    }

    @Test
    void closingAnswersTheCallsThatCameBeforeAndRefusesTheOthers() throws Exception {
        Inferencer inferencer = Inferencer.of(act, snapshot(7));
        Tensor expected = inferencer.infer(observations(1, 3)).tensor();
        CountDownLatch begun = new CountDownLatch(CALLERS);
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        List<Thread> callers = IntStream.range(0, CALLERS)
                .mapToObj(i -> new Thread(() -> {
                    try {
                        for (int call = 0; ; call++) {
                            assertThat(inferencer.infer(observations(1, 3)).tensor())
                                    .isEqualTo(expected);
                            if (call == 0) {
                                begun.countDown();
                            }
                        }
                    } catch (IllegalStateException closed) {
                        if (!"the inferencer of act is closed".equals(closed.getMessage())) {
                            wrong.set(closed);
                        }
                    } catch (Throwable e) {
                        wrong.set(e);
                    }
                }))
                .toList();
        callers.forEach(Thread::start);
        begun.await();
        List<CompletableFuture<Outputs>> waiting = IntStream.range(0, 200)
                .mapToObj(i -> inferencer.inferAsync(Feeds.of("observation", observations(1, 3))))
                .toList();
        inferencer.close();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(wrong.get()).isNull();
        for (CompletableFuture<Outputs> answer : waiting) {
            assertThat(answer.get(10, TimeUnit.SECONDS).tensor()).isEqualTo(expected);
        }
        assertThatThrownBy(() -> inferencer.infer(1, 2, 3, 4, 5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the inferencer of act is closed");
        assertThat(inferencer.inferAsync(Feeds.of("observation", observations(1, 3))))
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withMessageContaining("the inferencer of act is closed");
        inferencer.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread instanceof InferenceThread && thread.isAlive());
    }

    @Test
    void anInterruptedCallerIsToldAndOthersAreAnswered() {
        try (Inferencer inferencer = Inferencer.of(act, snapshot(7))) {
            Tensor expected = inferencer.infer(observations(1, 3)).tensor();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> inferencer.infer(observations(1, 3)))
                    .isInstanceOf(CancellationException.class)
                    .hasMessage("interrupted while it waited for an answer of act");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(inferencer.infer(observations(1, 3)).tensor()).isEqualTo(expected);
        }
    }

    @Test
    void anActionOnAFutureMayCallAgainThoughThereIsOneSession() throws Exception {
        Path folder = here.resolve("saved");
        try (Parameters parameters = parameters(7)) {
            SavedModel.write(act, parameters, folder);
        }
        try (Inferencer inferencer =
                Inferencer.load(folder, LoadOptions.ofNewest().sessions(1))) {
            Feeds feeds = Feeds.of("observation", observations(1, 3));
            CompletableFuture<Outputs> twice = inferencer
                    .inferAsync(feeds)
                    .thenApply(first -> inferencer.infer(first.floats().length > 0 ? feeds : Feeds.rows(1)));
            assertThat(twice.get(10, TimeUnit.SECONDS)).isEqualTo(inferencer.infer(feeds));
            assertThatThrownBy(() -> inferencer.inferAsync(Feeds.rows(1)).get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalArgumentException.class);
        }
    }

    /** A function whose first call finds that its thread can run no more programs. */
    private record Failing(ProgramInference right, List<Thread> asked) implements InferenceFunction {
        @Override
        public String name() {
            return right.name();
        }

        @Override
        public List<Program> programs() {
            return right.programs();
        }

        @Override
        public List<Source.Column> inputs() {
            return right.inputs();
        }

        @Override
        public List<Source.Column> noises() {
            return right.noises();
        }

        @Override
        public List<Source.Column> outputs() {
            return right.outputs();
        }

        @Override
        public Bound bind(Parameters parameters, int threads) {
            Bound bound = right.bind(parameters, threads);
            return new Bound() {
                @Override
                public List<Tensor> infer(Feeds rows, OptionalLong seed) {
                    asked.add(Thread.currentThread());
                    if (asked.size() == 1) {
                        throw new ProgramException("lost", new IllegalStateException(), true);
                    }
                    return bound.infer(rows, seed);
                }

                @Override
                public void close() {
                    bound.close();
                }
            };
        }
    }

    @Test
    void aThreadThatTheEngineCanNoLongerUseIsReplaced() {
        List<Thread> asked = new CopyOnWriteArrayList<>();
        TrainedModel model =
                new TrainedModel("act", 0, new Failing(ProgramInference.of(act), asked), snapshot(7), List.of());
        try (Inferencer inferencer = Inferencer.of(model, LoadOptions.ofNewest().sessions(1));
                Inferencer right = Inferencer.of(act, snapshot(7))) {
            assertThatThrownBy(() -> inferencer.infer(observations(1, 3)))
                    .isInstanceOf(ProgramException.class)
                    .hasMessage("lost");
            assertThat(inferencer.infer(observations(1, 3)).tensor())
                    .isEqualTo(right.infer(observations(1, 3)).tensor());
            assertThat(asked.get(1)).isNotSameAs(asked.get(0));
        }
    }

    @Test
    void aThreadComputesRowsOfZerosUntilSomebodyCalls() throws Exception {
        List<Thread> asked = new CopyOnWriteArrayList<>(List.of(Thread.currentThread())); // the call that fails is past
        TrainedModel model =
                new TrainedModel("both", 0, new Failing(ProgramInference.of(both), asked), snapshot(7), List.of());
        Thread thread = new InferenceThread(
                () -> ((InferenceThread) Thread.currentThread()).warmUp(model, 1, () -> asked.size() < 8), 1);
        thread.start();
        thread.join();
        assertThat(asked).hasSize(8).endsWith(thread);
    }

    @Test
    void aLoadedModelComputesBeforeItsFirstCall() throws Exception {
        Path folder = here.resolve("saved");
        try (Parameters parameters = parameters(7)) {
            SavedModel.write(act, parameters, folder);
        }
        try (Inferencer inferencer = Inferencer.load(folder)) {
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .contains("hocket-inference-1");
            try (Inferencer cold = Inferencer.of(act, snapshot(7))) {
                assertThat(inferencer.infer(observations(2, 1)).tensor())
                        .isEqualTo(cold.infer(observations(2, 1)).tensor());
            }
        }
    }

    @Test
    void aDamagedModelIsReplacedAndADamagedRunIsNot() throws Exception {
        Path folder = here.resolve("saved");
        try (Parameters parameters = parameters(7)) {
            SavedModel.write(act, parameters, folder);
            Path state = Checkpoints.place(folder, 0).resolve("state.json");
            Files.writeString(state, "garbage");
            SavedModel.write(act, parameters, folder);
            try (Inferencer inferencer = Inferencer.load(folder)) {
                inferencer.infer(observations(1, 3));
            }
            Path run = here.resolve("run");
            Checkpoints.write(run, 3, State.empty());
            Files.writeString(Checkpoints.place(run, 3).resolve("state.json"), "garbage");
            assertThatThrownBy(() -> SavedModel.write(act, parameters, run))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("holds the checkpoints of a run");
            assertThat(Checkpoints.numbers(run)).containsExactly(3L);
        }
    }

    @Test
    void whatIsSavedAgainIsAnsweredByAfterAReloadByEverySession() throws Exception {
        Path folder = here.resolve("saved");
        try (Parameters parameters = parameters(7)) {
            SavedModel.write(act, parameters, folder);
        }
        try (Inferencer inferencer = Inferencer.load(folder);
                Inferencer other = Inferencer.of(act, snapshot(8))) {
            Tensor before = inferencer.infer(observations(1, 3)).tensor();
            Tensor after = other.infer(observations(1, 3)).tensor();
            byManyThreads(20, i -> inferencer.infer(observations(1, 3)));
            try (Parameters parameters = parameters(8)) {
                SavedModel.write(act, parameters, folder);
            }
            assertThat(inferencer.infer(observations(1, 3)).tensor()).isEqualTo(before);
            assertThat(inferencer.reload()).isTrue();
            assertThat(inferencer.reload()).as("nothing was saved meanwhile").isFalse();
            assertThat(byManyThreads(
                            20, i -> inferencer.infer(observations(1, 3)).tensor()))
                    .containsOnly(after);
            try (Parameters parameters = parameters(8)) {
                SavedModel.write(draw, parameters, folder);
            }
            assertThatThrownBy(inferencer::reload)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another model");
            assertThat(inferencer.infer(observations(1, 3)).tensor()).isEqualTo(after);
        }
    }

    @Test
    void parametersThatWereSavedWithoutTheirProgramAreLoadedWithIt() throws Exception {
        Path folder = here.resolve("old");
        State values = State.empty();
        for (hocket.scopes.Path path : act.parameters().keySet()) {
            values = values.with(path.text(), snapshot(7).tensor(path.text()));
        }
        Checkpoints.write(folder, 0, State.empty().with("parameters", values));
        assertThatThrownBy(() -> Inferencer.load(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Inferencer.load(program, folder)");
        try (Inferencer inferencer = Inferencer.load(act, folder);
                Inferencer expected = Inferencer.of(act, snapshot(7))) {
            assertThat(inferencer.infer(observations(4, 1)).tensor())
                    .isEqualTo(expected.infer(observations(4, 1)).tensor());
        }
    }

    private Path exported() throws IOException {
        Path folder = here.resolve("exported");
        TreeMap<String, Tensor> weights = new TreeMap<>();
        draw.parameters()
                .forEach((path, value) -> weights.put(path.text(), snapshot(7).tensor(path.text())));
        AtomicFolder.write(
                folder,
                ExportedModel.files(
                        ProgramInference.of(draw), 12, weights, Optional.of("Feed it."), Map.of("module", "draw")));
        return folder;
    }

    @Test
    void anExportedFolderIsEnough() throws Exception {
        Feeds feeds = Feeds.of("label", Tensor.of(Shape.of(2), 0L, 3L));
        try (Inferencer inferencer = Inferencer.load(exported());
                Inferencer expected = Inferencer.of(draw, snapshot(7))) {
            assertThat(inferencer.infer(feeds, 3).tensor())
                    .isEqualTo(expected.infer(feeds, 3).tensor());
            assertThat(inferencer.step()).isEqualTo(12);
            assertThat(inferencer.warnings()).containsExactly("Feed it.");
            assertThat(inferencer.infer(feeds).step()).isEqualTo(12);
        }
        assertThatThrownBy(() -> Inferencer.load(here.resolve("exported"), LoadOptions.ofBest()))
                .hasMessageContaining("holds one model in one state");
    }

    @Test
    void aDamagedFileIsNamed() throws Exception {
        Path folder = exported();
        for (String name : List.of("program.json", "model.safetensors")) {
            byte[] bytes = Files.readAllBytes(folder.resolve(name));
            byte[] damaged = bytes.clone();
            damaged[bytes.length - 30] ^= 1;
            Files.write(folder.resolve(name), damaged);
            assertThatThrownBy(() -> Inferencer.load(folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(folder.resolve(name) + " cannot be read: its SHA-256 is ");
            Files.write(folder.resolve(name), bytes);
        }
        Files.delete(folder.resolve("program.json"));
        assertThatThrownBy(() -> Inferencer.load(folder))
                .hasMessageStartingWith(folder.resolve("program.json") + " is missing");
        assertThatThrownBy(() -> Inferencer.load(Files.createDirectory(here.resolve("empty"))))
                .hasMessageContaining("holds no model");
        Files.writeString(here.resolve("empty/experiment.yaml"), "name: x");
        assertThatThrownBy(() -> Inferencer.load(here.resolve("empty")))
                .hasMessageContaining("add the artifact hocket:workbench to the class path");
    }
}
