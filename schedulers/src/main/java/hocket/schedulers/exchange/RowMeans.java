package hocket.schedulers.exchange;

import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.HostView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Means of numbers over shares of the rows, each weighted by its rows: summed in the shares' order, in double. */
final class RowMeans {
    private static final int CHUNK = 2048;

    private final ElementType type;
    private final int rows;
    private final List<HostView> terms = new ArrayList<>();
    private final List<Integer> weights = new ArrayList<>();
    private final float[] floats;
    private final double[] doubles = new double[CHUNK];
    private final double[] sum = new double[CHUNK];

    /** @param rows of all shares, those of other processes too */
    RowMeans(ElementType type, int rows) {
        this.type = type;
        this.rows = rows;
        this.floats = new float[type == ElementType.FLOAT32 ? CHUNK : 0];
    }

    void clear() {
        terms.clear();
        weights.clear();
    }

    void add(Device.Array numbers, int shareRows) {
        terms.add(numbers.view());
        weights.add(shareRows);
    }

    /** Writes this process's part of the mean; other processes add the rest. */
    void into(HostView out, int first, int count) {
        for (int at = 0; at < count; at += CHUNK) {
            int length = Math.min(CHUNK, count - at);
            Arrays.fill(sum, 0, length, 0);
            for (int t = 0; t < terms.size(); t++) {
                add(terms.get(t), (double) weights.get(t) / rows, at, length);
            }
            write(out, first + at, length);
        }
    }

    private void add(HostView term, double weight, int at, int length) {
        if (type == ElementType.FLOAT32) {
            term.floats().get(at, floats, 0, length);
            for (int i = 0; i < length; i++) {
                sum[i] += weight * floats[i];
            }
        } else {
            term.doubles().get(at, doubles, 0, length);
            for (int i = 0; i < length; i++) {
                sum[i] += weight * doubles[i];
            }
        }
    }

    private void write(HostView out, int at, int length) {
        if (type == ElementType.FLOAT32) {
            for (int i = 0; i < length; i++) {
                floats[i] = (float) sum[i];
            }
            out.floats().put(at, floats, 0, length);
        } else {
            out.doubles().put(at, sum, 0, length);
        }
    }
}
