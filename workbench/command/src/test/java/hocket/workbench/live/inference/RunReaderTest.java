package hocket.workbench.live.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.execution.Lowering;
import hocket.schedulers.inference.Inferencer;
import hocket.schedulers.inference.LoadOptions;
import hocket.schedulers.inference.ProgramInference;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import hocket.workbench.command.Ran;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Run folders and exports of short runs, each asked by eight threads. */
@Timeout(120)
class RunReaderTest {
    private static final int CALLERS = 8;

    @TempDir
    static Path here = Path.of("");

    @BeforeAll
    static void trains() {
        run("ppo", "cartpole-ppo", "evaluation=", "total_steps=512", "environments.normalise_observations=true");
        run("sac", "pendulum-sac", "evaluation=", "total_steps=300");
        run("ring", "gaussian-ring", "evaluation.samples=100", "rounds=4");
    }

    private static void run(String folder, String experiment, String... changes) {
        List<String> args = new ArrayList<>(List.of("run", experiment, "--out", folder, "--quiet"));
        Stream.of(changes).forEach(change -> args.addAll(List.of("--set", change)));
        hocket(args.toArray(String[]::new));
    }

    private static void hocket(String... args) {
        Ran ran = Ran.hocket(here, args);
        assertThat(ran.status()).as(ran.err()).isZero();
    }

    private static CheckpointedRun saved(String folder) {
        return CheckpointedRun.open(new RunFolder(here.resolve(folder)), OptionalLong.empty());
    }

    private static SelectedExperiment selected(CheckpointedRun saved) {
        StringWriter said = new StringWriter();
        return saved.selected(new CommandContext(Ran.terminal(said, said, false), here));
    }

    /** The outputs that a session on one thread computes by a program of a run. */
    private static Tensor session(String folder, String program, Feeds feeds) {
        CheckpointedRun saved = saved(folder);
        SelectedExperiment selectedExperiment = selected(saved);
        Program of = selectedExperiment.networks().program(program);
        return saved.with(selectedExperiment, parameters -> {
            try (Session session = Session.over(parameters, 1)) {
                return session.run(of, feeds).get(0);
            }
        });
    }

