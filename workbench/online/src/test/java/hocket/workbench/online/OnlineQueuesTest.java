package hocket.workbench.online;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.CheckpointPolicy.IfRefused;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.rings.TriggeredAction;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments stay as long as a checkpoint that is kept may go on with a row of theirs. */
@Tag("engine")
class OnlineQueuesTest {
    private static final int BATCH = 4;

    /** Two batches of four rows are in a segment. */
    private static final long SEGMENT_BYTES = 400;

    @TempDir
    private Path here;

    private final List<String> said = new ArrayList<>();

    /** What the folder has once a run has come so far. */
    private record Left(long row, long first) {}

    private Path checkpoints() {
        return here.resolve("checkpoints");
    }

    /** Saves after each second round of four rows, which come when it begins. */
    private Left run(long rounds, CheckpointPolicy policy) throws IOException {
        Graph graph = new Graph();
        Network<Value, Value> net = graph.module("net", x -> dense("out", x, 1));
        Program program = Program.compile("fit", Mode.TRAIN, mean(square(net.apply(graph.input("x", Shape.of(2))))));
        OnlineSource source = new OnlineSource("stream", Numbered.FORMAT, BATCH, 10_000, false);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .plan(Plan.sequence(Turn.of("fit", program).updates("net/**", sgd(1e-9))))
                    .feed(source, Resample.EACH_TURN)
                    .saveTo(checkpoints(), policy);
            if (!Checkpoints.numbers(checkpoints()).isEmpty()) {
                scheduler.resumeFrom(checkpoints());
            }
            try (OnlineQueues queues = OnlineQueues.open(List.of(source), here, watch(), SEGMENT_BYTES)) {
                DurableQueue queue = queues.of("stream");
                for (long next = queue.next("a"); next < rounds * BATCH; next += BATCH) {
                    queue.append("a", next, Numbered.rows(1, next, BATCH));
                }
                scheduler.ring(queues).ring(TriggeredAction.save(Trigger.everyRounds(2)));
                scheduler.run(Budget.rounds(rounds));
                scheduler.settle();
                return new Left(OnlineSource.next(source.save()), queue.first());
            }
        }
    }

    private RowsObserver watch() {
        return new RowsObserver() {
            @Override
            public void says(String line) {
                said.add(line);
            }
        };
    }

    private static CheckpointPolicy keeping(int last, long every, boolean background) {
        return new CheckpointPolicy(last, every, 0, background, IfRefused.STOP);
    }

    @Test
    void theOldestThatIsKeptSaysWhichGo() throws IOException {
        Left left = run(40, keeping(3, 0, true));
        assertThat(left.row()).isEqualTo(160);
        assertThat(Checkpoints.numbers(checkpoints())).containsExactly(36L, 38L, 40L);
        assertThat(left.first()).isEqualTo(144);
        for (long newest : new long[] {38, 36}) { // each of them can be gone on from
            Checkpoints.keepOnly(checkpoints(), List.of(36L, newest));
            assertThat(run(newest, keeping(3, 0, true))).isEqualTo(new Left(newest * BATCH, 144));
        }
    }

    @Test
    void oneThatIsKeptForLongKeepsAllBehindIt() throws IOException {
        assertThat(run(40, keeping(1, 10, false)).first()).isEqualTo(40);
        assertThat(Checkpoints.numbers(checkpoints())).containsExactly(10L, 20L, 30L, 40L);
    }

    @Test
    void aRunThatGoesOnKnowsOfCheckpointsThatWereWrittenBefore() throws IOException {
        run(10, keeping(1, 10, false));
        assertThat(run(20, keeping(1, 10, false)).first()).isEqualTo(40);
        assertThat(run(30, keeping(2, 0, false)).first()).isEqualTo(112);
    }

    @Test
    void whereACheckpointIsDamagedAllSegmentsStay() throws IOException {
        run(10, keeping(1, 10, false));
        run(20, keeping(1, 10, false));
        Files.writeString(checkpoints().resolve(Checkpoints.name(10)).resolve("state.json"), "{}");
        assertThat(run(40, keeping(1, 10, false)).first()).isEqualTo(40);
        assertThat(said)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line)
                        .startsWith("segments that no checkpoint needs any longer stay: ")
                        .contains("state.json cannot be read"));
    }

    @Test
    void aRunWithoutACheckpointNeedsAllRows() throws IOException {
        assertThat(run(1, keeping(1, 0, false))).isEqualTo(new Left(4, 0));
        assertThat(run(1, keeping(1, 0, false))).isEqualTo(new Left(4, 0)); // anew, on the same rows
        Path file = here.resolve("queue/stream").resolve(Segment.name(0));
        Files.delete(file);
        run(20, keeping(1, 0, false));
        assertThat(Files.exists(file)).isFalse();
        Checkpoints.keepOnly(checkpoints(), List.of());
        assertThatThrownBy(() -> run(20, keeping(1, 0, false)))
                .hasMessageContaining("source stream continues with row 0, and the queue")
                .hasMessageContaining("part of it was deleted");
    }
}
