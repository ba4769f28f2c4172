package hocket.schedulers;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Draw.EACH_TURN;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Plan.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.Parameters;
import hocket.scopes.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An audit finds whatever a turn changes that the plan does not say, and nothing else. */
@Tag("engine")
class AuditTest {
    private final Toy.Gan gan = Toy.gan();

    private Scheduler scheduler(Parameters parameters, Plan plan) {
        return Scheduler.over(parameters, 1)
                .plan(plan)
                .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN);
    }

    @Test
    void whatAPlanSaysPassesAndChangesNoBit() {
        Plan plan = sequence(
                gan.d().times(2),
                simultaneous(gan.d(), gan.g()),
                trial(simultaneous(gan.d(), gan.g()), gan.d(), gan.g()),
                trial(sequence(gan.d(), gan.g()), 0.5),
                gan.ema());
        String[] digests = new String[2];
        for (int i = 0; i < 2; i++) {
            try (Parameters parameters = gan.parameters(7);
                    Scheduler scheduler = scheduler(parameters, plan)) {
                if (i == 1) {
                    scheduler.audit(2);
                }
                scheduler.run(rounds(6));
                digests[i] = parameters.digest();
            }
        }
        assertThat(digests[1]).isEqualTo(digests[0]);
    }

    /** Does something behind the plan's back while turn d is taken. */
    private void assertFound(Consumer<Parameters> fault, String message) {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(parameters, sequence(gan.d(), gan.g(), gan.ema()))) {
            scheduler.audit(3).listen(event -> {
                if (event instanceof Event.Descended turn
                        && turn.turn().equals("d")
                        && turn.at().round() == 3) {
                    fault.accept(parameters);
                }
            });
            assertThatThrownBy(() -> scheduler.run(rounds(9)))
                    .isInstanceOf(AuditException.class)
                    .hasMessage(message);
            assertThat(scheduler.position().round()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"generator/out/weight", "generator/norm/mean", "ema/generator/in/bias"})
    void aWeightAStatisticOrAnAverageThatAnotherTurnOwnsIsNamed(String path) {
        String owner = path.startsWith("ema") ? "ema" : "g";
        assertFound(
                parameters -> {
                    var buffer = parameters.cell(Path.of(path)).buffer();
                    buffer.put(0, (byte) (buffer.get(0) ^ 1));
                },
                "audit, round 3 after 10 turns: " + path
                        + " was changed by turn d (program d_step), which may not write" + " it; the plan says that "
                        + owner + " does");
    }

    @Test
    void aRoundThatIsNotAuditedCostsNothingAndFindsNothing() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(parameters, sequence(gan.d(), gan.g(), gan.ema()))) {
            scheduler.audit(50).listen(event -> {
                if (event instanceof Event.Descended turn
                        && turn.turn().equals("d")
                        && turn.at().round() == 7) {
                    var buffer =
                            parameters.cell(Path.of("generator/out/weight")).buffer();
                    buffer.put(0, (byte) (buffer.get(0) ^ 1));
                }
            });
            scheduler.run(rounds(60));
        }
    }
}
