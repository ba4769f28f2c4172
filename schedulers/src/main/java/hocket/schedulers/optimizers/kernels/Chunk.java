package hocket.schedulers.optimizers.kernels;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.transforms.Measuring;
import hocket.schedulers.optimizers.updates.BoundTransformation;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of elements that passes a chain, in double: at most 1,024, which fit in the L1 cache. The arrays belong to
 * the plan and may be longer than {@link #length}; do not keep references to them.
 */
public final class Chunk {
    public static final int SIZE = 1024;

    private final double[] update = new double[SIZE];
    private final double[] weight = new double[SIZE];
    private final float[] narrow = new float[SIZE];
    private double[][] slots = new double[0][];
    private int length;
    private BoundTransformation link;
    private double[] sums = new double[0];
    private int sumsAt;
    private long elements;

    Chunk() {
        link = BoundTransformation.NONE;
    }

    /** Returns the number of elements. */
    public int length() {
        return length;
    }

    /** Returns the update from the transformations before, to be changed. */
    public double[] update() {
        return update;
    }

    /** Returns the weight before this update, read-only. */
    public double[] weight() {
        return weight;
    }

    /** Returns one of the transformation's slots, to be changed. */
    public double[] slot(int index) {
        return slots[index];
    }

    /** Returns the number of this update of the transformation, from 1. */
    public long count() {
        return link.next;
    }

    /** Returns the transformation's rate at this update; without one, that of the last one before it, else 1. */
    public double rate() {
        return link.value;
    }

    /** Returns whether the transformation or one before it has a rate. */
    public boolean isRated() {
        return link.isRated;
    }

    /** Returns the numbers that {@link GradientTransformation#prepare} computed. */
    public double[] numbers() {
        return link.numbers;
    }

    /** Adds to one of the sums; only while measuring. */
    public void add(int sum, double value) {
        sums[sumsAt + sum] += value;
    }

    /** Returns one of the measured sums. */
    public double sum(int index) {
        return sums[sumsAt + index];
    }

    /** Returns the number of elements in the sums. */
    public long elements() {
        return elements;
    }

    public void use(int newLength) {
        length = newLength;
    }

    void read(Reals from, int at, double[] into) {
        read(from, at, into, 1);
    }

    public void readUpdate(Reals from, int at, double scale) {
        read(from, at, update, scale);
    }

    public void readWeight(Reals from, int at) {
        read(from, at, weight, 1);
    }

    private void read(Reals from, int at, double[] into, double scale) {
        switch (from.type()) {
            case FLOAT32 -> {
                FloatBuffer all = from.floats();
                all.get(at, narrow, 0, length);
                for (int i = 0; i < length; i++) {
                    into[i] = narrow[i];
                }
            }
            default -> {
                DoubleBuffer all = from.doubles();
                all.get(at, into, 0, length);
            }
        }
        if (scale != 1) {
            for (int i = 0; i < length; i++) {
                into[i] *= scale;
            }
        }
    }

    private void write(Reals to, int at, double[] from) {
        switch (to.type()) {
            case FLOAT32 -> {
                for (int i = 0; i < length; i++) {
                    narrow[i] = (float) from[i];
                }
                to.floats().put(at, narrow, 0, length);
            }
            default -> to.doubles().put(at, from, 0, length);
        }
    }

    public void writeUpdate(Reals to, int at) {
        write(to, at, update);
    }

    /** w ← w − update. */
    public void descend(Reals to, int at) {
        for (int i = 0; i < length; i++) {
            weight[i] -= update[i];
        }
        write(to, at, weight);
    }

    /** Runs a transformation, or its measuring, on the elements. */
    public void run(BoundTransformation newLink, Reals[] kept, int at, @Nullable Measuring measuring) {
        link = newLink;
        if (slots.length < kept.length) {
            slots = new double[kept.length][SIZE];
        }
        for (int i = 0; i < kept.length; i++) {
            read(kept[i], at, slots[i]);
        }
        if (measuring != null) {
            measuring.measure(this);
        } else {
            newLink.link.update(this);
        }
        for (int i = 0; i < kept.length; i++) {
            write(kept[i], at, slots[i]);
        }
    }

    public void sums(double[] newSums, int at, long newElements) {
        sums = newSums;
        sumsAt = at;
        elements = newElements;
    }
}
