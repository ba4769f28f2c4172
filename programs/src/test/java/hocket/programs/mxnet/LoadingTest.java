package hocket.programs.mxnet;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Platform;
import hocket.programs.Fixture;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("engine")
class LoadingTest {
    /** Asks for the engine as a program does, then for memory, and says what came of it. */
    static final class Ask {
        public static void main(String[] arguments) {
            System.out.println("unavailable: " + new MxLowering().unavailable().orElse("no"));
            try {
                System.out.println("array: " + MxDevice.MEMORY.allocate(Shape.of(2), ElementType.FLOAT32));
            } catch (IllegalStateException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    }

    /** Loads the engine by DJL, in its own way, before Hocket does. */
    static final class AskLate {
        public static void main(String[] arguments) {
            System.setProperty("OPT_OUT_TRACKING", "true");
            System.setProperty("ai.djl.offline", "true");
            ai.djl.engine.Engine.getEngine("MXNet");
            Ask.main(arguments);
        }
    }

    private static List<String> lines(Fork.Result result) {
        return result.output()
                .lines()
                .filter(line ->
                        line.startsWith("unavailable: ") || line.startsWith("array: ") || line.startsWith("refused: "))
                .toList();
    }

    @Test
    void theEngineIsLoadedOnceAndSaysItsVersion() {
        assertThat(Engine.unavailable()).isEmpty();
        assertThat(Engine.get()).isSameAs(Engine.get());
        assertThat(Engine.get().version()).startsWith("1.9.");
    }

    @Test
    void loadingPrintsNothingButTheEnginesOwnLine() throws Exception {
        Fork.Result result = Fork.run(Ask.class, List.of(), Map.of(), entry -> true);
        assertThat(result.status()).isZero();
        assertThat(result.output().lines().filter(line -> !line.contains("engine.cc")))
                .containsExactly("unavailable: no", "array: array (2) of FLOAT32");
    }

    @Test
    void withoutItsLibraryTheEngineIsRefusedInOneSentenceThatNamesTheDependency() throws Exception {
        long start = System.nanoTime();
        Fork.Result result = Fork.run(Ask.class, List.of(), Map.of(), entry -> !entry.contains("mxnet-native"));
        assertThat(result.status()).isZero();
        String sentence = "the MXNet engine has a native library for Linux x86-64, macOS x86-64 and Windows x86-64, "
                + "and the one for this machine (" + System.getProperty("os.name") + " " + System.getProperty("os.arch")
                + ") is not on the class path: add the dependency ai.djl.mxnet:mxnet-native-mkl:1.9.1:"
                + Installation.classifier(System.getProperty("os.name"), System.getProperty("os.arch"))
                        .orElseThrow();
        assertThat(result.output().lines()).containsExactly("unavailable: " + sentence, "refused: " + sentence);
        assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
    }

    /** Trains a dense network, and prints the native libraries that the process has then. */
    static final class Dense {
        public static void main(String[] arguments) throws IOException {
            Graph graph = new Graph();
            Value loss;
            try (var module = graph.module("m")) {
                loss = mean(square(dense("out", graph.noise("x", Shape.of(4)), 2)));
            }
            Program program = Program.compile("p", Mode.TRAIN, loss);
            Lowering lowering = Lowering.of(program, program.reached());
            try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                    BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
                bound.run(8, 0, 0);
                System.out.println("ran on " + lowering.name());
            }
            try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
                lines.filter(line -> line.contains("mxnet")).forEach(System.out::println);
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aRunOfDenseProgramsLoadsNoEngine() throws Exception {
        Fork.Result result = Fork.run(Dense.class, List.of(), Map.of(), entry -> true);
        assertThat(result.output().strip().lines()).containsExactly("ran on jvm");
        Fork.Result engine = Fork.run(Dense.class, List.of("-Dhocket.lowering=mxnet"), Map.of(), entry -> true);
        assertThat(engine.output()).contains("ran on mxnet").contains("libmxnet");
    }

    @Test
    void nativeLibrariesCanBeForbidden() throws Exception {
        Fork.Result result = Fork.run(Ask.class, List.of("-Dnative=none"), Map.of(), entry -> true);
        assertThat(lines(result).get(0)).isEqualTo("unavailable: native libraries are forbidden by -Dnative=none");
        assertThat(lines(Fork.run(Ask.class, List.of("-Dnative=non"), Map.of(), entry -> true))
                        .get(0))
                .contains("native: must be auto or none, was non");
    }

    @Test
    void onAMachineThatNoLibraryWasBuiltForTheSentenceSaysWhichThereAre() throws Exception {
        Fork.Result result = Fork.run(Ask.class, List.of("-Dos.arch=aarch64"), Map.of(), entry -> true);
        assertThat(lines(result).get(0))
                .isEqualTo("unavailable: the MXNet engine has a native library for Linux x86-64, macOS x86-64 and "
                        + "Windows x86-64, and this is " + System.getProperty("os.name") + " aarch64");
    }

    @Test
    void whereTheLibraryCannotBeUnpackedTheSentenceSaysWhereAndWhatToSet(@TempDir Path folder) throws Exception {
        Path blocked = Files.writeString(folder.resolve("file"), "").resolve("cache");
        Fork.Result result = Fork.run(Ask.class, List.of(), Map.of("ENGINE_CACHE_DIR", blocked.toString()), e -> true);
        assertThat(lines(result).get(0))
                .startsWith("unavailable: the MXNet engine could not unpack its native library")
                .contains(blocked.toString())
                .contains("ENGINE_CACHE_DIR");
        assertThat(lines(result)).hasSize(2).allSatisfy(line -> assertThat(line).doesNotContain("Exception in thread"));
    }

    @Test
    void anEngineThatWasLoadedBeforeWithOtherSettingsIsRefused() throws Exception {
        org.junit.jupiter.api.Assumptions.assumeTrue(Platform.isLinux());
        String sum = "MXNET_EXEC_INPLACE_GRAD_SUM_CAP";
        Map<String, String> needed = Map.of("MXNET_ENGINE_TYPE", "NaiveEngine", sum, "1000000000");
        Fork.Result result = Fork.run(AskLate.class, List.of(), Map.of(), entry -> true);
        assertThat(lines(result).get(0)).contains("MXNET_ENGINE_TYPE=NaiveEngine and " + sum + "=1000000000");

        Fork.Result half = Fork.run(AskLate.class, List.of(), Map.of(sum, "1000000000"), entry -> true);
        assertThat(lines(half).get(0)).endsWith("variables MXNET_ENGINE_TYPE=NaiveEngine");

        Fork.Result asked = Fork.run(AskLate.class, List.of(), needed, entry -> true);
        assertThat(lines(asked)).containsExactly("unavailable: no", "array: array (2) of FLOAT32");
    }

    @Test
    void noStopwatchDecidesWhichKernelsUseThreads() {
        Engine.get();
        assertThat(ProcessEnvironment.get("MXNET_USE_OPERATOR_TUNING")).isEqualTo("0");
    }

    @Test
    void threadsAreSetForTheCallingThreadOnly() throws Exception {
        Engine engine = Engine.get();
        boolean[] reached = new boolean[1];
        int[] others = new int[1];
        Thread other = new Thread(() -> {
            reached[0] = engine.threads(1);
            others[0] = omp();
        });
        assertThat(engine.threads(3)).isTrue();
        other.start();
        other.join();
        assertThat(reached[0]).isTrue();
        assertThat(others[0]).isEqualTo(1);
        assertThat(omp()).isEqualTo(3);
        engine.threads(1);
    }

    private static int omp() {
        return com.sun.jna.NativeLibrary.getInstance(ai.djl.mxnet.jna.LibUtils.getLibName())
                .getFunction("omp_get_max_threads")
                .invokeInt(new Object[0]);
    }
}
