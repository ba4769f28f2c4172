package hocket.gan.data;

import hocket.gan.data.Optdigits.Part;
import hocket.schedulers.Source;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import java.util.List;
import java.util.Optional;

/**
 * A source of the digits of {@link Digits}, slanted and inverted: a column {@code image} (FLOAT32, (1, 8, 8), -1..1, digits are
 * black) and a column {@code label} (INT64, 0..9). Row y of an image is moved to the right by {@code slant · (3.5 - y)} pixels,
 * with linear interpolation. Row for row these are the digits of {@link Optdigits}, so the true translation of each is known.
 *
 * @param part of the digits, in the order of the files
 * @param slant pixels to the right from one row to the one above; a negative one slants to the left
 */
public record SlantedDigits(
        @Setting(usually = "all", help = Optdigits.PARTS) Part part,

        @Setting(usually = "0.5", least = -2, most = 2, help = "pixels to the right from one row to the one above")
        double slant)
        implements SourceDefinition, SlantedDigitsCopies {
    /** @throws IllegalArgumentException if the slant is not in -2..2 */
    public SlantedDigits {
        SlantedDigitsCopies.check(slant);
    }

    @Override
    public ImageSource open(String name, int batch, boolean shuffled) {
        Images images = images();
        return new ImageBatches(
                images,
                images.rows().batches(name, batch, shuffled),
                List.of(),
                Optional.of(Digits.ATTRIBUTION),
                Digits::origins);
    }

    @Override
    public Optional<List<Source.Column>> declaredColumns() {
        return Optional.of(Images.columns(1, 8, 8, true));
    }

    /** All images of the part, with their labels. */
    Images images() {
        Images digits = part.images();
        int height = digits.height();
        int width = digits.width();
        float[] upright = digits.pixels();
        float[] slanted = new float[upright.length];
        for (int i = 0; i < slanted.length; i++) {
            int y = i / width % height;
            int x = i % width;
            double from = x - slant * ((height - 1) / 2.0 - y);
            int left = (int) Math.floor(from);
            double share = from - left; // of the pixel to the right
            int row = i - x;
            slanted[i] = (float)
                    -((1 - share) * pixel(upright, row, width, left) + share * pixel(upright, row, width, left + 1));
        }
        return Images.owning(digits.channels(), height, width, slanted).withLabels(digits.labels(), digits.classes());
    }

    /** A pixel of a row, which is black outside of the image. */
    private static float pixel(float[] pixels, int row, int width, int x) {
        return x >= 0 && x < width ? pixels[row + x] : -1;
    }
}
