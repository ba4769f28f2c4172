package hocket.workbench.plot;

import java.util.Arrays;
import java.util.stream.Stream;

/** From the least to the greatest of some numbers. */
record Extent(double least, double greatest) {
    /** Of those that are numbers; 0 to 1 if none is. */
    static Extent of(Stream<double[]> numbers) {
        double[] all =
                numbers.flatMapToDouble(Arrays::stream).filter(Double::isFinite).toArray();
        return all.length == 0
                ? new Extent(0, 1)
                : new Extent(
                        Arrays.stream(all).min().getAsDouble(),
                        Arrays.stream(all).max().getAsDouble());
    }

    /** With room at both ends, and some if both are one. */
    Extent roomy() {
        double room = greatest > least ? 0.05 * (greatest - least) : Math.max(0.5 * Math.abs(least), 1e-3);
        return new Extent(least - room, greatest + room);
    }

    /** Room on a logarithmic axis, where both are above zero. */
    Extent roomyByFactor() {
        double factor = Math.max(1.2, Math.pow(greatest / least, 0.05));
        return new Extent(least / factor, greatest * factor);
    }
}
