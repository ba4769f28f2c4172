package hocket.workbench.training;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Ring;
import hocket.schedulers.Rows;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.command.Ran;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that goes on holds no more than one from the start: its store is outside of the heap, and its checkpoint is let go. */
@Tag("engine")
class ResumedHeapTest {
    private static final int WIDTH = 1000;
    private static final long WEIGHTS = (long) WIDTH * WIDTH * Float.BYTES;

    @TempDir
    Path here = Path.of("");

    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) { // the serial collector takes all that is dead once in four times
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    /** One wide layer. */
    private static final class Wide extends Experiment {
        private final long iterations;
        private final Program fit;
        private final Turn.Descend turn;
        private long heap;

        Wide(Path folder, long iterations) {
            super(folder, 7, 1);
            this.iterations = iterations;
            Graph graph = new Graph();
            Value x = graph.input("x", Shape.of(WIDTH));
            Network<Value, Value> net = graph.module("net", in -> dense("wide", in, WIDTH));
            fit = Program.compile("fit", Mode.TRAIN, Loss.of(mean(square(net.apply(x)))));
            turn = Turn.of("fit", fit).updates("net/**", sgd(1e-3));
        }

        @Override
        protected void setupData() {
            feed(Rows.of("x", Tensor.of(Shape.of(2, WIDTH), new float[2 * WIDTH]))
                    .batches("rows", 2));
        }

        @Override
        protected Graph setupModel() {
            return fit.graph();
        }

        @Override
        protected void trainBatch() {
            descend(turn);
            heap = heap();
        }

        @Override
        protected long maxIteration() {
            return iterations;
        }
    }

    @Test
    void anExperimentLetsItsCheckpointGo() throws IOException {
        Wide first = new Wide(here.resolve("wide"), 2);
        first.run();
        Wide second = new Wide(here.resolve("wide"), 4);
        second.resume();
        assertThat(second.heap - first.heap).isLessThan(WEIGHTS / 2);
    }

    @Test
    void theCommandLetsItsCheckpointGo() {
        long first = run("rounds=1", false);
        long second = run("rounds=2", true);
        assertThat(second - first).isLessThan(WEIGHTS / 2);
    }

    private long run(String budget, boolean resumed) {
        StringWriter err = new StringWriter();
        CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), here);
        List<String> changes = List.of(budget, "width=" + WIDTH, "on=[]", "evaluation=", "threads=1");
        ExperimentFile file = ExperimentFile.read("gaussian-ring", changes, commandContext.surroundings(List.of()));
        RunFolder folder = new RunFolder(here.resolve("ring"));
        long[] heap = new long[1];
        try (StopRequest stopRequest = new StopRequest()) {
            Training run = new Training(
                    new RunRequest(
                            commandContext,
                            file,
                            ExperimentFile.TRAIN,
                            folder,
                            List.of(),
                            RunRequest.Flags.QUIET,
                            RunRequest.Beginning.of(resumed)),
                    stopRequest);
            run.ring(Ring.on(Trigger.everyRounds(1), now -> heap[0] = heap()));
            assertThat(run.run()).isZero();
        }
        return heap[0];
    }
}
