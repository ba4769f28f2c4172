package hocket.workbench.runs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.workbench.command.Ran;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The average of a network with batch norms, as a run saves it, as the run itself draws with it, and as it is read again. */
class SavedAverageTest {
    private static final int ROWS = 7;

    @TempDir
    Path here = Path.of("");

    /** A generator with a batch norm, its average, and a turn of Java that remembers how often it was taken. */
    public record Normed(@Setting(usually = "20", least = 0) long rounds) implements Definition {
        @Override
        public Setup setup() {
            Graph graph = new Graph();
            Value made;
            try (var generator = graph.module("generator")) {
                made = dense("out", batchNorm("norm", dense("in", graph.noise("noise", Shape.of(3)), 4)), 2);
            }
            Program fit = Program.compile("fit", Mode.TRAIN, Loss.of(mean(square(made))));
            Program draw = Program.compile("draw", Mode.EVAL, made).reading("generator", "ema/generator");
            return Setup.of(
                            Networks.of(graph, fit, draw),
                            Plan.sequence(
                                    Turn.act("count", new Counter()),
                                    Turn.of("g", fit).updates("generator/**", adam(1e-1)),
                                    Turn.average("ema", "generator/**", "ema/generator/**", 0.9)),
                            Budget.rounds(rounds))
                    .copy("generator/**", "ema/generator/**")
                    .batch(8)
                    .samples(draw);
        }
    }

    private static final class Counter implements Turn.Action, Stateful {
        private long count;

        @Override
        public void act(Run run) {
            count++;
        }

        @Override
        public State save() {
            return State.empty().with("count", count);
        }

        @Override
        public void restore(State state) {
            count = state.whole("count");
        }
    }

    @Test
    void aRunDrawsWithTheStatisticsThatItSavesAndThatAreReadOfIt() throws IOException {
        Files.writeString(here.resolve("normed.yaml"), """
                name: normed
                algorithm: {class: "hocket.workbench.runs.SavedAverageTest$Normed"}
                terminal: {class: Infer, program: draw, rows: ROWS}
                """.replace("ROWS", Integer.toString(ROWS)));
        Ran ran = Ran.hocket(here, "run", "normed.yaml", "--out", "normed");
        assertThat(ran.status()).as(ran.err()).isZero();
        float[] drawn = Npy.open(here.resolve("normed/draw.npy")).tensor().floats();

        CheckpointedRun saved = CheckpointedRun.open(new RunFolder(here.resolve("normed")), OptionalLong.empty());
        Snapshot state = saved.state().state("parameters").snapshot();
        assertThat(state.tensors().get(hocket.scopes.Path.of("ema/generator/norm/variance")))
                .isNotEqualTo(state.tensors().get(hocket.scopes.Path.of("generator/norm/variance")));
        StringWriter said = new StringWriter();
        SelectedExperiment selectedExperiment =
                saved.selected(new CommandContext(Ran.terminal(said, said, false), here));
        Program draw = selectedExperiment.networks().program("draw");
        float[] read = saved.with(selectedExperiment, parameters -> {
            assertThat(parameters.snapshot().tensors()).isEqualTo(state.tensors());
            try (Session session =
                    Session.over(parameters, selectedExperiment.file().threads())) {
                return session.run(draw, Feeds.rows(ROWS)).get(0).floats();
            }
        });
        assertThat(drawn).isEqualTo(read);
    }
}
