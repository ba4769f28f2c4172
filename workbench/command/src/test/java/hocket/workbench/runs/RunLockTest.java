package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.workbench.command.Ran;
import hocket.workbench.files.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may write into a run folder: threads of this process, other processes, and those that were killed. */
@Timeout(120)
class RunLockTest {
    @TempDir
    Path here = Path.of("");

    private RunFolder folder = new RunFolder(here);

    @BeforeEach
    void folder() {
        folder = new RunFolder(here.resolve("run"));
    }

    /** Another process that begins in a folder as soon as there is a file called go, and holds it until it is killed. */
    public static final class Other {
        private Other() {}

        public static void main(String[] arguments) throws InterruptedException {
            RunFolder folder = new RunFolder(Path.of(arguments[0]));
            Path go = Path.of(arguments[1]);
            System.out.println("ready");
            while (!Files.exists(go)) {
                Thread.onSpinWait();
            }
            try {
                RunLock lock = folder.begin();
                System.out.println("won");
                Thread.sleep(TimeUnit.MINUTES.toMillis(2));
                lock.close();
            } catch (UserError e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private Process other() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        folder.toString(),
                        here.resolve("go").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void ofTwoProcessesThatBeginAtOnceOneWinsAndTheOtherSaysWhoUntilItIsKilled()
            throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        try {
            List<BufferedReader> said = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                processes.add(other());
                said.add(processes.get(i).inputReader(StandardCharsets.UTF_8));
            }
            for (BufferedReader reader : said) {
                assertThat(reader.readLine()).isEqualTo("ready");
            }
            Files.createFile(here.resolve("go"));
            List<String> answers = List.of(said.get(0).readLine(), said.get(1).readLine());
            int winner = answers.indexOf("won");
            assertThat(winner).as(answers.toString()).isNotNegative();
            assertThat(answers.get(1 - winner))
                    .matches(".*run is being written by process "
                            + processes.get(winner).pid()
                            + " on \\S+ since 20\\d\\d-\\S+Z: wait for its end, stop it, or choose another folder");
            assertThatThrownBy(() -> folder.begin())
                    .isInstanceOf(UserError.class)
                    .hasMessage(answers.get(1 - winner));
            assertThatThrownBy(() -> folder.resume()).hasMessage(answers.get(1 - winner));

            processes.get(winner).destroyForcibly().waitFor(); // kill -9
            try (RunLock lock = folder.begin()) {
                assertThat(lock.folder()).isEqualTo(folder);
                assertThat(Files.readString(folder.path().resolve("lock")))
                        .contains("process " + ProcessHandle.current().pid());
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    @Test
    void ofManyThreadsThatBeginAtOnceOneWins() throws Exception {
        int threads = 8;
        CyclicBarrier together = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<RunLock>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(() -> {
                    together.await();
                    return folder.begin();
                });
            }
            List<RunLock> locks = new ArrayList<>();
            for (Future<RunLock> one : pool.invokeAll(all)) {
                try {
                    locks.add(one.get());
                } catch (java.util.concurrent.ExecutionException e) {
                    assertThat(e.getCause()).isInstanceOf(UserError.class).hasMessageContaining("is being written by");
                }
            }
            assertThat(locks).hasSize(1);
            assertThatThrownBy(() -> folder.resume()).hasMessageContaining("is being written by process");
            locks.get(0).close();
            locks.get(0).close();
            folder.resume().close();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aRefusedOneInThisProcessDoesNotFreeTheFolderForOthers() throws IOException {
        try (RunLock lock = folder.begin()) {
            assertThatThrownBy(() -> folder.resume()).isInstanceOf(UserError.class);
            Files.createFile(here.resolve("go"));
            Process process = other();
            try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
                assertThat(said.readLine()).isEqualTo("ready");
                assertThat(said.readLine())
                        .contains("is being written by process", lock.folder().toString());
            } finally {
                process.destroyForcibly();
            }
        }
    }

    @Test
    void aFolderWithAnythingElseInItIsNotBegunIn() throws IOException {
        Files.createDirectories(folder.path());
        Files.createFile(folder.path().resolve("mine.txt"));
        assertThatThrownBy(() -> folder.begin()).isInstanceOf(UserError.class).hasMessageContaining("is not empty");
        assertThat(folder.path().resolve("lock")).doesNotExist();
    }

    @Test
    void aLiveRunIsNotGoneOnWithNorBegunAgain() throws IOException {
        Files.writeString(here.resolve("ring.yaml"), """
                include: gaussian-ring
                network: {width: 4}
                evaluation: {samples: 100}
                budget: {rounds: 3}
                on: []
                """);
        String[] begin = {"run", "ring.yaml", "--out", "run", "--quiet"};
        assertThat(Ran.hocket(here, begin).status()).isZero();
        String metrics = Files.readString(folder.metrics());
        String[] goOn = {"run", "ring.yaml", "--out", "run", "--resume", "--set", "rounds=9", "--quiet"};
        try (RunLock live = folder.resume()) {
            for (String[] command : List.of(goOn, begin)) {
                Ran refused = Ran.hocket(here, command);
                assertThat(refused.status()).isEqualTo(2);
                assertThat(refused.errLines()).hasSize(1);
                assertThat(refused.err())
                        .contains(live.folder() + " is being written by process "
                                + ProcessHandle.current().pid());
            }
            assertThat(Files.readString(folder.metrics())).isEqualTo(metrics);
            assertThat(folder.scores()).exists();
        }
        Ran resumed = Ran.hocket(here, goOn);
        assertThat(resumed.status()).as(resumed.err()).isZero();
    }

    @Test
    void aFolderThatCannotBeLockedIsTakenAwayAndNoOtherIsTried(@TempDir Path runs) {
        RunFolder first = RunFolder.free(runs, "tiny-gan");
        Thread.currentThread().interrupt(); // then files refuse
        try {
            assertThatThrownBy(() -> first.begin(() -> new RunFolder(runs.resolve("tiny-gan-2"))))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("could not be locked");
        } finally {
            Thread.interrupted();
        }
        assertThat(runs).isEmptyDirectory();
    }

    @Test
    void ofTwoStartsAtOnceTheSecondTakesTheNextFolder(@TempDir Path runs) {
        RunFolder first = RunFolder.free(runs, "tiny-gan");
        RunFolder second = RunFolder.free(runs, "tiny-gan"); // before the first has made its own
        try (RunLock one = first.begin(() -> RunFolder.free(runs, "tiny-gan"));
                RunLock two = second.begin(() -> RunFolder.free(runs, "tiny-gan"))) {
            assertThat(one.folder().path()).isEqualTo(runs.resolve("tiny-gan"));
            assertThat(two.folder().path()).isEqualTo(runs.resolve("tiny-gan-2"));
        }
        RunFolder taken = new RunFolder(runs.resolve("tiny-gan"));
        try (RunLock held = taken.begin()) {
            assertThatThrownBy(() -> taken.begin(() -> taken))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is being written by process ");
        }
    }
}
