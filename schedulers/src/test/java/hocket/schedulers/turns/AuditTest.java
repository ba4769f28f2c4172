package hocket.schedulers.turns;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.when;

import hocket.schedulers.Event;
import hocket.schedulers.Plan;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Toy;
import hocket.schedulers.Turn;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.runs.History;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
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
                // Of rounds 0, 2 and 4: 2 + 2 turns, 2 on trial and 2 from where it began, 2 on trial, 1.
                assertThat(scheduler.audited()).isEqualTo(new Scheduler.Audited(i == 1 ? 3 : 0, i == 1 ? 33 : 0));
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

    /** Steps downhill, and once, on the sly, somewhere else. */
    private record Sly(double rate, ByteBuffer elsewhere) implements GradientTransformation {
        @Override
        public void update(Chunk chunk) {
            double[] update = chunk.update();
            for (int i = 0; i < chunk.length(); i++) {
                update[i] *= rate;
            }
            elsewhere.put(0, (byte) (elsewhere.get(0) + 1)); // 6 arrays
        }
    }

    @Test
    void anOptimizerThatWritesElsewhereIsNamedByItsTurn() {
        try (Parameters parameters = gan.parameters(7)) {
            ByteBuffer elsewhere =
                    parameters.cell(Path.of("generator/in/weight")).buffer();
            Turn.Descend d = Turn.of("d", gan.d().program()).updates("discriminator/**", new Sly(1e-2, elsewhere));
            try (Scheduler scheduler = scheduler(parameters, sequence(gan.g(), d))) {
                assertThatThrownBy(() -> scheduler.audit(1).run(rounds(1)))
                        .isInstanceOf(AuditException.class)
                        .hasMessageStartingWith(
                                "audit, round 0 after 2 turns: generator/in/weight was changed by turn d (program d_step)");
            }
        }
    }

    @Test
    void aTurnOfJavaThatWritesIsNamed() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(
                        parameters,
                        sequence(
                                gan.d(),
                                Turn.act("look", run -> {
                                    var buffer = run.parameters()
                                            .cell(Path.of("generator/in/weight"))
                                            .buffer();
                                    buffer.put(0, (byte) (buffer.get(0) ^ 1));
                                }),
                                gan.g()))) {
            assertThatThrownBy(() -> scheduler.audit(1).run(rounds(1)))
                    .isInstanceOf(AuditException.class)
                    .hasMessageContaining("generator/in/weight was changed by turn look, which may not write it");
        }
    }

    @Test
    void oneOfTheTurnsTakenTogetherThatWritesWhatIsAnothersIsNamed() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(parameters, simultaneous(gan.d(), gan.g()))) {
            scheduler.audit(1).listen(event -> {
                if (event instanceof Event.Descended turn && turn.turn().equals("d")) {
                    var buffer = parameters.cell(Path.of("generator/in/weight")).buffer();
                    buffer.put(0, (byte) (buffer.get(0) ^ 1));
                }
            });
            assertThatThrownBy(() -> scheduler.run(rounds(1)))
                    .isInstanceOf(AuditException.class)
                    .hasMessageContaining("generator/in/weight was changed by turn d (program d_step), which may not");
        }
    }

    @Test
    void aLoopOfOnesOwnIsAuditedTurnByTurn() {
        boolean[] sly = {false};
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(parameters, gan.d())) {
            var buffer = parameters.cell(Path.of("generator/in/weight")).buffer();
            scheduler.audit(2).listen(event -> buffer.put(0, (byte) (buffer.get(0) ^ (sly[0] ? 1 : 0))));
            scheduler.step(gan.d());
            buffer.put(1, (byte) (buffer.get(1) ^ 1)); // by hand, between turns
            scheduler.step(gan.g());
            sly[0] = true;
            assertThatThrownBy(() -> scheduler.step(gan.d())).isInstanceOf(AuditException.class);
            scheduler.endRound();
            scheduler.step(gan.d()); // round 1 is not audited
        }
    }

    /** The turn is bound with a selection that reaches further than the plan says. */
    @Test
    void aSelectionThatLeaksIsNamed() {
        Turn.Descend leaking =
                Turn.of("g", gan.g().program()).updates("generator/**, discriminator/logit/bias", adam(1e-2));
        History history = new History();
        try (Parameters parameters = gan.parameters(7);
                KernelThreads kernelThreads = KernelThreads.of(1);
                BoundTurns turns = new BoundTurns(
                        parameters,
                        1,
                        DataParallelSplit.NONE,
                        kernelThreads,
                        history,
                        (turn, program) -> Optional.empty())) {
            BoundTurns said = spy(turns);
            when(said.writes()).thenReturn(Writes.of(List.of(gan.g()), parameters.declarations()));
            BoundDescend g = (BoundDescend) turns.of(leaking);
            Audit audit = new Audit(parameters, said);
            audit.begin();
            g.compute(4, 0, 0);
            g.apply(new Event.Position(0, 0, 0));
            assertThatThrownBy(() -> audit.check(List.of(g), "here"))
                    .isInstanceOf(AuditException.class)
                    .hasMessage(
                            "audit, here: discriminator/logit/bias was changed by turn g (program g_step), which may not"
                                    + " write it; the plan says that nothing does");
        }
    }
}
