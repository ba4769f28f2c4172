package hocket.workbench.live.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import hocket.schedulers.commands.Steering;
import hocket.workbench.files.UserError;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.peers.ProcessLimit;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.runs.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandHandlerTest {
    private static final String FORK = "{\"id\":\"12345678\",\"command\":\"fork\",\"name\":\"other\"}";
    private static final String PAUSE = "{\"id\":\"87654321\",\"command\":\"pause\"}";

    @TempDir
    private Path runs;

    private final CommandHandler commands = new CommandHandler(new ProcessLimit(0));
    private final ServedRun run = mock();
    private final Steering steering = mock();

    @BeforeEach
    void serve() {
        when(run.id()).thenReturn("run");
        when(run.folder()).thenReturn(new RunFolder(runs.resolve("run")));
        when(run.steering()).thenReturn(Optional.of(steering));
    }

    @Test
    void aRejectedForkCanBeSentAgainWithTheSameId() throws IOException {
        Path taken = Files.createDirectories(runs.resolve("other"));
        Path file = Files.createFile(taken.resolve("notes.txt"));
        assertThatThrownBy(() -> commands.take(run, FORK, "a test"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not empty");
        Files.delete(file);
        assertThat(commands.take(run, FORK, "a test")
                        .fork()
                        .orElseThrow()
                        .into()
                        .path())
                .isEqualTo(taken);
        assertThatExceptionOfType(HttpError.class)
                .isThrownBy(() -> commands.take(run, FORK, "a test"))
                .withMessage("id: has been used by an earlier command");
    }

    @Test
    void aCommandThatTheRunRejectsCanBeSentAgainWithTheSameId() {
        when(steering.ask(any(), any()))
                .thenReturn(CompletableFuture.failedFuture(new IllegalStateException("the run takes a long turn")));
        assertThat(commands.give(commands.take(run, PAUSE, "a test"))).isCompletedExceptionally();
        assertThat(commands.take(run, PAUSE, "a test").by()).isEqualTo("a test");
    }

    @Test
    void aForkThatIsToTrainIsRefusedWhereEnoughTrain() {
        String started = FORK.replace("}", ",\"start\":true}");
        assertThatExceptionOfType(HttpError.class)
                .isThrownBy(() -> commands.take(run, started, "a test"))
                .matches(error -> error.status() == 409)
                .withMessage("0 runs are training already: stop one, or wait until one ends");
        commands.take(run, FORK, "a test"); // a fork alone is not refused, and the id is not used up
    }

    @Test
    void aRepeatedIdDoesNotCountAgainstTheRateLimit() {
        commands.take(run, PAUSE, "a test");
        for (int i = 0; i < 100; i++) {
            assertThatExceptionOfType(HttpError.class)
                    .isThrownBy(() -> commands.take(run, PAUSE, "a test"))
                    .matches(error -> error.status() == 409);
        }
        commands.take(run, FORK, "a test");
    }
}
