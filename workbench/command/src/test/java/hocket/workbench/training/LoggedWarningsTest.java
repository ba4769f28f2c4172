package hocket.workbench.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import hocket.workbench.command.Ran;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Tag("engine")
class LoggedWarningsTest {
    private static final Logger LOG = LoggerFactory.getLogger("my.Environment");

    @TempDir
    private Path here;

    @Test
    void aWarningOfAnyThreadIsInTheLogOfItsRunAtItsTurn() throws Exception {
        LOG.warn("before the run");
        train("first", run -> {
            LOG.warn("the episode of {} is truncated", "place 3");
            Thread worker = new Thread(() -> LOG.error("a worker ended"));
            worker.start();
            join(worker);
            LOG.info("a detail");
        });
        LOG.warn("after the run");
        assertThat(warnings("first"))
                .containsExactly(
                        "turn 6  warning  the episode of place 3 is truncated", "turn 6  warning  a worker ended");
        train("second", run -> {});
        assertThat(warnings("second")).isEmpty();
    }

    @Test
    void aWarningBeforeAFailureIsKept() throws Exception {
        assertThatThrownBy(() -> train("failed", run -> {
                    LOG.warn("the last words");
                    throw new IllegalStateException("it broke");
                }))
                .hasMessageContaining("it broke");
        assertThat(warnings("failed")).hasSize(1).first().asString().endsWith("the last words");
    }

    @Test
    void warningsAreCopiedUpToALimitAndUntilTheRunIsClosed() throws Exception {
        train(
                "closing",
                run -> LOG.warn("it broke", new IllegalStateException("inside")),
                () -> LOG.warn("not closed"));
        assertThat(warnings("closing"))
                .containsExactly(
                        "turn 6  warning  it broke: java.lang.IllegalStateException: inside",
                        "turn 12  warning  not closed");
        train("flood", run -> {
            for (int i = 0; i < 3000; i++) {
                LOG.warn("warning {}", i);
            }
        });
        assertThat(warnings("flood")).hasSize(1001).last().asString().contains("further warnings are not copied");
    }

    /** Trains four rounds; something happens after the second one. */
    private void train(String folder, Consumer<Run> happening) {
        train(folder, happening, () -> {});
    }

    /** @param closed is called when the scheduler has been closed */
    private void train(String folder, Consumer<Run> happening, Runnable closed) {
        StringWriter err = new StringWriter();
        CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), here);
        List<String> changes = List.of("rounds=4");
        ExperimentFile file = ExperimentFile.read("tiny-gan", changes, commandContext.surroundings(List.of()));
        new Training(
                        new RunRequest(
                                commandContext,
                                file,
                                ExperimentFile.TRAIN,
                                new RunFolder(here.resolve(folder)),
                                changes,
                                RunRequest.Flags.QUIET,
                                RunRequest.Beginning.FIRST),
                        new StopRequest(line -> {}, line -> {}, status -> {}))
                .around(new RunRing() {
                    @Override
                    public RunRingOrder layer() {
                        return RunRingOrder.DISPLAY;
                    }

                    @Override
                    public void run(RunContext run, Next next) {
                        next.proceed();
                        closed.run();
                    }
                })
                .ring(Ring.on(Trigger.everyRounds(2), run -> {
                    if (run.position().round() == 2) {
                        happening.accept(run);
                    }
                }))
                .run();
    }

    private List<String> warnings(String folder) throws Exception {
        return Files.readAllLines(here.resolve(folder).resolve("log.txt")).stream()
                .filter(line -> line.contains("  warning  "))
                .map(line -> line.substring(line.indexOf("turn ")))
                .toList();
    }

    private static void join(Thread worker) {
        try {
            worker.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
