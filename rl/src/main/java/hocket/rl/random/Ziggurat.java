package hocket.rl.random;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The tables of Marsaglia and Tsang's ziggurat method: 256 strips for the half-normal and the exponential density.
 *
 * <p>{@code ziggurat.txt} has a line a strip: threshold, width and height for the normal distribution, then for the
 * exponential one. The numbers are those of NumPy (ziggurat_constants.h), whose last digits differ from exactly computed
 * ones; exact ones would change the draws.
 */
final class Ziggurat {
    static final int STRIPS = 256;

    /** The start of the normal distribution's tail, and its inverse. */
    static final double NORMAL_TAIL = 3.6541528853610087963519472518;

    static final double NORMAL_TAIL_INVERSE = 0.27366123732975827203338247596;

    /** The start of the exponential distribution's tail. */
    static final double EXPONENTIAL_TAIL = 7.6971174701310497140446280481;

    static final long[] NORMAL_THRESHOLDS = new long[STRIPS];
    static final double[] NORMAL_WIDTHS = new double[STRIPS];
    static final double[] NORMAL_HEIGHTS = new double[STRIPS];
    static final long[] EXPONENTIAL_THRESHOLDS = new long[STRIPS];
    static final double[] EXPONENTIAL_WIDTHS = new double[STRIPS];
    static final double[] EXPONENTIAL_HEIGHTS = new double[STRIPS];

    private Ziggurat() {}

    static {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Ziggurat.class.getResourceAsStream("ziggurat.txt"), "ziggurat.txt"),
                StandardCharsets.US_ASCII))) {
            for (int strip = 0; strip < STRIPS; strip++) {
                read(
                        strip,
                        Objects.requireNonNull(lines.readLine(), "ziggurat.txt ends early")
                                .split(" ", -1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("ziggurat.txt: " + e.getMessage(), e);
        }
    }

    private static void read(int strip, String[] columns) {
        NORMAL_THRESHOLDS[strip] = Long.parseLong(columns[0]);
        NORMAL_WIDTHS[strip] = Double.parseDouble(columns[1]);
        NORMAL_HEIGHTS[strip] = Double.parseDouble(columns[2]);
        EXPONENTIAL_THRESHOLDS[strip] = Long.parseLong(columns[3]);
        EXPONENTIAL_WIDTHS[strip] = Double.parseDouble(columns[4]);
        EXPONENTIAL_HEIGHTS[strip] = Double.parseDouble(columns[5]);
    }
}
