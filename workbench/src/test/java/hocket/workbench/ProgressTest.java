package hocket.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.schedulers.Budget;
import hocket.schedulers.Experiment;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.workbench.experiment.ExperimentSpec.PrintSpec;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("engine")
class ProgressTest {
    private static final long ROUND_NANOS = 10_000_000;

    private long now;

    @Test
    void inPlaceTheLineIsRedrawnFiveTimesASecond() {
        String shown = shown(true, 1000);
        assertThat(shown.split("\r", -1)).hasSize(1 + 10_000 / 200);
        assertThat(shown).contains("round 500/1,000  [#########.........]", "100 it/s  0:05 left\033[K");
        assertThat(shown).doesNotContain("\n");
    }

    @Test
    void inAPipeALineComesAtTenthsThatTakeTwoSecondsAndAfterTenSeconds() {
        assertThat(shown(false, 1000).lines()).hasSize(5);
        assertThat(shown(false, 2000).lines()).hasSize(10);
        assertThat(shown(false, 40_000).lines()).hasSize(40);
        assertThat(shown(false, 1000)).doesNotContain("\r", "\033");
    }

    private String shown(boolean inPlace, long rounds) {
        now = 0;
        StringWriter err = new StringWriter();
        Budget budget = Budget.rounds(rounds);
        Turn turn = Turn.act("wait", run -> now += ROUND_NANOS);
        Experiment experiment = Experiment.of(new Graph(), turn, budget);
        try (Parameters parameters = experiment.initialise(0);
                Scheduler scheduler = experiment.schedule(parameters)) {
            scheduler.listen(new Progress(
                    "waiting",
                    scheduler,
                    List.of(),
                    new PrintSpec(0.2, 10),
                    Ran.terminal(err, err, inPlace),
                    () -> now));
            scheduler.run();
        }
        return err.toString();
    }
}
