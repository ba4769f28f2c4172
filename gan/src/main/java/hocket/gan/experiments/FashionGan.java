package hocket.gan.experiments;

import hocket.gan.data.Idx;
import hocket.gan.data.ImageFolder;
import hocket.gan.data.Images;
import hocket.schedulers.Experiment;
import hocket.schedulers.PresetExperiment;
import hocket.schedulers.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

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
        Images images = images(settings);
        int most = settings.wholeFrom(0, "images");
        return DcganExperiment.build(settings, most > 0 && most < images.count() ? images.spread(most) : images);
    }

    private static Images images(Settings settings) {
        String data = settings.text("data");
        if (data.isBlank()) {
            throw new IllegalArgumentException(
                    "fashion-gan needs a folder of images: --set data=DIR. Debian's package dataset-fashion-mnist"
                            + " installs one at /usr/share/datasets/fashion-mnist");
        }
        Path folder = Path.of(data);
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("setting data: " + folder + " is not a folder");
        }
        try (Stream<Path> entries = Files.list(folder)) {
            boolean idx = entries.anyMatch(
                    entry -> entry.getFileName().toString().matches(".*-(images|labels)[-.]idx[13]-ubyte(\\.gz)?"));
            int side = settings.wholeFrom(4, "side");
            return idx
                    ? Idx.directory(folder)
                    : ImageFolder.read(folder, settings.wholeFrom(1, "channels"), side, side);
        } catch (IOException e) {
            throw new IllegalArgumentException("setting data: " + folder + " cannot be listed: " + e.getMessage(), e);
        }
    }
}
