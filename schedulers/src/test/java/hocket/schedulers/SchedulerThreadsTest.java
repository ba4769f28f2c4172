package hocket.schedulers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.Parameters;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What would crash the process from another thread, or in the middle of a turn, is refused. */
@Tag("engine")
class SchedulerThreadsTest {
    @Test
    void anotherThreadCannotFreeWhatTheOwnerMayBeRunning() {
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler.step(gan.d(), Toy.rows("image", 12, 4).batches(3));
            assertThatThrownBy(
                            () -> CompletableFuture.runAsync(scheduler::close).join())
                    .isInstanceOf(CompletionException.class)
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("belong to thread");
            scheduler.step(gan.g());
        }
    }

    @Test
    void aSchedulerCannotBeClosedInsideATurn() {
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters)) {
            assertThatThrownBy(() -> scheduler.step(Turn.act("close", run -> scheduler.close())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a turn is being taken");
            scheduler.step(gan.d(), Toy.rows("image", 12, 4).batches(3));
        }
    }

    @Test
    void aSchedulerIsFreedAfterItsStoreToo() {
        Toy.Gan gan = Toy.gan();
        Parameters parameters = gan.parameters(7);
        Scheduler scheduler = Scheduler.over(parameters);
        scheduler.step(gan.d(), Toy.rows("image", 12, 4).batches(3));
        parameters.close();
        scheduler.close();
        scheduler.close();
    }
}
