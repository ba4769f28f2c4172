package hocket.gan.experiments;

import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.schedulers.Experiment;
import hocket.schedulers.PresetExperiment;
import hocket.schedulers.Settings;

/** A DCGAN on the 1,797 embedded handwritten digits, with an average of the generator. */
public final class DigitsGan implements PresetExperiment {
    @Override
    public String name() {
        return "digits-gan";
    }

    @Override
    public String summary() {
        return "DCGAN on 1,797 handwritten digits of 8×8, averaged generator";
    }

    @Override
    public Settings settings() {
        return DcganExperiment.settings(64, 64, 680, 4e-4, 8e-4)
                .set("rate.final", "0.85")
                .set("rate.falls-from", "340");
    }

    @Override
    public Experiment build(Settings settings) {
        return DcganExperiment.build(
                settings, new Optdigits(Part.ALL, "").open("image", DcganExperiment.batch(settings), true));
    }
}
