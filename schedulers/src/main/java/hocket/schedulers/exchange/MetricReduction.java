package hocket.schedulers.exchange;

import hocket.scopes.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Metrics of a turn that each process computes on its own rows. Their known values are equal in all processes, since
 * decisions depend on them: means over all processes and the turns between two exchanges, from the second exchange on.
 */
public final class MetricReduction {
    private final Exchange exchange;
    private final String name;
    private final double[] sums;
    private final double[] known;
    private boolean isKnown;
    private long turns;

    /**
     * @param name of the turn
     * @param figures number of metrics
     */
    public MetricReduction(Exchange exchange, String name, int figures) {
        this.exchange = exchange;
        this.name = name;
        this.sums = new double[figures];
        this.known = new double[figures];
    }

    /**
     * Adds one turn.
     *
     * @param figures metrics of this process, replaced by the known ones
     */
    public void count(double[] figures) {
        turns++;
        for (int i = 0; i < sums.length; i++) {
            sums[i] += figures[i];
        }
        if (!isKnown) {
            double[] first = figures.clone();
            new MeanExchange(exchange, name + " figures", ElementType.FLOAT32, List.of(), sums.length).take(first);
            know(first);
        }
        System.arraycopy(known, 0, figures, 0, known.length);
    }

    /** Returns the number of metrics. */
    public int size() {
        return sums.length;
    }

    /** Writes this process's means since the last exchange; the known values if there was no turn. */
    public void mean(double[] into, int at) {
        for (int i = 0; i < sums.length; i++) {
            into[at + i] = turns == 0 ? known[i] : sums[i] / turns;
        }
    }

    /** Reads the result of an exchange of means. */
    public void exchanged(double[] from, int at) {
        know(Arrays.copyOfRange(from, at, at + known.length));
        Arrays.fill(sums, 0);
        turns = 0;
    }

    private void know(double[] figures) {
        System.arraycopy(figures, 0, known, 0, known.length);
        isKnown = true;
    }

    /** Returns the known values for saving; empty before the first turn. */
    public Optional<double[]> known() {
        return isKnown ? Optional.of(known.clone()) : Optional.empty();
    }

    /** Restores known values, or resets. */
    public void restore(Optional<double[]> figures) {
        Arrays.fill(sums, 0);
        turns = 0;
        isKnown = false;
        figures.filter(saved -> saved.length == known.length).ifPresent(this::know);
    }
}