    private static <T> List<T> byManyThreads(int calls, IntFunction<T> call) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<T>> futures = IntStream.range(0, calls)
                    .mapToObj(i -> callers.submit(() -> call.apply(i)))
                    .toList();
            List<T> answers = new ArrayList<>();
            for (Future<T> future : futures) {
                answers.add(future.get());
            }
            return answers;
        } finally {
            callers.shutdownNow();
        }
    }

    private static Tensor observations(int rows, int width, long seed) {
        double[] drawn = new double[rows * width];
        Streams.seed(seed).at("observations").normal(0, drawn);
        float[] floats = new float[drawn.length];
        for (int i = 0; i < drawn.length; i++) {
            floats[i] = (float) drawn[i];
        }
        return Tensor.of(Shape.of(rows, width), floats);
    }

    /** Brought to mean 0 and variance 1 by the statistics that the run saved, from what is in its checkpoint. */
    private static Tensor normalised(String folder, Tensor observations) {
        State observed = saved(folder)
                .state()
                .state("turns")
                .state("collect")
                .state("action")
                .state("worlds")
                .state("environments")
                .state("observed");
        double[] mean = observed.tensor("mean").doubles();
        double[] variance = observed.tensor("variance").doubles();
        float[] all = observations.floats();
        for (int i = 0; i < all.length; i++) {
            double number = (all[i] - mean[i % 4]) / Math.sqrt(variance[i % 4] + 1e-8);
            all[i] = (float) Math.max(-10, Math.min(10, number));
        }
        return Tensor.of(observations.shape(), all);
    }

    private static long[] greatest(Tensor logits) {
        float[] all = logits.floats();
        return IntStream.range(0, all.length / 2)
                .mapToLong(row -> all[2 * row + 1] > all[2 * row] ? 1 : 0)
                .toArray();
    }

    @Test
    void anAgentTakesTheActionsOfItsNetworkOnObservationsThatAreNormalisedAsInTraining() throws Exception {
        try (Inferencer agent = Inferencer.load(here.resolve("ppo"))) {
            List<long[]> actions = byManyThreads(
                    100, i -> agent.infer(observations(1 + i % 5, 4, i)).longs());
            boolean[] taken = new boolean[2];
            for (int i = 0; i < actions.size(); i++) {
                Tensor seen = normalised("ppo", observations(1 + i % 5, 4, i));
                long[] expected = greatest(session("ppo", "act", Feeds.of("observation", seen)));
                assertThat(actions.get(i)).as("call " + i).isEqualTo(expected);
                LongStream.of(expected).forEach(action -> taken[(int) action] = true);
                if (i == 20) {
                    break; // the other calls were there to disturb these
                }
            }
            assertThat(taken).containsOnly(true);
            assertThat(agent.step()).isEqualTo(saved("ppo").step());
        }
    }

    @Test
    void aSeedDrawsAnAgentsActionsAndTheSameSeedDrawsTheSame() throws Exception {
        for (String run : List.of("ppo", "sac")) {
            int width = run.equals("ppo") ? 4 : 3;
            try (Inferencer agent = Inferencer.load(here.resolve(run))) {
                Feeds feeds = Feeds.of("observation", observations(40, width, 1));
                Tensor drawn = agent.infer(feeds, 3).tensor();
                assertThat(byManyThreads(40, i -> agent.infer(feeds, 3).tensor()))
                        .containsOnly(drawn);
                assertThat(agent.infer(feeds, 4).tensor()).isNotEqualTo(drawn);
                assertThat(agent.infer(feeds).tensor()).isNotEqualTo(drawn);
            }
        }
    }

    @Test
    void aContinuousActionIsScaledToItsBounds() {
        try (Inferencer agent = load("sac")) {
            Tensor seen = observations(5, 3, 2);
            assertThat(agent.outputs()).extracting("name").containsExactly("action");
            float[] actions = agent.infer(seen).floats();
            float[] expected =
                    session("sac", "act", Feeds.of("observation", seen)).floats();
            for (int i = 0; i < 5; i++) {
                assertThat(actions[i])
                        .isEqualTo(-2 + 0.5f * (expected[i] + 1) * 4)
                        .isBetween(-2f, 2f);
            }
        }
    }

    private static Inferencer load(String folder) {
        try {
            return Inferencer.load(here.resolve(folder));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void observationsThatAreNoNumbersOrTooFewAreRefused() {
        try (Inferencer agent = load("ppo")) {
            assertThatThrownBy(() -> agent.infer(0, 0, Float.NaN, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("input observation must be finite numbers, was NaN in row 0");
            assertThatThrownBy(() -> agent.infer(0, 0, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("input observation needs 4 numbers for a row of (4), got 3");
            assertThatThrownBy(() -> agent.infer(Feeds.rows(2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("input observation is needed and was not fed");
            assertThatThrownBy(() -> agent.sample(-1, 0)).hasMessageContaining("rows must be at least 1");
            assertThat(agent.infer(0, 0, 0, 0).longs()).hasSize(1);
        }
    }

    @Test
    void aGanGivesTheSamplesOfASessionWithTheNoiseOfASeed() throws Exception {
        try (Inferencer gan = Inferencer.load(here.resolve("ring"))) {
            Program draws = selected(saved("ring")).setup().samples().orElseThrow();
            Tensor noise = Objects.requireNonNull(ProgramInference.of(draws)
                    .complete(Feeds.rows(9), 5)
                    .tensors()
                    .get(gan.noises().get(0).name()));
            Feeds feeds = Feeds.of(gan.noises().get(0).name(), noise);
            Tensor expected = session("ring", draws.name(), feeds);
            assertThat(byManyThreads(50, i -> gan.sample(9, 5).tensor())).containsOnly(expected);
            assertThat(gan.infer(feeds).tensor()).isEqualTo(expected);
        }
        try (Inferencer discriminator =
                Inferencer.load(here.resolve("ring"), LoadOptions.ofNewest().module("discriminator"))) {
            assertThat(discriminator.infer(0.5f, 0.5f).floats()).hasSize(1);
        }
        assertThatThrownBy(() -> Inferencer.load(
                        here.resolve("ring"), LoadOptions.ofNewest().module("generatr")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no module generatr; did you mean generator?");
    }

    @Test
    void anExportGivesWhatItsRunGives() throws Exception {
        hocket("export", "ring", "--module", "generator", "--out", "generator");
        hocket("export", "ppo", "--module", "actor", "--out", "actor", "--format", "safetensors");
        Tensor seen = observations(6, 4, 1);
        try (Inferencer run = Inferencer.load(
                        here.resolve("ring"), LoadOptions.ofNewest().module("generator"));
                Inferencer exported = Inferencer.load(here.resolve("generator"));
                Inferencer actor = Inferencer.load(here.resolve("actor"))) {
            assertThat(exported.sample(7, 2)).isEqualTo(run.sample(7, 2));
            assertThat(actor.warnings())
                    .singleElement()
                    .asString()
                    .contains("feed it observations that are normalised");
            assertThat(actor.infer(seen).tensor()).isEqualTo(session("ppo", "act", Feeds.of("observation", seen)));
        }
    }

    private static Path copy(String folder, String name) throws IOException {
        Path to = here.resolve(name);
        try (Stream<Path> files = Files.walk(here.resolve(folder))) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(here.resolve(folder).relativize(file)));
            }
        }
        return to;
    }

    @Test
    void aDamagedCheckpointIsNamed() throws Exception {
        Path run = copy("ppo", "damaged");
        List<Path> checkpoints;
        try (Stream<Path> files = Files.list(run.resolve("checkpoints"))) {
            checkpoints = files.filter(Files::isDirectory)
                    .filter(file -> Files.exists(file.resolve("tensors.safetensors")))
                    .toList();
        }
        assertThat(checkpoints).hasSize(1);
        Path tensors = checkpoints.get(0).resolve("tensors.safetensors");
        byte[] bytes = Files.readAllBytes(tensors);
        bytes[bytes.length / 2] ^= 1;
        Files.write(tensors, bytes);
        assertThatThrownBy(() -> Inferencer.load(run))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no intact checkpoint")
                .hasMessageContaining(tensors + " cannot be read: its SHA-256 is");
        assertThatThrownBy(() -> Inferencer.load(run, LoadOptions.ofCheckpoint(99)))
                .hasMessageContaining("there is no checkpoint 99");
        assertThatThrownBy(() -> Inferencer.load(run, LoadOptions.ofBest())).hasMessageContaining("keeps no best one");
    }

    @Test
    void aClassOfTheRunIsTakenFromTheClassPathOfTheCallerWhereItsJarIsGone() throws Exception {
        Path source = Files.writeString(here.resolve("Often.java"), """
                import hocket.schedulers.Schedule;
                import hocket.schedulers.ScheduleView;
                public record Often(int least) implements Schedule<Often.Count> {
                    public record Count(long turns) {}
                    public Count start() { return new Count(0); }
                    public Choice<Count> next(Count count, ScheduleView view) {
                        return new Choice<>(count.turns() % 3 == 0 ? "g" : "d", new Count(count.turns() + 1));
                    }
                }
                """);
        Path classes = Files.createDirectory(here.resolve("classes"));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", System.getProperty("java.class.path"), "-d", classes + "", source + "");
        assertThat(compiled).isZero();
        hocket(
                "run",
                "gaussian-ring",
                "--classpath",
                "classes",
                "--out",
                "often",
                "--quiet",
                "--set",
                "rounds=4",
                "--set",
                "evaluation.samples=100",
                "--set",
                "plan={choose: {class: Often, least: 1}, of: [d, g]}");
        Files.move(classes, here.resolve("moved"));
        assertThatThrownBy(() -> Inferencer.load(here.resolve("often")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Often");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader own =
                new URLClassLoader(new URL[] {here.resolve("moved").toUri().toURL()}, before)) {
            thread.setContextClassLoader(own);
            try (Inferencer gan = Inferencer.load(here.resolve("often"))) {
                assertThat(gan.sample(2, 1).tensor().shape()).isEqualTo(Shape.of(2, 2));
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void aRunThatGoesOnIsReloadedWhileItIsAsked() throws Exception {
        Path run = copy("ring", "going");
        try (Inferencer gan = Inferencer.load(run)) {
            Tensor before = gan.sample(3, 1).tensor();
            assertThat(gan.reload()).isFalse();
            hocket("run", "gaussian-ring", "--out", "going", "--resume", "--quiet", "--set", "rounds=8");
            assertThat(gan.sample(3, 1).tensor()).isEqualTo(before);
            assertThat(gan.reload()).isTrue();
            assertThat(gan.sample(3, 1).tensor()).isNotEqualTo(before);
            assertThat(gan.sample(3, 1).step())
                    .isEqualTo(gan.step())
                    .isEqualTo(saved("going").step());
        }
    }

    @Test
    void aConvolutionalGanGivesTheBitsOfASessionToManyThreads() throws Exception {
        run("labels", "digits-conditional", "part=test", "epochs=1", "width=4");
        assertManyThreadsGetTheBitsOfASession("labels");
    }

    @Test
    @Tag("engine")
    void theEngineServesManyThreadsOnOneSession() throws Exception {
        System.setProperty(Lowering.PROPERTY, "mxnet");
        try {
            run("engine", "digits-conditional", "part=test", "epochs=1", "width=4");
            assertManyThreadsGetTheBitsOfASession("engine");
            assertThatThrownBy(() -> Inferencer.load(
                            here.resolve("engine"), LoadOptions.ofNewest().sessions(2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("sessions must be 1");
        } finally {
            System.clearProperty(Lowering.PROPERTY);
        }
        assertThat(Arrays.stream(Thread.getAllStackTraces().keySet().toArray(Thread[]::new))
                        .filter(Thread::isAlive)
                        .map(Thread::getName))
                .noneMatch(name -> name.startsWith("hocket-inference"));
    }

    private static void assertManyThreadsGetTheBitsOfASession(String folder) throws Exception {
        Program draws = selected(saved(folder)).setup().samples().orElseThrow();
        try (Inferencer gan = load(folder)) {
            assertThat(gan.inputs()).extracting("name").containsExactly("label");
            Feeds labels = Feeds.of("label", Tensor.of(Shape.of(5), 0L, 3L, 9L, 3L, 3L));
            Feeds complete = ProgramInference.of(draws).complete(labels, 5);
            Tensor expected = session(folder, draws.name(), complete);
            assertThat(byManyThreads(60, i -> gan.infer(labels, 5).tensor())).containsOnly(expected);
            assertThatThrownBy(() -> gan.infer(Feeds.of("label", Tensor.of(Shape.of(1), 10L))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("label");
        }
    }
}
