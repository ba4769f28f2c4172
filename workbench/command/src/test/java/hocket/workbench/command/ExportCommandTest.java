package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import hocket.schedulers.formats.Safetensors;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Networks of short runs, written as models, and loaded by DJL in a process that has nothing of Hocket. */
@Tag("engine")
@Tag("processes")
class ExportCommandTest {
    private static final Path ROOT =
            Path.of(System.getProperty("hocket.root", "..")).toAbsolutePath().normalize();

    /** What DJL and its engine need. */
    private static final List<String> JARS = List.of(
            "/ai/djl/", "/gson/", "/commons-compress/", "/commons-codec/", "/commons-io/", "/jna/", "/slf4j-api/");

    private static final String[] RING = {"--set", "feeds.ring.batch=32", "--set", "evaluation.samples=200"};

    @TempDir
    static Path here = Path.of("");

    @BeforeAll
    static void trains() {
        String[] small = {"--set", "part=test", "--set", "epochs=1", "--set", "width=4", "--quiet"};
        ran(0, and(small, "run", "digits-gan", "--out", "gan"));
        ran(0, and(small, "run", "digits-conditional", "--out", "labels", "--set", "evaluation="));
        ran(0, and(RING, "run", "gaussian-ring", "--set", "rounds=20", "--out", "ring", "--quiet"));
    }

    private static String[] and(String[] more, String... words) {
        return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
    }

    private static Ran ran(int status, String... args) {
        return Ran.ending(status, here, args);
    }

    private static Ran export(String lowering, String... args) {
        String before = System.getProperty("hocket.lowering");
        try {
            System.setProperty("hocket.lowering", lowering);
            String[] all =
                    Stream.concat(Stream.of("export"), Arrays.stream(args)).toArray(String[]::new);
            return ran(0, all);
        } finally {
            if (before == null) {
                System.clearProperty("hocket.lowering");
            } else {
                System.setProperty("hocket.lowering", before);
            }
        }
    }

