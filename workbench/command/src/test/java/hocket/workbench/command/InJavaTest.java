package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.rings.Recording;
import hocket.workbench.files.UserError;
import hocket.workbench.pictures.plot.Plots;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.json.MetricLines;
import hocket.workbench.runs.json.MetricLines.Metric;
import hocket.workbench.runs.plans.PlanFacts;
import hocket.workbench.runs.plans.PlanText;
import hocket.workbench.testing.SmallGan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command prints, writes and draws is to be had from Java, of a run that no file describes. */
@Tag("engine")
class InJavaTest {
    @TempDir
    private Path here;

    private final SmallGan gan = SmallGan.of();
    private final Definition definition =
            () -> Setup.of(gan.graph(), Plan.sequence(gan.d(), gan.g()), Budget.rounds(12))
                    .feed(SmallGan.images(16, 8), Resample.EACH_TURN);

    @Test
    void aPlanIsTextWithItsTurnsAndWhatLooksWrong() {
        assertThat(PlanText.of(PlanFacts.of("small", 7, definition.setup())))
                .first()
                .isEqualTo("small:");
        assertThat(String.join("\n", PlanText.of(PlanFacts.of("small", 7, definition.setup()))))
                .contains("turns of a round, sequence(d, g)", "12 rounds, 24 turns", "nothing looks wrong");
        Definition half =
                () -> Setup.of(gan.graph(), gan.d(), Budget.rounds(1)).feed(SmallGan.images(16, 8), Resample.EACH_TURN);
        assertThat(PlanFacts.of("half", 7, half.setup()).warnings())
                .singleElement()
                .asString()
                .startsWith("generator: no turn updates it");
    }

    @Test
    void figuresAreWrittenReadAsValuesAndDrawn() {
        Path folder = here.resolve("not there yet");
        try (LiveRun run = definition.begin(7);
                FolderRecorder recorder = FolderRecorder.into(folder)) {
            run.scheduler().ring(new Recording(recorder));
            run.run();
            assertThatThrownBy(() -> FolderRecorder.into(folder))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is being written by process ");
        }
        FolderRecorder.into(folder).close();
        List<Metric> metrics = new ArrayList<>();
        MetricLines.read(folder.resolve("metrics.jsonl"), metrics::add);
        assertThat(metrics).extracting(Metric::turn).contains("d", "g");
        assertThat(metrics).extracting(Metric::name).contains("loss", "gradient_norm", "gap");
        List<Path> drawn = Plots.of(folder).write(folder.resolve("plots"));
        assertThat(drawn)
                .contains(folder.resolve("plots").resolve("losses.svg"))
                .allSatisfy(file -> assertThat(file).isNotEmptyFile());
        Path file = folder.resolve("metrics.jsonl");
        assertThatThrownBy(() -> Plots.of(folder).write(file))
                .hasMessage("folder " + file + " could not be made: " + file + " is a file, or a broken link");
    }

    @Test
    void figuresAreNotWrittenAmongThoseOfARun() throws IOException {
        Path experiment = Files.writeString(here.resolve("experiment.yaml"), "");
        assertThatThrownBy(() -> FolderRecorder.into(here))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is the folder of another run");
        assertThat(here.resolve("metrics.jsonl")).doesNotExist();
        Files.delete(experiment);
        FolderRecorder.into(here).close();
    }
}
