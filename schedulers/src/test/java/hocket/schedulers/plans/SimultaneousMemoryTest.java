package hocket.schedulers.plans;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.execution.Lowering;
import hocket.schedulers.OneMemory;
import hocket.schedulers.Plan;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Toy;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of a simultaneous group keep their gradients until all are computed. */
@Tag("engine")
class SimultaneousMemoryTest {
    private final Toy.Game game = Toy.bilinear();
    private final Turn.Descend x = Turn.of("x", game.forX()).updates("game/x", sgd(0.1));
    private final Turn.Descend y = Turn.of("y", game.forY()).updates("game/y", sgd(0.1));

    @AfterEach
    void back() {
        System.clearProperty(Lowering.PROPERTY);
    }

    /** x and y after a round from (1, 2). */
    private double[] after(String lowering, Plan plan) {
        System.setProperty(Lowering.PROPERTY, lowering);
        try (Parameters parameters = Toy.store(game.graph(), 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            parameters.set("game/y", 2);
            scheduler.plan(plan).run(rounds(1));
            return new double[] {
                parameters.tensor("game/x").doubles()[0],
                parameters.tensor("game/y").doubles()[0]
            };
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mxnet", "reference"})
    void eachMovesByItsOwnGradient(String lowering) {
        assertThat(after(lowering, simultaneous(x, y))).containsExactly(1 - 0.1 * 2, 2 + 0.1 * 1);
        assertThat(after(lowering, simultaneous(y, x))).containsExactly(1 - 0.1 * 2, 2 + 0.1 * 1);
    }

    @Test
    void programsThatSharedOneWorkingMemoryWouldMoveByEachOthersGradient() {
        assertThat(after(OneMemory.NAME, sequence(x, y))).containsExactly(1 - 0.1 * 2, 2 + 0.1 * (1 - 0.1 * 2));
        assertThat(after(OneMemory.NAME, simultaneous(x, y))).containsExactly(1 + 0.1 * 1, 2 + 0.1 * 1);
    }
}
