package hocket.gan.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.schedulers.Experiment;
import hocket.schedulers.PresetExperiment;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Settings;
import hocket.scopes.Parameters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real 28×28 images, from where Debian's package dataset-fashion-mnist puts them. */
@Tag("engine")
class FashionMnistTest {
    private static final Path DATA = Path.of("/usr/share/datasets/fashion-mnist");

    @Test
    void fashionGanTrainsOnDebiansFilesAndIsScored() {
        assumeTrue(Files.isDirectory(DATA), "Debian's dataset-fashion-mnist is not installed");
        PresetExperiment definition = new FashionGan();
        Settings settings = definition
                .settings()
                .set("data", DATA.toString())
                .set("images", "320")
                .set("width", "8")
                .set("epochs", "1");
        Experiment experiment = definition.build(settings);
        try (Parameters parameters = experiment.initialise(7);
                Scheduler scheduler = experiment.schedule(parameters)) {
            scheduler.run();
            assertThat(scheduler.average("d/loss", 10).orElseThrow()).isBetween(0.0, 3.0);
            SortedMap<String, Double> scores =
                    experiment.evaluation().orElseThrow().scores(parameters);
            assertThat(scores).containsKeys("frechet_distance", "confident", "smallest_class");
            assertThat(scores.values()).allMatch(Double::isFinite);
        }
    }
}
