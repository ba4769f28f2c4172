package hocket.schedulers.exchange;

import hocket.scopes.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Figures of a turn that each process takes on rows of its own. What is known of them is the same in all processes, as
 * decisions hang on it: the mean over all processes and the turns between two exchanges, from the second of these on.
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
     * @param figures how many
     */
    public MetricReduction(Exchange exchange, String name, int figures) {
        this.exchange = exchange;
        this.name = name;
        this.sums = new double[figures];
        this.known = new double[figures];
    }

    /**
     * Counts one turn.
     *
     * @param figures this process's; they become those that are known
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

    /** How many figures. */
    public int size() {
        return sums.length;
    }

    /** Writes this process's means since the last exchange, to be put together; those that are known where there is no turn. */
    public void mean(double[] into, int at) {
        for (int i = 0; i < sums.length; i++) {
            into[at + i] = turns == 0 ? known[i] : sums[i] / turns;
        }
    }

    /** Takes what came of an exchange of means. */
    public void exchanged(double[] from, int at) {
        know(Arrays.copyOfRange(from, at, at + known.length));
        Arrays.fill(sums, 0);
        turns = 0;
    }

    private void know(double[] figures) {
        System.arraycopy(figures, 0, known, 0, known.length);
        isKnown = true;
    }

    /** What is known, to be saved; empty before the first turn. */
    public Optional<double[]> known() {
        return isKnown ? Optional.of(known.clone()) : Optional.empty();
    }

    /** Goes back to what was known, or to the beginning. */
    public void restore(Optional<double[]> figures) {
        Arrays.fill(sums, 0);
        turns = 0;
        isKnown = false;
        figures.filter(saved -> saved.length == known.length).ifPresent(this::know);
    }
}
