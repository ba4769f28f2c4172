package hocket.gan.data;

import hocket.schedulers.feeds.DataFingerprint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The 1,797 handwritten digits that come with Hocket: the test part of "Optical Recognition of Handwritten Digits" (E.
 * Alpaydin and C. Kaynak, 1998, UCI Machine Learning Repository, doi:10.24432/C50P49), licensed CC BY 4.0; see {@code
 * NOTICE-optdigits.txt} in the same folder. In the order of scikit-learn's {@code load_digits}.
 */
public final class Digits {
    /** The authors and the licence of the data. */
    static final String ATTRIBUTION =
            "Optical Recognition of Handwritten Digits (E. Alpaydin and C. Kaynak, 1998, UCI Machine"
                    + " Learning Repository, doi:10.24432/C50P49), CC BY 4.0";

    static final String IMAGES = "optdigits-images-idx3-ubyte.gz";
    static final String LABELS = "optdigits-labels-idx1-ubyte.gz";

    /** The largest pixel value in the files. */
    private static final double MAXIMUM = 16;

    private Digits() {}

    /** All 1,797 images (1, 8, 8) in -1..1 (the files' 0..16 as x/8 - 1), labels 0..9. Reads the jar at each call. */
    public static Images load() {
        try (IdxStream images = IdxStream.of("builtin:optdigits/" + IMAGES, bytes(IMAGES));
                IdxStream labels = IdxStream.of("builtin:optdigits/" + LABELS, bytes(LABELS))) {
            return Idx.readImages(images, labels, MAXIMUM);
        }
    }

    /** The files that the digits are read from. */
    static List<DataFingerprint> origins() {
        return Stream.of(IMAGES, LABELS)
                .map(name -> DataFingerprint.of(name, bytes(name)))
                .toList();
    }

    static byte[] bytes(String name) {
        try (InputStream in = Digits.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar that holds " + Digits.class.getName() + " should hold " + name
                        + " in the same package, but does not");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name + " from the jar", e);
        }
    }
}
