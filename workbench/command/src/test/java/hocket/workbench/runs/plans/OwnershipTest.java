package hocket.workbench.runs.plans;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.algorithms.Rainbow;
import hocket.schedulers.Setup;
import hocket.workbench.runs.plans.Ownership.Access;
import hocket.workbench.runs.plans.Ownership.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the table of what turns and programs read and write. */
class OwnershipTest {
    private static final Setup SETUP =
            Rainbow.usual("CartPole-v1").replay(64).batch(8).setup();
    private static final Ownership RAINBOW = Ownership.of(PlanFacts.of(
            "rainbow", "", 7, Map.of(), List.of(), SETUP, SETUP.networks().programs()));

    private static Cell cell(String scope, String column) {
        List<String> columns = new ArrayList<>(RAINBOW.turns());
        columns.addAll(RAINBOW.programs());
        return RAINBOW.rows().stream()
                .filter(row -> row.scope().equals(scope))
                .map(row -> row.cells().get(columns.indexOf(column)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTurnTrainsWhatItDescendsAndSetsWhatItFollows() {
        assertThat(cell("q", "q")).isEqualTo(new Cell(Access.TRAINS, true));
        assertThat(cell("q", "target")).isEqualTo(new Cell(Access.READS, true));
        assertThat(cell("target/q", "target")).isEqualTo(new Cell(Access.SETS, true));
        assertThat(cell("target/q", "q")).isEqualTo(new Cell(Access.READS, true));
        assertThat(cell("q", "collect").access()).isEqualTo(Access.NONE);
    }

    @Test
    void aProgramThatReadsSomeOfAScopeReadsItInPart() {
        assertThat(cell("q", "explore")).isEqualTo(new Cell(Access.READS, true));
        assertThat(cell("q", "act")).isEqualTo(new Cell(Access.READS, false)); // without the deviations of noise
        assertThat(cell("target/q", "act").access()).isEqualTo(Access.NONE);
    }

    @Test
    void rowsAreNestedAndCountWhatIsInThem() {
        assertThat(RAINBOW.rows())
                .allMatch(row -> row.cells().size()
                        == RAINBOW.turns().size() + RAINBOW.programs().size());
        Ownership.Row q = RAINBOW.rows().get(0);
        assertThat(q.depth()).isZero();
        assertThat(RAINBOW.rows().stream()
                        .filter(row -> row.scope().startsWith("q/"))
                        .toList())
                .allMatch(row -> row.depth() == 1
                        && row.numbers() < q.numbers()
                        && row.scope().equals("q/" + row.label()));
    }
}
