package hocket.distributed.actors;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.distributed.CommandRun;
import hocket.schedulers.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Learners and actors in processes of their own, killed. */
@Tag("processes")
@Timeout(180)
class ActorProcessesTest {
    @TempDir
    private Path here;

    private @Nullable Process started;

    @AfterEach
    void nothingGoesOnBehindTheTest() {
        if (started != null) {
            started.descendants().forEach(ProcessHandle::destroyForcibly);
            started.destroyForcibly();
        }
    }

    private Process learner() {
        return Objects.requireNonNull(started);
    }

    private Path said() {
        return here.resolve("said.txt");
    }

    private void run(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("run", "cartpole-impala", "--threads", "1", "--out", "run"));
        arguments.addAll(List.of(more));
        started = CommandRun.start(here, said(), arguments.toArray(String[]::new));
    }

    /** The learner's processes in the order in which they were started, once there are so many; {@code exec} makes each of them the process that was started. */
    private List<ProcessHandle> started(int count) throws InterruptedException {
        List<ProcessHandle> children = learner().children().toList();
        while (children.size() != count) {
            Thread.sleep(20);
            children = learner().children().toList();
        }
        return children.stream()
                .sorted(Comparator.comparing(ProcessHandle::pid))
                .toList();
    }

    private void untilSaid(String wanted) throws Exception {
        while (!Files.exists(said()) || !Files.readString(said()).contains(wanted)) {
            assertThat(learner().isAlive())
                    .as(Files.exists(said()) ? Files.readString(said()) : "")
                    .isTrue();
            Thread.sleep(20);
        }
    }

    private void untilLearns() throws Exception {
        Path metrics = here.resolve("run/metrics.jsonl");
        while (!Files.exists(metrics) || !Files.readString(metrics).contains("\"episode_return\"")) {
            assertThat(learner().isAlive()).as(Files.readString(said())).isTrue();
            Thread.sleep(20);
        }
    }

    @Test
    void anActorThatIsKilledIsReplacedAndTheRunEndsWell() throws Exception {
        run("--actors", "2", "--set", "total_steps=30000");
        untilLearns();
        ProcessHandle killed = started(2).get(0);
        killed.destroyForcibly();
        untilSaid("is lost (ended by signal 9");
        assertThat(learner().waitFor(150, TimeUnit.SECONDS)).isTrue();
        assertThat(learner().exitValue()).as(Files.readString(said())).isZero();
        assertThat(Files.readString(said())).contains(", and replaced").contains("return_mean");
        assertThat(Files.readString(here.resolve("run/provenance.json"))).contains("not reproducible");
        assertThat(learner().descendants()).isEmpty();
    }

    @Test
    void aRunWhoseActorIsLostAgainAndAgainEndsSavedWhereItStands() throws Exception {
        run("--actors", "1", "--set", "total_steps=100000000");
        untilLearns();
        while (learner().isAlive()) { // each before it has sent anything
            learner().children().forEach(ProcessHandle::destroyForcibly);
            Thread.sleep(20);
        }
        String said = Files.readString(said());
        assertThat(learner().exitValue()).as(said).isEqualTo(1);
        assertThat(said)
                // The signal may end it while the system is still starting it.
                .containsPattern("actor 0 (was lost 4 times in a row without a trajectory: ended by signal 9"
                        + "|could not be started: .*signal: 9)")
                .containsPattern("saved    everything up to turn [0-9,]+")
                .contains("next     hocket run run --resume")
                .doesNotContain("\tat ");
        List<String> metrics = Files.readAllLines(here.resolve("run/metrics.jsonl"));
        Checkpoints.Found newest = Checkpoints.newest(here.resolve("run/checkpoints"));
        assertThat(metrics.get(metrics.size() - 1)).contains("\"step\":" + newest.number() + ",");
    }

    @Test
    void noneOfItsProcessesOutlivesALearnerThatIsKilled() throws Exception {
        run("--actors", "2", "--set", "total_steps=100000000");
        untilLearns();
        List<ProcessHandle> all = started(2);
        learner().destroyForcibly();
        for (ProcessHandle each : all) {
            each.onExit().get(120, TimeUnit.SECONDS);
        }
        assertThat(all).noneMatch(ProcessHandle::isAlive);
    }
}
