package hocket.workbench;

import hocket.gan.experiments.DigitsGan;
import hocket.schedulers.Experiment;
import hocket.schedulers.PresetExperiment;
import hocket.schedulers.Settings;
import java.util.Optional;

/** The digits' GAN, small and not judged at its end: for tests that run it. */
public final class TinyGan implements PresetExperiment {
    private final DigitsGan digits = new DigitsGan();

    @Override
    public String name() {
        return "tiny-gan";
    }

    @Override
    public String summary() {
        return "for tests";
    }

    @Override
    public Settings settings() {
        return digits.settings().set("epochs", "1").set("width", "4").set("latent", "8");
    }

    @Override
    public Experiment build(Settings settings) {
        Experiment e = digits.build(settings);
        return new Experiment(
                e.graph(),
                e.phases(),
                e.copies(),
                e.feeds(),
                e.batch(),
                e.samples(),
                e.watches(),
                e.validation(),
                Optional.empty());
    }
}
