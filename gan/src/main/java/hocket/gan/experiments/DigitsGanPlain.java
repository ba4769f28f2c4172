package hocket.gan.experiments;

import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.schedulers.Experiment;
import hocket.schedulers.PresetExperiment;
import hocket.schedulers.Settings;

/** The plain recipe of Radford et al. on the embedded digits: one rate for both networks, which see the same noise, no
 * average. */
public final class DigitsGanPlain implements PresetExperiment {
    @Override
    public String name() {
        return "digits-gan-plain";
    }

    @Override
    public String summary() {
        return "the same by the plain recipe: rates 2e-4, no average";
    }

    @Override
    public Settings settings() {
        return DcganExperiment.settings(64, 64, 300, 2e-4, 2e-4)
                .set("average", "0")
                .set("noise", "each-round");
    }

    @Override
    public Experiment build(Settings settings) {
        return DcganExperiment.build(
                settings, new Optdigits(Part.ALL, "").open("image", DcganExperiment.batch(settings), true));
    }
}
