package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.runs.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Seeds in processes of their own come to what they come to one after the other, whoever is stopped or killed. */
@Tag("engine")
@Tag("processes")
@Timeout(180)
class SideBySideTest {
    @TempDir
    private Path here;

    @BeforeEach
    void writeFile() throws IOException {
        Files.writeString(here.resolve("toy.yaml"), """
                name: toy
                algorithm: {class: hocket.workbench.testing.ToyAgent, rounds: 200}
                on: [{every: {at: [3]}, do: [save]}]
                rings: [{class: hocket.workbench.testing.GateRing, file: GATE}]
                """.replace(
                        "GATE", here.resolve("gate").toString()));
    }

    @AfterEach
    void nothingGoesOnBehindTheTest() {
        for (ProcessHandle each : atWork()) {
            each.destroyForcibly();
        }
    }

    @Test
    void theyAreThoseOneAfterTheOther() throws IOException {
        open();
        Ran beside = ran(0, "--at-once", "64", "--out", "s");
        assertThat(beside.err())
                .contains("64 at once, each with 1 thread;", "seed 7 begins\n", "seed 9 is done after ");
        assertThat(beside.err().lines()).allMatch(line -> line.length() <= 80 || line.startsWith("wrote"));
        Ran inTurn = ran(0, "--threads", "1", "--out", "t");
        assertThat(beside.out()).isEqualTo(inTurn.out());
        for (String file : List.of("seeds.json", "seeds.svg", "seed-7/experiment.yaml", "seed-8/scores.json")) {
            assertThat(here.resolve("s").resolve(file))
                    .hasSameTextualContentAs(here.resolve("t").resolve(file));
        }
        for (int seed = 7; seed <= 9; seed++) {
            SameRun.assertIsAs(here.resolve("t/seed-" + seed), here.resolve("s/seed-" + seed));
            assertThat(files(here.resolve("s/seed-" + seed))).isEqualTo(files(here.resolve("t/seed-" + seed)));
        }
        Ran again = ran(0, "--at-once", "2", "--out", "s");
        assertThat(again.err()).contains("seed 9, 3 of 3: is there already").doesNotContain("at once", "begins");
        assertThat(again.out()).isEqualTo(beside.out());
    }

    @Tag("slow")
    @Test
    void oneThatIsKilledIsNamedAndTheOthersFinish() throws Exception {
        Process parent = forked("--quiet", "--out", "s");
        holder(7).destroyForcibly();
        open();
        assertThat(parent.waitFor()).as(said()).isEqualTo(1);
        assertThat(said())
                .contains("toy, seeds 8 to 9\n")
                .endsWith("hocket: seed 7 has no scores: its process was ended by signal 9\n")
                .doesNotContain("begins");
        ran(0, "--at-once", "2", "--out", "s", "--resume");
        isWhole();
    }

    @Tag("slow")
    @Test
    void noneOutlivesAKilledParentAndAllGoOn() throws Exception {
        Process parent = forked("--out", "s");
        List<ProcessHandle> children = List.of(holder(7), holder(8));
        parent.destroyForcibly().waitFor();
        await(() -> children.stream().noneMatch(ProcessHandle::isAlive), "the end of the children");
        for (int seed = 7; seed <= 8; seed++) {
            assertThat(here.resolve("s/seed-" + seed + "/scores.json")).doesNotExist();
            assertThat(Files.readString(here.resolve("s/seed-" + seed + "/log.txt")))
                    .contains("  stopped  ");
        }
        open();
        Ran on = ran(0, "--at-once", "3", "--out", "s", "--resume");
        assertThat(on.err()).doesNotContain("failed");
        isWhole();
    }

    @Test
    void whoAsksToStopHasAllOfThemSave() throws Exception {
        Process parent = forked("--out", "s");
        List<ProcessHandle> children = List.of(holder(7), holder(8));
        await(() -> said().contains("at once, each with"), "its words");
        parent.destroy();
        assertThat(parent.waitFor()).as(said()).isEqualTo(143);
        assertThat(children).noneMatch(ProcessHandle::isAlive);
        assertThat(said())
                .contains("stopping: finishing the turns, then saving\n")
                .endsWith("next     the same command with --resume continues those that are not finished\n");
        for (int seed = 7; seed <= 8; seed++) {
            assertThat(Files.readString(here.resolve("s/seed-" + seed + "/log.txt")))
                    .contains("  stopped  ");
        }
        assertThat(here.resolve("s/seed-9")).doesNotExist();
        open();
        Ran on = Ran.hocket(here, "run", "s", "--resume", "--seeds", "3", "--at-once", "1");
        assertThat(on.status()).as(on.err()).isZero();
        assertThat(on.err()).contains("1 at once, each with 1 thread;");
        isWhole();
    }

    /** What came of all is what came of one after the other. */
    private void isWhole() throws IOException {
        Ran whole = ran(0, "--threads", "1", "--quiet", "--out", "t");
        assertThat(whole.outLines().get(0)).isEqualTo("toy, seeds 7 to 9");
        for (int seed = 7; seed <= 9; seed++) {
            SameRun.assertIsAs(here.resolve("t/seed-" + seed), here.resolve("s/seed-" + seed));
        }
        assertThat(here.resolve("s/seeds.json")).hasSameTextualContentAs(here.resolve("t/seeds.json"));
    }

    private void open() throws IOException {
        Files.writeString(here.resolve("gate"), "");
    }

    private static String[] arguments(String... more) {
        List<String> all = new ArrayList<>(List.of("run", "toy.yaml", "--seeds", "3"));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private Ran ran(int status, String... more) {
        return Ran.ending(status, here, arguments(more));
    }

    private Process forked(String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(more));
        all.addAll(List.of("--at-once", "2", "--threads", "1"));
        return Forked.hocket(here, here.resolve("said.txt"), List.of(), arguments(all.toArray(String[]::new)));
    }

    private String said() {
        try {
            return Files.readString(here.resolve("said.txt"));
        } catch (IOException e) {
            return "";
        }
    }

    /** The process that trains a seed, once it has saved something. */
    private ProcessHandle holder(int seed) throws Exception {
        RunFolder run = new RunFolder(here.resolve("s/seed-" + seed));
        await(run::hasCheckpoint, "a checkpoint of seed " + seed);
        return held(run).orElseThrow();
    }

    private static Optional<ProcessHandle> held(RunFolder run) {
        return run.holder().flatMap(holder -> ProcessHandle.of(holder.process()));
    }

    private List<ProcessHandle> atWork() {
        List<ProcessHandle> all = new ArrayList<>();
        for (int seed = 7; seed <= 9; seed++) {
            held(new RunFolder(here.resolve("s/seed-" + seed))).ifPresent(all::add);
        }
        return all;
    }

    private void await(BooleanSupplier wanted, String what) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!wanted.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("waiting for " + what + "\n" + said())
                    .isLessThan(until);
            Thread.sleep(20);
        }
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(each -> String.valueOf(each.getFileName())).sorted().toList();
        }
    }
}
