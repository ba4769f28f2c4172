package hocket.distributed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.distributed.cluster.LineChannel.Member;
import hocket.workbench.training.Worker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rates, lag and troubles from what the scheduler's process says, once a second here; times are seconds of its own. */
class WorkersTest {
    /** A word a second, and trouble after five. */
    private final WorkerStatuses workerStatuses =
            new WorkerStatuses(new NodeConfig(Role.TRAINER, 0, 3, 1, "127.0.0.1", 7070, "", "secret", 10));

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }

    private void heard(double at, Member... members) {
        workerStatuses.heard(List.of(members), nanos(at));
    }

    private Worker at(double seconds, int rank) {
        return workerStatuses.at(nanos(seconds)).get(rank);
    }

    /** One that trains, and has just answered. */
    private static Member trains(int rank, long turns, double waited) {
        return new Member(rank, turns, waited, "", 0, 1, false);
    }

    private static Member waits(int rank, long turns, double waited, double since) {
        return new Member(rank, turns, waited, "d_step 31", since, 1, false);
    }

    private static Member silent(int rank, long turns, double silent) {
        return new Member(rank, turns, 0, "", 0, silent, false);
    }

    @Test
    void whatIsNotKnownIsNotSaid() {
        assertThat(workerStatuses.at(nanos(3)))
                .containsExactly(Worker.unheard(0), Worker.unheard(1), Worker.unheard(2));
        heard(10, trains(0, 4, 0), trains(1, 0, 0));
        assertThat(at(10, 0)).isEqualTo(new Worker(0, 4L, null, 0L, null, 1L, false, null));
        assertThat(at(10, 1)).isEqualTo(new Worker(1, null, null, null, null, 1L, false, null)); // it compiles
        assertThat(at(10, 2)).isEqualTo(Worker.unheard(2));
    }

    @Test
    void ratesAreOfTheLastFiveToTenSeconds() {
        for (int second = 0; second <= 30; second++) {
            heard(second, trains(0, 1 + 100L * second, 0.25 * second), trains(1, 1 + 50L * second, 0));
        }
        assertThat(at(30, 0).turnsPerSecond()).isCloseTo(100, within(1e-9));
        assertThat(at(30, 0).waits()).isCloseTo(0.25, within(1e-9));
        assertThat(at(30, 1).turnsPerSecond()).isCloseTo(50, within(1e-9));
        assertThat(at(30, 1).waits()).isZero();
        for (int second = 31; second <= 45; second++) {
            heard(second, trains(0, 3001 + 10L * (second - 30), 7.5 + 0.5 * (second - 30)));
        }
        assertThat(at(45, 0).turnsPerSecond()).isCloseTo(10, within(1e-9)); // what was before is forgotten
        assertThat(at(45, 0).waits()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void theTurnsBeforeACheckpointAreNotOfTheFirstSecond() {
        heard(0, trains(0, 0, 0));
        heard(1, trains(0, 50_001, 0));
        assertThat(at(1, 0).turnsPerSecond()).isNull();
        heard(2, trains(0, 50_021, 0));
        assertThat(at(2, 0).turnsPerSecond()).isCloseTo(20, within(1e-9));
    }

    /** A worker that was slow to answer is not taken for one that stood still, nor its next answer for a leap. */
    @Test
    void anAnswerThatIsHeardOfTwiceCountsOnce() {
        heard(0, silent(0, 1, 1));
        heard(1, silent(0, 101, 1));
        heard(2, silent(0, 101, 1.98)); // the words take their time
        assertThat(at(2, 0).turnsPerSecond()).isCloseTo(100, within(1e-9));
        heard(3, silent(0, 251, 1.5));
        assertThat(at(3, 0).turnsPerSecond()).isCloseTo(100, within(1e-9));
    }

    @Test
    void anExchangeThatLastsCountsAsWaiting() {
        heard(0, trains(0, 5, 1));
        heard(1, waits(0, 5, 1, 0.5));
        heard(2, waits(0, 5, 1, 1.5));
        assertThat(at(2, 0).waits()).isCloseTo(0.75, within(1e-9));
        assertThat(at(2, 0).turnsPerSecond()).isZero();
    }

    @Test
    void lagIsBehindTheOneThatIsAheadAndOnlyOfThoseThatAnsweredTogether() {
        heard(1, trains(0, 31, 0), trains(1, 40, 0), silent(2, 20, 2.1));
        assertThat(workerStatuses.at(nanos(1))).extracting(Worker::lag).containsExactly(9L, 0L, null);
    }

    @Test
    void oneThatIsSilentIsMarkedAndItsRatesAreNotKnown() {
        heard(0, trains(0, 1, 0));
        heard(1, trains(0, 21, 0));
        assertThat(at(5, 0).trouble()).isNull();
        assertThat(at(5.9, 0).heard()).isEqualTo(5);
        Worker silent = at(6.5, 0);
        assertThat(silent.trouble()).isEqualTo("silent for 6 s");
        assertThat(silent.turns()).isEqualTo(21);
        assertThat(silent.turnsPerSecond()).isNull();
        assertThat(silent.waits()).isNull();
        assertThat(silent.lag()).isNull();
    }

    @Test
    void whoWaitsLongIsMarkedAndWhoIsWaitedFor() {
        heard(1, trains(0, 30, 0), waits(1, 30, 4, 4.9), waits(2, 30, 4, 1));
        assertThat(workerStatuses.at(nanos(1))).extracting(Worker::trouble).containsOnlyNulls();
        heard(2, trains(0, 30, 0), waits(1, 30, 4, 5.9), waits(2, 30, 4, 2));
        assertThat(workerStatuses.at(nanos(2)))
                .extracting(Worker::trouble)
                .containsExactly("the others wait for it", "waits for 5 s, in exchange d_step 31", null);
    }

    @Test
    void oneThatIsDoneIsInNoTrouble() {
        heard(1, trains(0, 30, 0), new Member(1, 30, 4, "", 0, 60, true));
        assertThat(at(1, 1)).isEqualTo(new Worker(1, 30L, null, null, null, null, true, null));
        assertThat(at(1, 0).lag()).isZero();
    }

    /** Where patience is short, words come more often: an ordinary answer is not a silence. */
    @Test
    void anOrdinaryPauseIsNoTroubleHoweverShortThePatience() {
        for (int patience : List.of(1, 2, 3, 4, 10)) {
            NodeConfig nodeConfig = new NodeConfig(Role.TRAINER, 0, 1, 1, "127.0.0.1", 7070, "", "secret", patience);
            double beat = nodeConfig.beat() * 1e-3;
            WorkerStatuses some = new WorkerStatuses(nodeConfig);
            some.heard(List.of(silent(0, 7, beat)), nanos(1));
            assertThat(some.at(nanos(1 + 1.5 * beat)).get(0).trouble())
                    .as("patience " + patience)
                    .isNull();
        }
    }
}
