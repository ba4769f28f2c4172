package hocket.schedulers;

import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_TURN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A definition is a recipe; what it begins is a run. */
@Tag("engine")
class DefinitionTest {
    private static Setup gan() {
        Toy.Gan gan = Toy.gan();
        return Setup.of(gan.graph(), sequence(gan.d().times(2), gan.g(), gan.ema()), Budget.epochs("image", 3))
                .copy("generator/**", "ema/generator/**")
                .feed(Toy.rows("image", 24, 4).batches(8), EACH_TURN);
    }

    private static State end(Definition definition, long seed) {
        try (LiveRun run = definition.begin(seed, 1)) {
            run.run();
            return run.scheduler().save();
        }
    }

    @Test
    void oneDefinitionIsBegunTwiceAtOnceOnTwoThreadsAndOnceMoreAfterToTheSameBits() throws Exception {
        Definition definition = DefinitionTest::gan;
        CyclicBarrier together = new CyclicBarrier(2);
        List<Future<State>> both = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 2; i++) {
                both.add(threads.submit(() -> {
                    together.await();
                    return end(definition, 7);
                }));
            }
            State one = both.get(0).get();
            assertThat(one.whole("step")).isEqualTo(4 * 5); // 9 draws, 2 a round
            assertThat(both.get(1).get()).isEqualTo(one);
            assertThat(end(definition, 7)).isEqualTo(one);
            assertThat(end(definition, 8)).isNotEqualTo(one);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void nothingThatMovesIsSharedByTwoRuns() {
        Definition definition = DefinitionTest::gan;
        try (LiveRun one = definition.begin(7, 1);
                LiveRun other = definition.begin(7, 1)) {
            one.run();
            assertThat(other.scheduler().position().step()).isZero();
            assertThat(other.setup().feeds().get(0).source().open().epoch()).isZero();
            other.run();
            assertThat(other.scheduler().save()).isEqualTo(one.scheduler().save());
        }
    }

    @Test
    void partsThatWereBegunAreRefusedInsteadOfTrainingNothing() {
        Setup setup = gan();
        Definition careless = () -> setup;
        end(careless, 7);
        assertThatThrownBy(() -> careless.begin(7, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("these parts were started before")
                .hasMessageContaining("from a Definition");
        assertThatThrownBy(() -> setup.batch(3).schedule(setup.initialise(7), 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRunScoresItsParametersAndSaysWhereItCannot() {
        try (LiveRun run = ((Definition) DefinitionTest::gan).begin(7, 1)) {
            assertThatThrownBy(run::scores).hasMessageContaining("no evaluation: call evaluated");
        }
    }
}
