package hocket.gan.experiments;

import hocket.gan.data.ImageFiles;
import hocket.schedulers.Experiment;
import hocket.schedulers.PresetExperiment;
import hocket.schedulers.Settings;
import java.nio.file.Path;

/** A DCGAN on the user's own images: a folder of IDX files such as Fashion-MNIST's or MNIST's, or of pictures. */
public final class FashionGan implements PresetExperiment {
    @Override
    public String name() {
        return "fashion-gan";
    }

    @Override
    public String summary() {
        return "DCGAN on IDX files or a folder of pictures: --set data=DIR";
    }

    @Override
    public Settings settings() {
        return DcganExperiment.settings(100, 16, 5, 2e-4, 2e-4)
                .and("data", "", "folder of IDX files (Fashion-MNIST's, MNIST's), or of PNG or JPEG pictures")
                .and("side", 28, "pictures are scaled and cut to this many pixels each way")
                .and("channels", 1, "1 for grey pictures, 3 for colours")
                .and("images", 0, "how many of the images are used; 0 uses all");
    }

    @Override
    public Experiment build(Settings settings) {
        String data = settings.text("data");
        if (data.isBlank()) {
            throw new IllegalArgumentException(
                    "fashion-gan needs a folder of images: --set data=DIR. Debian's package dataset-fashion-mnist"
                            + " installs one at /usr/share/datasets/fashion-mnist");
        }
        ImageFiles files = new ImageFiles(
                Path.of(data),
                settings.wholeFrom(4, "side"),
                settings.wholeFrom(1, "channels"),
                settings.wholeFrom(0, "images"));
        return DcganExperiment.build(settings, files.open("image", DcganExperiment.batch(settings), true));
    }
}
