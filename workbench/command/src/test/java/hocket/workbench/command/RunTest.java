package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.schedulers.Ring;
import hocket.schedulers.Trigger;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.formats.Npy;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.testing.json.Parsed;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.Training;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("engine")
class RunTest {
    @TempDir
    static Path here = Path.of("");

    private static int runs;

    private static @Nullable RunFolder ofOne;
    private static @Nullable RunFolder ofTwo;

    @Test
    void aRunLeavesWhatWasPromised() throws IOException {
        RunFolder folder = trained("seed=3", "epochs=2");
        assertThat(Files.readString(folder.experiment()))
                .contains("name: tiny-gan", "seed: 3", "epochs: {digits: 2}", "width: 4", "threads: ", "recorded: ");
        assertThat(ImageIO.read(folder.samples().resolve("epoch-0001.png").toFile())
                        .getWidth())
                .isEqualTo(8 * (7 * 8 + 3) + 3);
        assertThat(folder.samples().resolve("latest.png"))
                .hasSameBinaryContentAs(folder.samples().resolve("epoch-0002.png"));
        assertThat(Checkpoints.latest(folder.checkpoints())).hasValue(168);
        assertThat(Files.readString(folder.log())).contains("  start  ", "  saved  ", "  done  ");
    }

    @Test
    void aRunThatStopsEarlyIsSavedWhereItStopsAndGoesOnFromThere() throws IOException {
        RunFolder folder =
                trained("epochs=2", "on=[{every: {at: [20]}, do: [stop]}, {every: {rounds: 8}, do: [save]}]");
        assertThat(Checkpoints.latest(folder.checkpoints())).hasValue(60);
        assertThat(folder.samples().resolve("latest.png")).exists();
        Ran on = hocket("run", folder.toString(), "--resume");
        assertThat(on.status()).as(on.err()).isZero();
        assertThat(Checkpoints.latest(folder.checkpoints())).hasValue(168);
        RunFolder whole = ofTwoEpochs();
        assertThat(hocket("digest", folder.toString()).out())
                .isEqualTo(hocket("digest", whole.toString()).out());
    }

    @Test
    void aLineOfMetricsThatWasTornInTheMiddleOfALetterIsDropped() throws IOException {
        RunFolder folder = trained("epochs=1");
        String before = Files.readString(folder.metrics());
        Files.write(
                folder.metrics(), new byte[] {'{', '"', 't', '"', ':', '"', (byte) 0xc3}, StandardOpenOption.APPEND);
        Ran on = hocket("run", folder.toString(), "--resume", "--set", "epochs=2");
        assertThat(on.status()).as(on.err()).isZero();
        assertThat(Files.readString(folder.metrics())).startsWith(before).doesNotContain("{\"t\"");
    }

    @Test
    void whatIsToBeDoneNextCanBePasted() throws IOException {
        Ran ran = hocket("run", "tiny-gan", "--out", "a run's");
        assertThat(ran.err())
                .contains("plot '" + here + "/a run'\\''s'\n", "sample '" + here + "/a run'\\''s' --count");
        assertThat(ran.status()).isZero();
    }

    @Test
    void whatThePlanWarnsOfIsSaidWhereARunBeginsAndNotWhereItGoesOn() throws IOException {
        Files.writeString(here.resolve("idle.yaml"), """
                include: gaussian-ring
                network: {width: 4}
                turns: {idle: {program: generator, updates: {"generator/**": {adam: {rate: 1e-3}}}}}
                budget: {rounds: 2}
                evaluation:
                on: []
                """);
        String warning = "never taken: turn idle; no phase has it in its plan";
        Ran plan = Ran.hocket(here, "plan", "idle.yaml");
        assertThat(plan.out()).contains("  - " + warning);
        Ran begun = Ran.hocket(here, "run", "idle.yaml", "--out", "idle");
        assertThat(begun.err()).contains("\nwarning  " + warning);
        Ran on = Ran.hocket(here, "run", "idle", "--resume", "--set", "rounds=3");
        assertThat(on.status()).as(on.err()).isZero();
        assertThat(on.err()).doesNotContain("warning");
    }

