package hocket.gan.data;

import hocket.schedulers.Source;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A source of the embedded handwritten digits of {@link Digits}: a column {@code image} (FLOAT32, (1, 8, 8), -1..1) and
 * a column {@code label} (INT64, 0..9).
 *
 * @param part of the digits, in the order of the files
 */
public record Optdigits(
        @Setting(usually = "all", help = Optdigits.PARTS) Part part) implements SourceDefinition {
    /** The help of a setting that is a part. */
    static final String PARTS =
            "all, train (five of six), test (every sixth), train-a and train-b (halves of train), first-half or second-half";

    /** A part of the 1,797 digits. */
    public enum Part {
        /** All digits. */
        ALL(row -> true),
        /** Five out of six: 1,498. */
        TRAIN(row -> row % 6 != 5),
        /** Every other one of {@link #TRAIN}, from the first: 749. */
        TRAIN_A(row -> row % 6 != 5 && (row - row / 6) % 2 == 0),
        /** The others of {@link #TRAIN}: 749. */
        TRAIN_B(row -> row % 6 != 5 && (row - row / 6) % 2 == 1),
        /** Every sixth: the other 299. Writers of these digits also wrote some of the others. */
        TEST(row -> row % 6 == 5),
        /** The first 900. */
        FIRST_HALF(row -> row < 900),
        /** The other 897. */
        SECOND_HALF(row -> row >= 900);

        private final IntPredicate has;

        Part(IntPredicate has) {
            this.has = has;
        }

        /** The images of this part. */
        Images images() {
            Images all = Digits.load();
            return all.at(IntStream.range(0, all.count()).filter(has).toArray());
        }
    }

    @Override
    public ImageSource open(String name, int batch, boolean shuffled) {
        Images some = part.images();
        return new ImageBatches(
                some,
                some.rows().batches(name, batch, shuffled),
                List.of(),
                Optional.of(Digits.ATTRIBUTION),
                Digits::origins);
    }

    @Override
    public Optional<List<Source.Column>> declaredColumns() {
        return Optional.of(Images.columns(1, 8, 8, true));
    }
}
