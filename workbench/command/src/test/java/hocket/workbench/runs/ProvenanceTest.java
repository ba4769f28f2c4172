package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.data.Digits;
import hocket.gan.data.ImageGrid;
import hocket.gan.data.Images;
import hocket.workbench.command.Ran;
import hocket.workbench.runs.Provenance.Left;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("engine")
class ProvenanceTest {
    @TempDir
    Path here;

    @Test
    void aRunSaysFromWhatItCame() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", "run");
        assertThat(sittings()).hasSize(1);
        JsonNode sitting = sittings().get(0);
        assertThat(sitting.path("turn").longValue()).isZero();
        assertThat(sitting.path("seed").longValue()).isEqualTo(7);
        assertThat(sitting.path("set").get(0).textValue()).isEqualTo("epochs=1");
        assertThat(sitting.path("experiment").textValue())
                .isEqualTo(hocket.schedulers.feeds.DataFingerprint.of(here.resolve("run/experiment.yaml"))
                        .sha256());
        assertThat(sitting.path("software")
                        .path("programs")
                        .path("discriminator")
                        .textValue())
                .matches("jvm (plain|vector)");
        assertThat(sitting.path("machine").path("threads").intValue()).isPositive();
        assertThat(sitting.path("machine").path("processor").textValue()).isNotBlank();
        JsonNode feed = sitting.path("feeds").get(0);
        assertThat(feed.path("name").textValue()).isEqualTo("digits");
        assertThat(feed.path("origins").findValuesAsText("name"))
                .containsExactly("optdigits-images-idx3-ubyte.gz", "optdigits-labels-idx1-ubyte.gz");
        assertThat(feed.path("origins").findValuesAsText("sha256")).allMatch(sum -> sum.matches("[0-9a-f]{64}"));
        assertThat(sitting.path("left").path("turn").longValue()).isEqualTo(84);
    }

    @Test
    void itNamesNoHostNoUserAndNoHome() throws IOException {
        String home = System.getProperty("user.home");
        System.setProperty("user.home", here.toString());
        try {
            pictures("images", 24, 0);
            fine(fashion(here.resolve("images").toString(), "run"));
        } finally {
            System.setProperty("user.home", home);
        }
        assertThat(Files.readString(here.resolve("run/provenance.json")))
                .contains("~/images")
                .doesNotContain(here.toString());
    }

    @Test
    void aRunThatGoesOnAddsASittingWithWhatWasSet() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", "run");
        fine("run", "run", "--resume", "--quiet", "--set", "epochs=2");
        assertThat(sittings()).hasSize(2);
        JsonNode second = sittings().get(1);
        assertThat(second.path("turn").longValue()).isEqualTo(84);
        assertThat(second.path("set").get(0).textValue()).isEqualTo("epochs=2");
        assertThat(second.path("changed").get(0).path("path").textValue()).isEqualTo("budget/epochs/digits");
        assertThat(second.path("changed").get(0).path("before").textValue()).isEqualTo("1");
        assertThat(second.path("changed").get(0).path("after").textValue()).isEqualTo("2");
    }

    @Test
    void aFileThatWasEditedIsNoticedSaidAndWrittenDown() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", "run");
        Path file = here.resolve("run/experiment.yaml");
        Files.writeString(file, Files.readString(file).replace("epochs: {digits: 1}", "epochs: {digits: 2}"));
        Ran ran = fine("run", "run", "--resume");
        assertThat(ran.err()).contains("edited   budget/epochs/digits: 1 -> 2");
        JsonNode second = sittings().get(1);
        assertThat(second.path("changed").get(0).path("after").textValue()).isEqualTo("2");
        assertThat(second.path("set")).isEmpty();
        assertThat(fine("run", "run", "--resume").err()).doesNotContain("edited");
        Files.writeString(file, Files.readString(file).replace("seed: 7", "seed: 8"));
        assertThat(refused("run", "run", "--resume", "--set", "epochs=3"))
                .contains("the checkpoint in ", " does not fit: ", "; experiment.yaml was edited since: seed: 7 -> 8");
    }

    @Test
    void otherThreadsAreRefusedUnlessForcedAndThenWrittenDown() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--threads", "1", "--set", "epochs=1", "--out", "run");
        String refused = refused("run", "run", "--resume", "--threads", "2", "--set", "epochs=2");
        assertThat(refused).contains("threads: a resumed run keeps 1, was 2; --force allows it");
        fine("run", "run", "--resume", "--threads", "1");
        Path file = here.resolve("run/experiment.yaml");
        String before = Files.readString(file);
        Files.writeString(file, before.replace("threads: 1", "threads: 2"));
        assertThat(refused("run", "run", "--resume", "--set", "epochs=2"))
                .contains("threads was 1, is 2; --force resumes with results");
        Files.writeString(file, before);
        Ran forced = fine("run", "run", "--resume", "--force", "--threads", "2", "--set", "epochs=2");
        assertThat(forced.err()).contains("forced   threads was 1, is 2: results differ from here on");
        assertThat(sittings().get(2).path("forced").get(0).textValue()).isEqualTo("threads was 1, is 2");
        assertThat(refused("run", "tiny-gan", "--force")).contains("--force: applies to resumed runs only");
        assertThat(refused("run", "tiny-gan", "--resume", "--force", "--seeds", "2"))
                .contains("--force: is for one run, --seeds is for several");
    }

    @Test
    void figuresThatWereChangedAreSaidAndAreNotTakenForThoseOfTheRunAfterIt() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", "run");
        Path metrics = here.resolve("run/metrics.jsonl");
        Files.writeString(metrics, Files.readString(metrics).replaceFirst("\"value\":[-0-9.]+", "\"value\":99.0"));
        for (String epochs : List.of("1", "2", "3")) { // nothing is left to do, and then there is
            Ran ran = fine("run", "run", "--resume", "--set", "epochs=" + epochs);
            String said = "edited   metrics.jsonl is not as the run left it: hocket verify\n";
            assertThat(ran.err().contains(said)).as(ran.err()).isEqualTo(epochs.equals("1"));
            Ran verified = Ran.hocket(here, "verify", "run");
            assertThat(verified.status()).isEqualTo(1);
            assertThat(verified.out())
                    .contains("metrics.jsonl   DAMAGED: it was changed before the run resumed from turn 84");
        }
    }

    @Test
    void whatWasPassedOverStandsInTheLog() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", "run");
        fine("run", "run", "--resume", "--quiet", "--set", "epochs=2");
        Path damaged = here.resolve("run/checkpoints/00000168/tensors.safetensors");
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[bytes.length - 1] ^= 1;
        Files.write(damaged, bytes);
        fine("run", "run", "--resume", "--quiet", "--set", "epochs=3");
        assertThat(Files.readString(here.resolve("run/log.txt")))
                .contains("  start  passed over: " + damaged + " cannot be read: its SHA-256 is ")
                .contains("; the checkpoint of turn 84 is used; ");
    }

    @Test
    void aRunThatWasKilledBeforeItsFirstCheckpointBeginsAnew() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", "run");
        fine("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", "whole");
        asKilledBeforeItsFirstCheckpoint("run");
        Ran ran = fine("run", "run", "--resume");
        assertThat(ran.err()).contains("restart  stopped before its first checkpoint");
        assertThat(fine("digest", "run").out())
                .isEqualTo(fine("digest", "whole").out());
        assertThat(fine("diff", "run", "whole").out()).contains("metrics   equal, up to turn 84");
        delete(here.resolve("run/checkpoints/00000084"));
        assertThat(refused("run", "run", "--resume")).contains("LATEST names checkpoint 84, which is not there");
    }

    /** Leaves a folder as a run does that is killed before its first checkpoint. */
    private void asKilledBeforeItsFirstCheckpoint(String run) throws IOException {
        RunFolder folder = new RunFolder(here.resolve(run));
        delete(folder.checkpoints());
        Files.delete(folder.log());
        Provenance.of(folder).orElseThrow().ended(new Left(0, List.of())).write(folder);
    }

    @Test
    void aRunThatBeginsAnewSaysWhatWasEditedAndRefusesNothing() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--threads", "1", "--set", "epochs=1", "--out", "run");
        asKilledBeforeItsFirstCheckpoint("run");
        Path file = here.resolve("run/experiment.yaml");
        Files.writeString(
                file, Files.readString(file).replace("seed: 7", "seed: 8").replace("threads: 1", "threads: 2"));
        Ran ran = fine("run", "run", "--resume");
        assertThat(ran.err())
                .contains("restart  ", "edited   seed: 7 -> 8", "differs  threads was 1, is 2\n")
                .doesNotContain("forced");
        assertThat(sittings()).hasSize(2);
        JsonNode second = sittings().get(1);
        assertThat(second.path("turn").longValue()).isZero();
        assertThat(second.path("changed").findValuesAsText("path")).contains("seed", "threads");
        assertThat(second.path("forced")).isEmpty();
        assertThat(fine("run", "run", "--resume").err()).contains("the budget is used up");
    }

    @Test
    void aRunWhoseCheckpointsWereTakenAwayIsNotBegunAnew() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", "run");
        RunFolder folder = new RunFolder(here.resolve("run"));
        String figures = Files.readString(folder.metrics());
        delete(folder.checkpoints());
        assertThat(notAnew())
                .contains("although there was one: log.txt says that it was saved;"
                        + " by provenance.json it was saved before it ended; put the");
        Provenance.of(folder).orElseThrow().ended(new Left(84, List.of())).write(folder);
        assertThat(notAnew()).contains("although there was one: log.txt says that it was saved; put the");
        List<String> log = Files.readAllLines(folder.log());
        Files.write(
                folder.log(),
                log.stream().filter(line -> !line.contains("  saved  ")).toList());
        // now as one that was killed before its first checkpoint
        assertThat(Ran.hocket(here, "verify", "run").out()).contains("there is none yet; the run can restart");
        Files.writeString(folder.scores(), "{\"distance\":1}\n");
        assertThat(notAnew()).contains("although there was one: scores.json is of its end; put the checkpoints back");
        Files.move(folder.scores(), folder.bestScores());
        assertThat(Ran.hocket(here, "verify", "run").out()).contains("there is none yet; the run can restart");
        assertThat(Files.readString(folder.metrics())).isEqualTo(figures);
        assertThat(folder.bestScores()).exists();
    }

    /** What is said where going on is refused, which {@code verify} finds damaged. */
    private String notAnew() {
        String refused = refused("run", "run", "--resume");
        Ran verified = Ran.hocket(here, "verify", "run");
        assertThat(verified.status()).isEqualTo(1);
        assertThat(verified.out()).contains("checkpoints     DAMAGED: it is missing, although there was one: ");
        return refused;
    }

    @Test
    void aRunSaysWhatItStartedFrom() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "part=test", "--set", "epochs=1", "--out", "base");
        fine("run", "tiny-gan", "--quiet", "--set", "part=test", "--set", "epochs=1", "--from", "base", "--out", "run");
        Path checkpoint = here.resolve("base/checkpoints/00000012");
        String sum;
        try (var files = Files.list(checkpoint)) {
            sum = hocket.schedulers.feeds.DataFingerprint.of(checkpoint, files.toList())
                    .sha256();
        }
        assertThat(startedFrom(0)).isEqualTo("checkpoint 00000012 with " + sum);
        fine("run", "run", "--resume", "--quiet", "--set", "epochs=2");
        assertThat(startedFrom(1)).isEqualTo(startedFrom(0)); // it is not read again, and may be gone
        fine("sample", "run", "--count", "1", "--out", "one.npy");

        fine("run", "base", "--resume", "--quiet", "--set", "epochs=2");
        fine(
                "run",
                "tiny-gan",
                "--quiet",
                "--set",
                "part=test",
                "--set",
                "epochs=2",
                "--from",
                "base",
                "--out",
                "other");
        assertThat(Ran.hocket(here, "diff", "run", "other").out())
                .contains("startup/from/0: checkpoint 00000012")
                .contains("checkpoint 00000024");
        assertThat(anew("other").err()).doesNotContain("differs");
        fine("run", "base", "--resume", "--quiet", "--set", "epochs=3");
        assertThat(anew("other").err())
                .containsPattern("differs  data of startup/from was checkpoint 00000024 with SHA-256 [0-9a-f]{64}, is"
                        + " .*checkpoint 00000036 with SHA-256 [0-9a-f]{64}");
    }

    private Ran anew(String run) throws IOException {
        asKilledBeforeItsFirstCheckpoint(run);
        Ran ran = fine("run", run, "--resume");
        assertThat(ran.err()).contains("restart  ");
        return ran;
    }

    private String startedFrom(int sitting) throws IOException {
        for (JsonNode feed : sittings().get(sitting).path("feeds")) {
            if (feed.path("name").textValue().equals("startup/from")) {
                JsonNode origin = feed.path("origins").get(0);
                return origin.path("name").textValue() + " with "
                        + origin.path("sha256").textValue();
            }
        }
        return "the seed";
    }

    @Test
    void dataThatMovedIsKnownByItsContent() throws IOException {
        pictures("images", 24, 0);
        fine(fashion("images", "run"));
        Files.move(here.resolve("images"), here.resolve("elsewhere"));
        assertThat(refused("run", "run", "--resume", "--set", "epochs=2"))
                .contains("there is no such folder of images");
        Ran on = fine("run", "run", "--resume", "--set", "epochs=2", "--set", "data=elsewhere");
        assertThat(on.err()).contains("on from turn");
        assertThat(sittings().get(1).path("changed").findValuesAsText("path"))
                .containsExactlyInAnyOrder("feeds/images/data", "budget/epochs/images");

        pictures("others", 24, 1);
        String refused = refused("run", "run", "--resume", "--set", "epochs=3", "--set", "data=others");
        assertThat(refused)
                .containsPattern("data of images was 24 files with SHA-256 [0-9a-f]{64}, is \\S*others: 24 files with"
                        + " SHA-256 [0-9a-f]{64}; --force resumes with results");
        fine("run", "run", "--resume", "--force", "--set", "epochs=3", "--set", "data=others");
        assertThat(sittings().get(2).path("forced")).hasSize(1);
    }

    @Test
    void aRunWhoseDataIsGoneDrawsSamplesAndIsJudgedOnceItIsSaidWhereItLies() throws IOException {
        pictures("images", 24, 0);
        String[] judged = fashion("images", "run");
        judged[judged.length - 1] = "on=[{every: {rounds: 1}, do: [best, samples]}]";
        fine(judged);
        fine("sample", "run", "--count", "4", "--seed", "1", "--out", "before.npy");
        String scores = fine("eval", "run", "--json").out();
        Files.move(here.resolve("images"), here.resolve("elsewhere"));

        fine("sample", "run", "--count", "4", "--seed", "1", "--out", "after.npy");
        assertThat(here.resolve("after.npy")).hasSameBinaryContentAs(here.resolve("before.npy"));
        fine("sample", "run", "--best", "--count", "4", "--out", "best.png");
        assertThat(refused("eval", "run"))
                .containsPattern(
                        "this needs the data of images, which cannot be read: .*images: there is no such folder")
                .contains("name its new path");
        assertThat(fine("eval", "run", "--json", "--set", "data=elsewhere").out())
                .isEqualTo(scores);
        pictures("others", 24, 1);
        assertThat(refused("eval", "run", "--set", "data=others"))
                .containsPattern("evaluated on its training data, and data of images was 24 files with SHA-256"
                        + " [0-9a-f]{64}, is \\S*others: 24 files with SHA-256 [0-9a-f]{64}");
        assertThat(refused("eval", "run", "--set", "width=3")).contains("keeps its settings", "network/width");
    }

    @Test
    void runsOfOtherDataAndThreadsDifferInThese() throws IOException {
        pictures("images", 24, 0);
        pictures("others", 24, 1);
        fine(fashion("images", "a", "--threads", "2"));
        fine(fashion("images", "b", "--threads", "2"));
        Ran same = fine("diff", "a", "b");
        assertThat(same.outLines().subList(0, 4))
                .containsExactly("settings  equal", "data      equal", "software  equal", "machine   equal");
        fine(fashion("others", "c", "--threads", "1"));
        Ran ran = Ran.hocket(here, "diff", "a", "c");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.out())
                .contains("feeds/images/data: ", "images |", "data      differ", "software  equal")
                .contains("machine   differ", "threads: 2 | 1", "metrics   part at turn ");
        assertThat(ran.outLines()).allMatch(line -> line.length() <= 80);
        JsonNode data = Parsed.document(
                        Ran.hocket(here, "diff", "a", "c", "--json").out())
                .path("data");
        assertThat(data.get(0).path("path").textValue()).isEqualTo("images/0");
        assertThat(data.get(0).path("left").textValue()).matches("24 files with SHA-256 [0-9a-f]{64}");
    }

    @Test
    void aDamagedFileIsRefusedAndNothingIsChanged() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "epochs=1", "--out", "run");
        Path file = here.resolve("run/provenance.json");
        String text = Files.readString(file);
        for (String broken : List.of(
                text.substring(0, text.length() / 2), text.replace("\"seed\" : 7", "\"seed\" : 8"), "", "{}", "[]")) {
            Files.writeString(file, broken);
            assertThat(refused("run", "run", "--resume", "--set", "epochs=2"))
                    .contains("provenance.json is damaged: ", "removed");
            assertThat(file).hasContent(broken);
        }
        Files.delete(file);
        fine("run", "run", "--resume", "--set", "epochs=2");
        assertThat(sittings()).hasSize(1);
        assertThat(sittings().get(0).path("turn").longValue()).isEqualTo(84);
    }

    private List<JsonNode> sittings() throws IOException {
        List<JsonNode> sittings = new ArrayList<>();
        Parsed.document(Files.readString(here.resolve("run/provenance.json")))
                .path("sittings")
                .forEach(sittings::add);
        return sittings;
    }

    private static String[] fashion(String data, String out, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "run",
                "fashion-gan",
                "--quiet",
                "--out",
                out,
                "--set",
                "data=" + data,
                "--set",
                "batch=8",
                "--set",
                "width=2",
                "--set",
                "epochs=1",
                "--set",
                "images.images=0",
                "--set",
                "evaluation="));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /** Some digits as PNG files. */
    private void pictures(String folder, int count, int from) throws IOException {
        Path into = Files.createDirectories(here.resolve(folder));
        Images digits = Digits.load();
        for (int i = 0; i < count; i++) {
            new ImageGrid(1, 0, 3).write(into.resolve("digit-" + i + ".png"), digits.image(from + i), 1, 8, 8);
        }
    }

    private Ran fine(String... args) {
        Ran ran = Ran.hocket(here, args);
        assertThat(ran.status()).as(ran.err()).isZero();
        return ran;
    }

    private String refused(String... args) {
        Ran ran = Ran.hocket(here, args);
        assertThat(ran.status()).as(ran.err()).isEqualTo(2);
        return ran.err();
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