    @Test
    void whatLeftNoFolderCannotGoOn() throws IOException {
        Ran ran = hocket("run", "killed-early", "--resume");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).startsWith("hocket: there is no run folder killed-early to resume");
    }

    @Test
    void samplesDrawnTwiceInAnEpochAreTwoPictures() throws IOException {
        RunFolder folder = trained("epochs=1", "on=[{every: {rounds: 10}, do: [samples]}]");
        assertThat(samples(folder))
                .containsExactly("epoch-0000-round-000020.png", "epoch-0000.png", "epoch-0001.png", "latest.png");
        Ran more = hocket("run", "tiny-gan", "--resume", "--out", folder.toString(), "--set", "epochs=2");
        assertThat(more.status()).as(more.err()).isZero();
        assertThat(samples(folder))
                .containsExactly(
                        "epoch-0000-round-000020.png",
                        "epoch-0000.png",
                        "epoch-0001-round-000030.png",
                        "epoch-0001-round-000040.png",
                        "epoch-0001-round-000050.png",
                        "epoch-0001.png",
                        "epoch-0002.png",
                        "latest.png");
    }

    private static List<String> samples(RunFolder folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder.samples())) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void metricsAreObjectsOfSevenFieldsInTheOrderOfStepsAndSettingsAreMarked() throws IOException {
        RunFolder folder = ofOneEpoch();
        List<JsonNode> metrics = Parsed.objects(folder.metrics());
        assertThat(metrics).allSatisfy(line -> {
            List<String> fields = new ArrayList<>();
            line.fieldNames().forEachRemaining(fields::add);
            assertThat(fields.remove("setting"))
                    .isEqualTo(line.get("name").asText().equals("rate"));
            fields.remove("interim"); // on a machine that is very slow
            assertThat(fields).containsExactly("step", "round", "epoch", "turn", "name", "value", "time");
            assertThat(line.get("value").isNumber()).isTrue();
        });
        assertThat(metrics).extracting(line -> line.get("step").asLong()).isSorted();
        assertThat(names(metrics)).contains("d loss", "d gradient_norm", "d error_rate", "g loss", "g gradient_norm");
        assertThat(metrics.stream()
                        .filter(line -> line.get("round").asLong() == 28
                                && line.get("turn").asText().equals("g")))
                .hasSize(2);
    }

    @Test
    void aStoppedAndResumedRunIsTheUninterruptedOneToTheBit() throws IOException {
        RunFolder whole = trained("epochs=3");
        RunFolder stopped = free();
        StringWriter err = new StringWriter();
        CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), here);
        List<String> changes = List.of("epochs=3");
        ExperimentFile file = ExperimentFile.read("tiny-gan", changes, commandContext.surroundings(List.of()));
        try (StopRequest stopRequest = new StopRequest()) {
            Training run = new Training(
                    new RunRequest(
                            commandContext,
                            file,
                            ExperimentFile.TRAIN,
                            stopped,
                            changes,
                            RunRequest.Flags.NONE,
                            RunRequest.Beginning.FIRST),
                    stopRequest);
            run.ring(Ring.on(Trigger.everyRounds(41), now -> stopRequest.request(2)));
            assertThat(run.run()).isEqualTo(130);
        }
        assertThat(err.toString()).contains("stopped in epoch 1.5").contains("run " + stopped + " --resume");
        assertThat(Checkpoints.latest(stopped.checkpoints())).hasValue(123);
        Files.writeString(
                stopped.metrics(),
                Files.readString(stopped.metrics()) + "{\"step\":150,\"lost\":1}\n{\"step\":1",
                StandardCharsets.UTF_8);

        Ran resumed = hocket("run", "tiny-gan", "--resume", "--out", stopped.toString());
        assertThat(resumed.status()).as(resumed.err()).isZero();
        assertThat(resumed.err()).contains("on from turn 123");
        assertThat(digest(stopped)).isEqualTo(digest(whole));
        assertThat(hocket("digest", stopped.toString(), "--checkpoint", "168").out())
                .isEqualTo(hocket("digest", whole.toString(), "--checkpoint", "168")
                        .out());

        List<JsonNode> metrics = Parsed.objects(stopped.metrics());
        assertThat(metrics).noneMatch(line -> line.has("lost"));
        assertThat(metrics.stream()
                        .map(line -> line.get("step") + names(List.of(line)).get(0)))
                .doesNotHaveDuplicates();
        assertThat(figures(stopped)).isEqualTo(figures(whole));
    }

    /** What was recorded, but for when. */
    private static List<String> figures(RunFolder folder) throws IOException {
        return Parsed.objects(folder.metrics()).stream()
                .filter(line -> !line.has("interim"))
                .map(line -> line.get("step") + " " + line.get("epoch") + " " + names(List.of(line)) + " "
                        + line.get("value"))
                .toList();
    }

    @Test
    void aRunFolderThatCannotBeMadeIsRefused() throws IOException {
        Path file = Files.createTempFile("not-a-folder", null);
        Ran refused = hocket("run", "tiny-gan", "--out", file.resolve("run").toString());
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("run folder", "could not be made");
    }

    @Test
    void onlyEpochsChangeWhenARunGoesOn() throws IOException {
        RunFolder whole = ofTwoEpochs();
        RunFolder longer = trained("epochs=1");
        Ran refused = hocket("run", "tiny-gan", "--resume", "--out", longer.toString(), "--set", "width=16");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("only its budget can be changed, not network/width");
        Ran other = hocket("run", "digits-gan-plain", "--resume", "--out", longer.toString());
        assertThat(other.status()).isEqualTo(2);
        assertThat(other.err()).contains("is a run of tiny-gan, not of digits-gan-plain");

        Ran done = hocket("run", "tiny-gan", "--resume", "--out", longer.toString());
        assertThat(done.status()).isZero();
        assertThat(done.err()).contains("the budget is used up");

        Ran more = hocket("run", "tiny-gan", "--resume", "--out", longer.toString(), "--set", "epochs=2");
        assertThat(more.status()).as(more.err()).isZero();
        assertThat(digest(longer)).isEqualTo(digest(whole));
        assertThat(Files.readString(longer.experiment())).contains("epochs: {digits: 2}");
    }

    @Test
    void aRunThatExplodesIsSavedBeforeItDoesAndSaysWhereItBegan() throws IOException {
        Files.writeString(here.resolve("exploding.yaml"), """
                name: exploding
                summary: a rate that explodes after 45 updates
                include: gaussian-ring
                network: {width: 8}
                budget: {rounds: 60}
                on: [{every: {rounds: 20}, do: [save]}]
                evaluation:
                turns:
                  d:
                    updates:
                      "discriminator/**": {sgd: {rate: {linear: {from: 1e-3, to: 1e6, begin: 45, length: 1}}}}
                """);
        RunFolder folder = free();
        Ran plain = hocket("run", "exploding.yaml", "--out", folder.toString());
        assertThat(plain.status()).as(plain.err()).isEqualTo(1);
        assertThat(plain.err())
                .containsPattern(
                        "hocket: turn [dg] in round [45]\\d \\(after \\d+ turns\\): the (loss|gradient's norm) is ")
                .contains("--detect-anomaly, with --resume or from the start, finds its origin")
                .doesNotContain("the first that is not finite")
                .containsPattern("\\Rsaved    everything up to turn (8|9|10)\\d\\R")
                .endsWith("trace    " + folder.log() + "\n");
        assertThat(Checkpoints.latest(folder.checkpoints()).orElseThrow()).isGreaterThan(80);
        String kept = digest(folder);

        Ran found = hocket("run", "exploding.yaml", "--resume", "--detect-anomaly", "--out", folder.toString());
        assertThat(found.status()).isEqualTo(1);
        assertThat(found.err())
                .containsPattern("hocket: turn [dg] in round [45]\\d")
                .containsPattern(
                        "\\Rthe first that is not finite is \\S+, made by \\S+.*\\R  \\S+ \\(256,.*\\Rfrom\\R  \\S+ \\(");
        assertThat(digest(folder)).isEqualTo(kept);
        assertThat(Files.readString(folder.log())).contains("the first that is not finite is ");
    }

    @Test
    void anotherSeedIsAnotherRun() {
        String seven = digest(ofOneEpoch());
        assertThat(digest(trained("epochs=1"))).isEqualTo(seven);
        assertThat(digest(trained("epochs=1", "seed=8"))).isNotEqualTo(seven);
    }

    @Test
    void aDigestHasALineForEveryArrayAndChangesWithTraining() throws IOException {
        RunFolder folder = ofTwoEpochs();
        List<String> lines = hocket("digest", folder.toString(), "--all").outLines();
        assertThat(lines).allMatch(line -> line.matches("[0-9a-f]{64}  \\S+( [a-z]+/[a-z]+)?"));
        List<String> paths = lines.stream().map(line -> line.substring(66)).toList();
        assertThat(paths)
                .isSorted()
                .contains(
                        "discriminator/bn2/mean",
                        "discriminator/conv1/weight",
                        "discriminator/conv1/weight d/m",
                        "ema/generator/bn0/variance",
                        "generator/conv1/weight g/v");
        assertThat(hocket("digest", folder.toString(), "--checkpoint", "84").out())
                .isNotEqualTo(digest(folder));
        assertThat(hocket("digest", folder.toString(), "--checkpoint", "168").out())
                .isEqualTo(digest(folder));
        assertThat(hocket("digest", folder.toString(), "--checkpoint", "85").err())
                .contains("there is no checkpoint 85");
    }

    @Test
    void aCheckpointIsSampledAndEvaluatedByItsNumber() {
        String run = ofTwoEpochs().toString();
        Tensor early = sampled(ofTwoEpochs(), "early.npy", "4", "--checkpoint", "84");
        Tensor late = sampled(ofTwoEpochs(), "late.npy", "4", "--checkpoint", "168");
        assertThat(late).isEqualTo(sampled(ofTwoEpochs(), "newest.npy", "4")).isNotEqualTo(early);
        Ran ran = hocket("eval", run, "--checkpoint", "84", "--best");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("--checkpoint and --best: give only one of them");
    }

    @Test
    void samplesAreFloatsOfTheImagesShapeAndFollowFromCountAndSeed() {
        RunFolder folder = ofOneEpoch();
        Tensor samples = sampled(folder, "a.npy", "1100");
        assertThat(samples.shape()).isEqualTo(Shape.of(1100, 1, 8, 8));
        assertThat(samples.floats()).usingComparatorWithPrecision(0f).hasSize(1100 * 64);
        float least = Float.POSITIVE_INFINITY;
        float most = Float.NEGATIVE_INFINITY;
        for (float value : samples.floats()) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        assertThat(least).isBetween(-1f, 0f);
        assertThat(most).isBetween(-1f, 1f).isGreaterThan(least);
        assertThat(sampled(folder, "b.npy", "1100").floats()).isEqualTo(samples.floats());
        assertThat(sampled(folder, "c.npy", "1100", "--seed", "5").floats()).isNotEqualTo(samples.floats());
    }

    @Test
    void moreSamplesThanFitAreRefusedBeforeTheyAreDrawn() {
        RunFolder folder = ofOneEpoch();
        Ran picture = hocket("sample", folder.toString(), "--count", "10000000", "--out", "big.png");
        assertThat(picture.status()).as(picture.err()).isEqualTo(2);
        assertThat(picture.err())
                .isEqualTo("hocket: a grid may have at most 67108864 pixels, 10000000 images would make"
                        + " 28459 x 28468 (height x width)\n");
    }

    @Test
    void moreSamplesThanTheDiskHoldsAreRefusedBeforeTheyAreDrawn() throws IOException {
        assumeTrue(Files.getFileStore(here).getUsableSpace() < 500_000_000_000L, "this disk would hold them");
        RunFolder folder = ofOneEpoch();
        Ran array = hocket("sample", folder.toString(), "--count", "2147483647", "--out", "big.npy");
        assertThat(array.status()).as(array.err()).isEqualTo(2);
        assertThat(array.err())
                .startsWith("hocket: --count 2147483647: that many samples of (1,8,8) need 550 GB, and the disk of ");
        assertThat(here.resolve("big.npy")).doesNotExist();
    }

    @Test
    void samplesBecomeAPicture() throws IOException {
        RunFolder folder = ofOneEpoch();
        Ran ran = hocket("sample", folder.toString(), "--count", "10", "--out", "ten.png");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ImageIO.read(here.resolve("ten.png").toFile()).getWidth()).isEqualTo(4 * (7 * 8 + 3) + 3);
    }

    @Test
    void aRunIsJudgedAtItsEndAndAgainWheneverAsked() throws IOException {
        RunFolder folder = free();
        Ran ran = hocket(
                "run",
                "digits-gan",
                "--set",
                "part=test",
                "--set",
                "width=4",
                "--set",
                "epochs=1",
                "--out",
                folder.toString());
        assertThat(ran.err()).contains("scoring, which takes a few seconds", "scores   classifier_confidence ");
        JsonNode scores = Parsed.objects(folder.scores()).get(0);
        assertThat(scores.get("frechet_distance").asDouble()).isPositive();
        assertThat(names(Parsed.objects(folder.metrics())))
                .contains(
                        "evaluation frechet_distance", "evaluation classifier_confidence", "evaluation smallest_class");
        assertThat(Files.readString(folder.log())).contains("  scores  ");

        Ran again = hocket("eval", folder.toString(), "--json");
        assertThat(again.status()).as(again.err()).isZero();
        String newest = Parsed.document(again.out()).path("step").asText();
        assertThat(hocket("eval", folder.toString(), "--checkpoint", newest, "--json")
                        .out())
                .isEqualTo(again.out());
        Path printed = here.resolve("eval.json");
        Files.writeString(printed, again.out());
        scores.properties()
                .forEach(
                        score -> assertThat(parsed(printed).get(score.getKey())).isEqualTo(score.getValue()));
    }

    @Test
    void inAPipeThereAreLinesOnly() {
        Ran ran = hocket("run", "tiny-gan", "--set", "epochs=1", "--out", free().toString());
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err().chars().filter(c -> c < ' ' && c != '\n')).isEmpty();
        assertThat(ran.errLines()).allSatisfy(line -> {
            if (!line.contains(here.toString())) {
                assertThat(line.length()).isLessThanOrEqualTo(80);
            }
        });
        assertThat(ran.err()).startsWith("tiny-gan: ").contains("image (1,8,8), 64 rows a turn", "runs on  jvm");
    }

    @Test
    void aQuietRunSaysNothing() {
        Ran ran = hocket("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", free().toString());
        assertThat(ran.err()).isEmpty();
        assertThat(ran.status()).isZero();
    }

    @Test
    void aRunThatDivergesFailsAndSaysWhere() throws IOException {
        String toys = "hocket.workbench.testing.Toys.";
        Files.writeString(here.resolve("exploding.yaml"), """
                network: TOYS.Exploding
                feeds: {points: {class: TOYS.Points}}
                turns: {fit: {program: fit, updates: {"line/**": {sgd: {rate: 1}}}}}
                plan: fit
                budget: {rounds: 10}
                """.replace("TOYS.", toys));
        Ran ran = hocket("run", "exploding.yaml", "--quiet", "--out", free().toString());
        assertThat(ran.status()).as(ran.err()).isEqualTo(1);
        assertThat(ran.errLines().get(0))
                .matches("hocket: turn fit in round \\d+ .* the parameters are as before this turn");
        assertThat(ran.errLines()).noneMatch(line -> line.contains("Ctrl-C"));
    }

    @Test
    void withoutAPlaceEachRunTakesTheNextFreeOne(@TempDir Path other) throws IOException {
        for (int i = 0; i < 2; i++) {
            Ran ran = Ran.hocket(other, "run", "tiny-gan", "--quiet", "--set", "epochs=1");
            assertThat(ran.status()).as(ran.err()).isZero();
        }
        try (Stream<Path> made = Files.list(other.resolve("runs"))) {
            assertThat(made.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("tiny-gan", "tiny-gan-2");
        }
        Ran resumed = Ran.hocket(other, "run", "tiny-gan", "--resume");
        assertThat(resumed.err()).contains("tiny-gan-2");
    }

    @Test
    void theDoctorNamesEngineAndKernels() {
        Ran ran = hocket("doctor");
        assertThat(ran.status()).isZero();
        assertThat(ran.out()).contains("engine   mxnet 1.9.", "kernels  ", "cores    ");
    }

    private static Ran hocket(String... args) {
        return Ran.hocket(here, args);
    }

    private static RunFolder free() {
        runs++;
        return new RunFolder(here.resolve("run-" + runs));
    }

    /** A small run of one epoch, which no test changes. */
    private static RunFolder ofOneEpoch() {
        if (ofOne == null) {
            ofOne = trained("epochs=1");
        }
        return ofOne;
    }

    /** A small run of two epochs, which no test changes. */
    private static RunFolder ofTwoEpochs() {
        if (ofTwo == null) {
            ofTwo = trained("epochs=2");
        }
        return ofTwo;
    }

    /** A small run that went well. */
    private static RunFolder trained(String... settings) {
        RunFolder folder = free();
        List<String> args = new ArrayList<>(List.of("run", "tiny-gan", "--quiet", "--out", folder.toString()));
        for (String setting : settings) {
            args.addAll(List.of("--set", setting));
        }
        Ran ran = hocket(args.toArray(String[]::new));
        assertThat(ran.status()).as(ran.err()).isZero();
        return folder;
    }

    private static String digest(RunFolder folder) {
        Ran ran = hocket("digest", folder.toString());
        assertThat(ran.out()).matches("[0-9a-f]{64}\\R");
        return ran.out();
    }

    private static Tensor sampled(RunFolder folder, String file, String count, String... more) {
        List<String> args = new ArrayList<>(List.of("sample", folder.toString(), "--count", count, "--out", file));
        args.addAll(List.of(more));
        Ran ran = hocket(args.toArray(String[]::new));
        assertThat(ran.status()).as(ran.err()).isZero();
        try {
            return Npy.open(here.resolve(file)).tensor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode parsed(Path file) {
        try {
            return Parsed.objects(file).get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> names(List<JsonNode> metrics) {
        return metrics.stream()
                .map(line -> line.get("turn").asText() + " " + line.get("name").asText())
                .toList();
    }
}
