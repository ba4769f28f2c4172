package hocket.schedulers.exchange;

import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.HostView;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/** Averages arrays across processes, each of which has its own arrays; all get the same bits. */
public final class MeanExchange {
    private final List<Supplier<Device.Array>> arrays;
    private final ElementType type;
    private final int processes;
    private final int figures;
    private final RowMeans means;
    private final Exchange.Channel channel;

    /**
     * Opens a channel.
     *
     * @param name for errors
     * @param type of all arrays, a floating one
     * @param arrays the current ones
     * @param figures number of further single numbers
     * @throws IllegalArgumentException if the exchange does not support this type or this number of elements
     */
    public MeanExchange(
            Exchange exchange, String name, ElementType type, List<Supplier<Device.Array>> arrays, int figures) {
        this.arrays = List.copyOf(arrays);
        this.type = type;
        this.processes = exchange.processes();
        this.figures = figures;
        this.means = new RowMeans(type, processes);
        long count = figures;
        for (Supplier<Device.Array> array : arrays) {
            count += array.get().shape().size();
        }
        if (count * type.bytes() > Integer.MAX_VALUE - type.bytes()) {
            throw new IllegalArgumentException(name + ": " + count + " numbers are more than one exchange takes");
        }
        channel = exchange.open(name, type, (int) count);
    }

    /**
     * Writes the means into the arrays of each process.
     *
     * @param numbers the single numbers, which become their means, rounded to the type
     * @throws PeerLostException if another process has left
     */
    public void take(double[] numbers) {
        ByteBuffer all = channel.numbers();
        HostView out = HostView.of(all);
        for (int i = 0; i < figures; i++) {
            type.put(all, i, numbers[i] / processes);
        }
        int at = figures;
        for (Supplier<Device.Array> array : arrays) {
            Device.Array from = array.get();
            means.clear();
            means.add(from, 1);
            means.into(out, at, from.shape().size());
            at += from.shape().size();
        }
        channel.sum();
        for (int i = 0; i < figures; i++) {
            numbers[i] = type.get(all, i);
        }
        all.position(figures * type.bytes());
        arrays.forEach(array -> array.get().write(all));
        all.clear();
    }
}
