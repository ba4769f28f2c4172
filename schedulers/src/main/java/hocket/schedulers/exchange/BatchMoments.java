package hocket.schedulers.exchange;

import hocket.programs.execution.Executable;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The moments of a batch norm over all rows, computed from those of shares: with shares of weight w, means m and biased
 * variances v, the mean is {@code c + Σ w (m − c)}, the variance {@code Σ w (v + (m − c)²)} less the square of {@code Σ
 * w (m − c)}. The centre c is the running mean, which all processes know, so that little is lost where numbers are
 * exchanged in single precision.
 */
final class BatchMoments {
    private final int target;
    private final int first;
    private final Parameters.Cell running;
    private final double factor;
    private final double[] centre;
    private final double[] mean;
    private final double[] square;

    /**
     * @param target index of the mean among the targets, before the variance
     * @param first index of its numbers among the exchanged ones: means, then mean squares
     * @param running the running mean
     * @param factor of variances
     */
    BatchMoments(int target, int first, Parameters.Cell running, double factor) {
        this.target = target;
        this.first = first;
        this.running = running;
        this.factor = factor;
        int channels = running.declaration().shape().size();
        centre = new double[channels];
        mean = new double[channels];
        square = new double[channels];
    }

    void begin() {
        ByteBuffer buffer = running.buffer();
        ElementType type = running.declaration().type();
        for (int c = 0; c < centre.length; c++) {
            centre[c] = type.get(buffer, c);
        }
        Arrays.fill(mean, 0);
        Arrays.fill(square, 0);
    }

    void add(Executable share, double weight) {
        ByteBuffer means = share.target(target).buffer();
        ByteBuffer variances = share.target(target + 1).buffer();
        for (int c = 0; c < centre.length; c++) {
            double off = means.getDouble(c * Double.BYTES) - centre[c];
            mean[c] += weight * off;
            square[c] += weight * (variances.getDouble(c * Double.BYTES) + off * off);
        }
    }

    /** Writes them into the exchanged numbers. */
    void into(ByteBuffer numbers, ElementType type) {
        for (int c = 0; c < centre.length; c++) {
            type.put(numbers, first + c, mean[c]);
            type.put(numbers, first + centre.length + c, square[c]);
        }
    }

    /** Reads the result of the exchange. */
    void take(ByteBuffer numbers, ElementType type) {
        for (int c = 0; c < centre.length; c++) {
            mean[c] = type.get(numbers, first + c);
            square[c] = type.get(numbers, first + centre.length + c);
        }
    }

    /** Writes the moments of all rows into the targets. */
    void into(List<Device.Array> targets) {
        ByteBuffer means = targets.get(target).buffer();
        ByteBuffer variances = targets.get(target + 1).buffer();
        for (int c = 0; c < centre.length; c++) {
            means.putDouble(c * Double.BYTES, centre[c] + mean[c]);
            variances.putDouble(c * Double.BYTES, factor * Math.max(0, square[c] - mean[c] * mean[c]));
        }
    }
}
