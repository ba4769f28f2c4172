package hocket.gan.experiments;

import static hocket.schedulers.Budget.rounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.networks.DcganLayers;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Experiment;
import hocket.schedulers.PresetExperiment;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Settings;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.Shape;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The experiments by name. */
class ExperimentsTest {
    private static Settings small(PresetExperiment definition) {
        return definition.settings().set("width", "4").set("latent", "8").set("batch", "16");
    }

    @Test
    void theyAreFoundByName() {
        List<String> names = ServiceLoader.load(PresetExperiment.class).stream()
                .map(provider -> provider.get().name())
                .toList();
        assertThat(names).contains("digits-gan", "digits-gan-plain", "fashion-gan");
    }

    @Test
    void eachIsSoundWithItsUsualSettings() {
        for (PresetExperiment definition : List.of(new DigitsGan(), new DigitsGanPlain())) {
            assertThat(definition.build(definition.settings()).check().byTurn().keySet())
                    .contains("d", "g");
        }
    }

    @Test
    void settingsOutOfTheirRangeAreRefusedByName() {
        Settings settings = small(new DigitsGan());
        assertThatThrownBy(() -> new DigitsGan().build(settings.set("loss", "hinge")))
                .hasMessage("setting loss must be non-saturating or least-squares, was \"hinge\"");
        assertThatThrownBy(() -> new DigitsGan().build(settings.set("batch", "0")))
                .hasMessage("setting batch must be a whole number of at least 1, was 0");
        assertThatThrownBy(() -> new DigitsGan().build(settings.set("average", "2")))
                .hasMessage("turn ema: decay must be in [0, 1], was 2.0");
        assertThatThrownBy(() -> settings.set("widht", "3"))
                .hasMessage("there is no setting widht; did you mean width?");
        assertThatThrownBy(() -> settings.set("width", "3.5"))
                .hasMessage("setting width must be a whole number such as 4, was \"3.5\"");
        assertThatThrownBy(() -> new FashionGan().build(new FashionGan().settings()))
                .hasMessageStartingWith("fashion-gan needs a folder of images: --set data=DIR.");
    }

    @Test
    void aDcganNeedsImagesThatCanBeHalvedTwice() {
        assertThatThrownBy(() -> new DcganLayers(Shape.of(1, 28, 30), 8))
                .hasMessage("a DCGAN needs images (channels, height, width) with sides that are multiples of 4, got"
                        + " (1,28,30)");
        assertThatThrownBy(() -> new DcganLayers(Shape.of(1, 28, 28), 0))
                .hasMessage("a DCGAN's width must be at least 1, was 0");
    }

    @Test
    @Tag("engine")
    void theAverageBeginsAsTheGeneratorFollowsItAndDrawsTheSamples() {
        Settings settings =
                small(new DigitsGan()).set("discriminator-turns", "2").set("loss", "least-squares");
        Experiment experiment = new DigitsGan().build(settings);
        try (Parameters parameters = experiment.initialise(1);
                Scheduler scheduler = experiment.schedule(parameters, 1)) {
            assertThat(parameters.tensor("ema/generator/conv2/weight"))
                    .isEqualTo(parameters.tensor("generator/conv2/weight"));
            scheduler.run(rounds(3));
            assertThat(scheduler.position().step()).isEqualTo(12);
            assertThat(parameters.tensor("ema/generator/conv2/weight"))
                    .isNotEqualTo(parameters.tensor("generator/conv2/weight"));
            var draw = experiment.samples().orElseThrow();
            assertThat(draw.parameters().keySet()).allMatch(path -> path.isUnder(Path.of("ema/generator")));
            try (Session session = Session.over(draw.graph(), parameters)) {
                String before = parameters.digest(Selection.of("**"));
                assertThat(session.run(draw, Feeds.rows(5)).get(0).shape()).isEqualTo(Shape.of(5, 1, 8, 8));
                assertThat(parameters.digest(Selection.of("**"))).isEqualTo(before);
            }
        }
    }

    @Test
    @Tag("engine")
    void thePlainRecipeDrawsFromTheGeneratorItself() {
        Experiment experiment = new DigitsGanPlain().build(small(new DigitsGanPlain()));
        try (Parameters parameters = experiment.initialise(1);
                Scheduler scheduler = experiment.schedule(parameters, 1)) {
            scheduler.run(rounds(2));
            assertThat(scheduler.position().step()).isEqualTo(4);
            assertThat(parameters.contains(Path.of("ema/generator/conv2/weight")))
                    .isFalse();
        }
    }
}