    /** What examples/plain-djl prints of a model on one thread. */
    private static String plainDjl(String folder, String... more) throws Exception {
        Path classes = Files.createDirectories(here.resolve("classes"));
        String jars = Arrays.stream(System.getProperty("java.class.path").split(":"))
                .filter(jar -> JARS.stream().anyMatch(jar::contains))
                .collect(Collectors.joining(":"));
        if (!Files.exists(classes.resolve("plaindjl/Compute.class"))) {
            compile(ROOT.resolve("examples/plain-djl/src/main/java/plaindjl/Compute.java"), classes, jars);
        }
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin/java")
                                        .toString(),
                                "-Dslf4j.internal.verbosity=ERROR",
                                "-cp",
                                classes + ":" + jars,
                                "plaindjl.Compute",
                                folder),
                        Arrays.stream(more))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(here.toFile());
        builder.environment().put("OMP_NUM_THREADS", "1");
        Path log = here.resolve("log");
        Process process = builder.redirectOutput(log.toFile())
                .redirectError(here.resolve("errors").toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(here.resolve("errors")))
                .isZero();
        return Files.readString(log).strip();
    }

    private static void compile(Path source, Path into, String jars) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-d", into.toString(), "-cp", jars);
            assertThat(compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                            .call())
                    .as(messages.toString())
                    .isTrue();
        }
    }

    @Test
    void plainDjlComputesTheBitsThatTheEngineComputedHere() throws Exception {
        Ran ran = export("mxnet", "gan", "--module", "ema/generator", "--out", "digits");
        assertThat(ran.err()).contains("reads    noise (batch,64)", "gives    generator#1/image (batch,1,8,8)");
        assertThat(plainDjl("digits", "digits/example.safetensors", "out.safetensors"))
                .isEqualTo("output.0 (4, 1, 8, 8) float32 equal to the bit");
        Tensor written = Safetensors.open(here.resolve("out.safetensors")).tensor("output.0");
        assertThat(written)
                .isEqualTo(Safetensors.open(here.resolve("digits/example.safetensors"))
                        .tensor("output.0"));

        export("mxnet", "gan", "--module", "discriminator", "--out", "judge");
        assertThat(plainDjl("judge")).isEqualTo("output.0 (4, 1) float32 equal to the bit");
        export("mxnet", "labels", "--module", "generator", "--out", "labelled");
        assertThat(plainDjl("labelled")).isEqualTo("output.0 (4, 1, 8, 8) float32 equal to the bit");
        export("mxnet", "ring", "--module", "draw", "--out", "points");
        assertThat(plainDjl("points")).isEqualTo("output.0 (4, 2) float32 equal to the bit");
    }

    @Test
    void plainDjlIsWithinAMillionthOfTheKernelsInJava() throws Exception {
        export("jvm", "ring", "--module", "generator", "--out", "java");
        String said = plainDjl("java");
        assertThat(said).startsWith("output.0 (4, 2) float32 ");
        if (!said.endsWith("equal to the bit")) {
            String distance = said.replaceFirst(".* within (\\S+) of the largest", "$1");
            assertThat(Double.parseDouble(distance)).isLessThan(1e-6);
        }
    }

    @Test
    void plainDjlComparesWhateverIsThere() throws Exception {
        export("jvm", "ring", "--module", "draw", "--out", "compared");
        Safetensors example = Safetensors.open(here.resolve("compared/example.safetensors"));
        TreeMap<String, Tensor> other = new TreeMap<>();
        for (String name : example.entries().keySet()) {
            other.put(name, example.tensor(name));
        }
        other.put("output.0", Tensor.of(Shape.of(4, 2), new float[8]));
        Safetensors.write(here.resolve("zeros.safetensors"), other, Map.of());
        assertThat(plainDjl("compared", "zeros.safetensors")).containsPattern(" within \\S+ of nothing but zeros$");
        other.put("output.0", Tensor.of(Shape.of(4, 2), new long[8]));
        Safetensors.write(here.resolve("whole.safetensors"), other, Map.of());
        assertThat(plainDjl("compared", "whole.safetensors")).endsWith(" should be (4, 2) int64");
    }

    @Test
    void scoresAreThoseOfTheCheckpointThatIsExportedOrNotThere() throws IOException {
        String saving = "on=[{every: {rounds: 2}, do: [save]}]";
        ran(0, and(RING, "run", "gaussian-ring", "--set", "rounds=4", "--set", saving, "--out", "older", "--quiet"));
        String[] export = {"export", "older", "--module", "generator", "--format", "safetensors", "--out", "end"};
        assertThat(ran(0, export).err()).doesNotContain("passed over");
        assertThat(Files.readString(here.resolve("end/README.md"))).doesNotContain("not known of this checkpoint");
        Path newest = here.resolve("older/checkpoints/00000008/state.json");
        Files.writeString(newest, "x");
        export[export.length - 1] = "before";
        assertThat(ran(0, export).err())
                .contains("hocket: passed over: " + newest, "hocket: the checkpoint of turn 4 is used");
        assertThat(Files.readString(here.resolve("before/README.md")))
                .contains("| turns | 4 |", "| scores | not known of this checkpoint |");
    }

    @Test
    void theCardSaysWhatItIsAndHowItIsLoaded() throws IOException {
        ran(0, "export", "gan", "--module", "generator", "--out", "card");
        assertThat(Files.readString(here.resolve("card/README.md")))
                .contains(
                        "# generator of digits-gan",
                        "| `noise` | (batch,64) | float32 | noise: independent standard normals |",
                        "| `generator/image` | (batch,1,8,8) | float32 |",
                        ".optModelName(\"generator\")",
                        "manager.randomNormal(new Shape(4, 64))",
                        "load_file(\"model.safetensors\")",
                        "| `generator/project/weight` | (32,64) | float32 |",
                        "CC BY 4.0",
                        "| plan | `train: sequence(d, g, ema)` |",
                        "| seed | 7 |",
                        "frechet_distance")
                .doesNotContain(here.toString());
        assertThat(Safetensors.open(here.resolve("card/model.safetensors"))
                        .entries()
                        .keySet())
                .allMatch(name -> name.startsWith("generator/"));
    }

    @Test
    void safetensorsAloneTakesTheParametersAlong() throws IOException {
        ran(0, "export", "gan", "--module", "generator", "--out", "alone", "--format", "safetensors");
        try (Stream<Path> files = Files.list(here.resolve("alone"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("README.md", "model.safetensors", "example.safetensors", "program.json");
        }
        assertThat(Files.readString(here.resolve("alone/README.md"))).doesNotContain("Criteria");
    }

    @Test
    void onnxRuntimeComputesTheExample() throws Exception {
        String[] brief = {"--set", "total_steps=512", "--set", "algorithm.epochs=2", "--quiet"};
        ran(0, and(brief, "run", "cartpole-ppo", "--out", "agent"));
        String[][] networks = {
            {"gan", "ema/generator"},
            {"gan", "discriminator"},
            {"labels", "generator"},
            {"ring", "draw"},
            {"agent", "actor"}
        };
        for (String[] network : networks) {
            String folder = "onnx-" + network[0] + "-" + network[1].replace('/', '-');
            ran(0, "export", network[0], "--module", network[1], "--out", folder, "--format", "onnx");
            String name = network[1].replaceFirst(".*/", "");
            Safetensors example = Safetensors.open(here.resolve(folder).resolve("example.safetensors"));
            assertOutputs(here.resolve(folder).resolve(name + ".onnx"), example);
            assertThat(Files.readString(here.resolve(folder).resolve("README.md")))
                    .contains("onnxruntime.InferenceSession(\"" + name + ".onnx\")")
                    .doesNotContain("Criteria");
        }
    }

    private static void assertOutputs(Path model, Safetensors example) throws Exception {
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (OrtSession session = environment.createSession(model.toString())) {
            Map<String, OnnxTensor> inputs = new TreeMap<>();
            for (String name : session.getInputNames()) {
                Tensor rows = example.tensor("input." + name);
                long[] extents =
                        Arrays.stream(rows.shape().extents()).asLongStream().toArray();
                inputs.put(
                        name,
                        rows.type() == ElementType.INT64
                                ? OnnxTensor.createTensor(environment, LongBuffer.wrap(rows.longs()), extents)
                                : OnnxTensor.createTensor(environment, FloatBuffer.wrap(rows.floats()), extents));
            }
            try (OrtSession.Result result = session.run(inputs)) {
                for (int i = 0; i < result.size(); i++) {
                    float[] expected = example.tensor("output." + i).floats();
                    float[] outputs = new float[expected.length];
                    ((OnnxTensor) result.get(i)).getFloatBuffer().get(outputs);
                    double largest = 0;
                    double difference = 0;
                    for (int k = 0; k < outputs.length; k++) {
                        largest = Math.max(largest, Math.abs(expected[k]));
                        difference = Math.max(difference, Math.abs(outputs[k] - expected[k]));
                    }
                    assertThat(difference / largest)
                            .as("output %s of %s", i, model)
                            .isLessThan(1e-5);
                }
            }
            inputs.values().forEach(OnnxTensor::close);
        }
    }

    @Test
    void whatIsWrongIsSaidAndLeavesNothing() throws IOException {
        Files.createDirectories(here.resolve("taken"));
        Files.writeString(here.resolve("taken/mine.txt"), "mine");
        String[][] wrong = {
            {"there are modules discriminator, ema/generator, generator; programs draw"},
            {
                "there is no module genrator; did you mean generator? There are modules discriminator",
                "--module",
                "genrator",
                "--out",
                "none"
            },
            {"--out: must name a folder that does not exist yet, such as models/generator", "--module", "generator"},
            {"taken: exists and is not an empty folder", "--module", "generator", "--out", "taken"},
            {
                "--format: must be one of djl, onnx, safetensors, was onxn; did you mean onnx?",
                "--module",
                "generator",
                "--out",
                "none",
                "--format",
                "onxn"
            },
            {"99999", "--module", "generator", "--out", "none", "--checkpoint", "99999"},
            {"--checkpoint and --best: give only one of them", "--checkpoint", "1", "--best"},
            {"keeps no best one", "--module", "generator", "--out", "none", "--best"},
        };
        for (String[] args : wrong) {
            String[] all = Stream.concat(
                            Stream.of("export", "gan"), Arrays.stream(args).skip(1))
                    .toArray(String[]::new);
            Ran ran = ran(2, all);
            assertThat(ran.err()).contains(args[0]).startsWith("hocket: ").doesNotContain("\tat ");
        }
        assertThat(ran(2, "export", "nowhere", "--module", "generator", "--out", "none")
                        .err())
                .contains("nowhere is not a run folder");
        assertThat(here.resolve("none")).doesNotExist();
        assertThat(here.resolve("taken")).isDirectoryContaining("glob:**/mine.txt");
    }

    @Test
    void aRunStartsFromAnExportedNetwork() throws IOException {
        ran(0, "export", "gan", "--module", "generator", "--out", "start");
        String file = "startup.from=start/model.safetensors";
        Ran plan = ran(0, "plan", "digits-gan", "--set", "width=4", "--set", file);
        assertThat(plan.out()).contains("starts from 12 arrays of ", "model.safetensors: generator (12)");
        Ran run = ran(
                0,
                "run",
                "digits-gan",
                "--set",
                "width=4",
                "--set",
                "epochs=0",
                "--set",
                "evaluation=",
                "--set",
                file,
                "--out",
                "begun");
        assertThat(run.err()).contains("starts from 12 arrays of ", "generator (12)");
        assertThat(parameters("begun")).isEqualTo(parameters("gan"));
    }

    private static List<String> parameters(String run) {
        return ran(0, "digest", run, "--all")
                .out()
                .lines()
                .filter(line -> line.split(" +").length == 2 && line.contains("  generator/"))
                .toList();
    }

    @Test
    void whatAFileHasAndTheExperimentNeedsIsListedWhereTheyDiffer() throws IOException {
        ran(0, "export", "gan", "--module", "generator", "--out", "other", "--format", "safetensors");
        String file = "startup.from=other/model.safetensors";
        Ran shapes = ran(2, "plan", "digits-gan", "--set", "width=8", "--set", file);
        assertThat(shapes.err())
                .contains(
                        "that file has generator/project/weight (32,64) FLOAT32, this one needs"
                                + " generator/project/weight (64,64) FLOAT32",
                        "that file has generator/bn0/scale (8) FLOAT32, this one needs generator/bn0/scale (16)",
                        "strict: false takes what fits");
        Ran fits = ran(0, "plan", "digits-gan", "--set", "width=8", "--set", file, "--set", "startup.strict=false");
        assertThat(fits.out()).contains("starts from 1 arrays of ", "left     that file has generator/project/weight");
    }

    @Test
    void aFileOfNamesSaysWhichBecomesWhich() throws IOException {
        ran(0, "export", "gan", "--module", "discriminator", "--out", "torch", "--format", "safetensors");
        Path model = here.resolve("torch/model.safetensors");
        Safetensors ours = Safetensors.open(model);
        TreeMap<String, Tensor> theirs = new TreeMap<>();
        for (String name : ours.entries().keySet()) {
            theirs.put(name.replace("discriminator/", "net.").replace('/', '.'), ours.tensor(name));
        }
        theirs.put("net.bn2.num_batches_tracked", Tensor.of(Shape.of(1), 7L));
        Safetensors.write(here.resolve("net.safetensors"), theirs, Map.of());
        Files.writeString(
                here.resolve("names.yaml"),
                "# PyTorch's names\n\"net.*.num_batches_tracked\": \"\"\n\"net.*.*\": \"discriminator/*/*\"\n");
        String[] plan = {
            "plan", "digits-gan", "--set", "width=4", "--set", "startup={from: net.safetensors, map: names.yaml}"
        };
        assertThat(ran(0, plan).out()).contains("net.safetensors: discriminator (");

        Files.writeString(here.resolve("names.yaml"), "\"net.*.*\": \"discriminator/*/*\"\n");
        assertThat(ran(2, plan).err())
                .contains("net.bn2.num_batches_tracked would become discriminator/bn2/num_batches_tracked: this"
                        + " experiment has no such parameter");
        Files.writeString(here.resolve("names.yaml"), "\"net.*.*\": \"discriminator/*\"\n");
        assertThat(ran(2, plan).err()).contains("both must have the same number of stars");
        Files.writeString(here.resolve("names.yaml"), "[1, 2\n");
        assertThat(ran(2, plan).err()).contains("names.yaml:");
        Files.writeString(here.resolve("names.yaml"), "- a\n");
        assertThat(ran(2, plan).err()).contains("names.yaml must hold a name and a path a line");
        Files.delete(here.resolve("names.yaml"));
        assertThat(ran(2, plan).err()).contains("names.yaml could not be read");
        Files.writeString(here.resolve("net.safetensors"), "garbage");
        assertThat(ran(2, "plan", "digits-gan", "--set", "startup.from=net.safetensors")
                        .err())
                .contains("net.safetensors")
                .doesNotContain("\tat ");
    }
}
