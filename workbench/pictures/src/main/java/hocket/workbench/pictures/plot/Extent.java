package hocket.workbench.pictures.plot;

import java.util.Arrays;
import java.util.stream.Stream;

/** The interval from the least to the greatest of some numbers. */
record Extent(double least, double greatest) {
    /** The relative difference below which two labels would need too many digits. */
    private static final double NEARLY = 1e-6;

    /** Returns the extent of the finite numbers; 0 to 1 if there are none. */
    static Extent of(Stream<double[]> numbers) {
        double[] all =
                numbers.flatMapToDouble(Arrays::stream).filter(Double::isFinite).toArray();
        return all.length == 0
                ? new Extent(0, 1)
                : new Extent(
                        Arrays.stream(all).min().getAsDouble(),
                        Arrays.stream(all).max().getAsDouble());
    }

    double size() {
        return greatest - least;
    }

    /** Returns this extent with a margin: a share of its size, or a constant if both ends are nearly equal. */
    Extent roomy(double share) {
        double largest = Math.max(Math.abs(least), Math.abs(greatest));
        double room = size() > NEARLY * largest ? share * size() : largest == 0 ? 0.5 : 0.5 * largest;
        return new Extent(least - room, greatest + room);
    }

    /** Returns the greatest of 1, 2, 5, 10, 20, … and their tenths that fits into this extent that many times. */
    double part(int times) {
        double most = size() / times * (1 + 1e-9); // 29.999999 / 30 is 1
        double decade = Math.pow(10, Math.floor(Math.log10(most)));
        return most >= 5 * decade ? 5 * decade : most >= 2 * decade ? 2 * decade : decade;
    }
}
