package hocket.gan.data;

import hocket.gan.data.Optdigits.Part;
import hocket.schedulers.Source;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.Streams;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A source of images of three random digits, one a channel: a column {@code image} (FLOAT32, (3, 8, 8), -1..1) with 1,000
 * modes, as stacked MNIST (Srivastava et al. 2017, section 4.2; Lin et al. 2018, section 4.2) has with larger digits. The
 * digits are those of {@link Digits}, drawn with replacement.
 *
 * @param part of the digits that images are stacked from
 * @param rows the number of images
 * @param labelled whether there is a column {@code label} (INT64), 100a + 10b + c of digits a, b and c
 * @param seed of the images, independent of the run's seed
 */
public record StackedDigits(
        @Setting(usually = "all", help = Optdigits.PARTS) Part part,

        @Setting(usually = "12800", least = 1, help = "total number of images")
        int rows,

        @Setting(
                usually = "false",
                help = "whether there is a column label: 0 to 999, the three digits read as a number")
        boolean labelled,

        @Setting(usually = "1", help = "seed of the images") long seed)
        implements SourceDefinition, StackedDigitsCopies {
    /** Digits, and so channels, of an image. */
    public static final int CHANNELS = 3;

    /** Rows and columns of a digit. */
    public static final int SIDE = 8;

    private static final int CLASSES = 10;

    /** @throws IllegalArgumentException if there are no rows, or too many for an array */
    public StackedDigits {
        StackedDigitsCopies.check(rows);
        Limits.elements("rows", rows, CHANNELS, SIDE, SIDE);
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
        return Optional.of(Images.columns(CHANNELS, SIDE, SIDE, labelled));
    }

    /** All images, with labels if there are to be some. */
    Images images() {
        Images digits = part.images();
        UniformRandomProvider random = Streams.seed(seed).at("stacked-digits").generator(0);
        int[] chosen = IntStream.generate(() -> random.nextInt(digits.count()))
                .limit((long) rows * CHANNELS)
                .toArray();
        FloatBuffer pixels = FloatBuffer.allocate(chosen.length * SIDE * SIDE);
        digits.gather(chosen, chosen.length, pixels);
        Images stacked = Images.owning(CHANNELS, SIDE, SIDE, pixels.array());
        return labelled ? stacked.withLabels(labels(digits.labels(), chosen), modes()) : stacked;
    }

    private static int[] labels(int[] digits, int[] chosen) {
        return IntStream.range(0, chosen.length / CHANNELS)
                .map(row -> label(Arrays.stream(chosen, row * CHANNELS, (row + 1) * CHANNELS)
                        .map(digit -> digits[digit])
                        .toArray()))
                .toArray();
    }

    /** The label 100a + 10b + c of digits a, b and c. */
    public static int label(int... digits) {
        return IntStream.of(digits).reduce(0, (label, digit) -> CLASSES * label + digit);
    }

    /** The number of different labels, 1,000. */
    public static int modes() {
        return 1 + label(9, 9, 9);
    }
}
