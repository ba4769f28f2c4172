package hocket.distributed.cluster;

import hocket.programs.execution.KeyValueStore;
import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.turns.ParameterServerTurns;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;

/**
 * The exchange of workers with each other and with servers, by a key-value store. A flag follows the numbers of each
 * channel and array: whether this worker is asked to stop. All workers learn of it after the same turn, or soon if
 * servers update weights.
 */
final class StoreExchange implements Exchange {
    private final StoreThread storeThread;
    private final NodeConfig nodeConfig;
    private final BooleanSupplier asked;
    private final boolean meets;
    private volatile boolean stops;
    private volatile long waited;
    private int kept;

    /**
     * @param asked whether this process was asked to stop
     * @param meets whether workers synchronise in the turns of a round: then they stop at these
     */
    StoreExchange(StoreThread storeThread, NodeConfig nodeConfig, BooleanSupplier asked, boolean meets) {
        this.meets = meets;
        this.storeThread = storeThread;
        this.nodeConfig = nodeConfig;
        this.asked = asked;
    }

    @Override
    public int rank() {
        return nodeConfig.rank();
    }

    @Override
    public int processes() {
        return nodeConfig.workers();
    }

    @Override
    public Channel open(String name, ElementType type, int count) {
        if (type != ElementType.FLOAT32) {
            throw new IllegalArgumentException("program " + name + ": processes exchange " + ElementType.FLOAT32
                    + " numbers, and its are " + type + "; train it in one process");
        }
        requireFits(name, count);
        KeyValueStore.Shared shared = storeThread.share(name, count + 1);
        Device.Array numbers = first(shared.numbers(), count);
        return new Channel() {
            @Override
            public ByteBuffer numbers() {
                return numbers.buffer();
            }

            @Override
            public void sum() {
                stops |= tell(shared.numbers(), count, () -> storeThread.sum(name, shared));
            }
        };
    }

    private static void requireFits(String name, int count) {
        if (count >= Integer.MAX_VALUE / Float.BYTES) {
            throw new IllegalArgumentException(name + ": " + count + " numbers are more than one exchange takes, "
                    + (Integer.MAX_VALUE / Float.BYTES - 1));
        }
    }

    @Override
    public Kept keep(String name, ByteBuffer initial) {
        int count = initial.capacity() / Float.BYTES;
        requireFits(name, count);
        ByteBuffer whole = ByteBuffer.allocateDirect(initial.capacity() + Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .put(0, initial, 0, initial.capacity());
        KeyValueStore.Kept array =
                storeThread.keep(name, ParameterServerTurns.key(kept++, nodeConfig.servers()), whole);
        Device.Array numbers = first(array.numbers(), count);
        return new Kept() {
            @Override
            public ByteBuffer numbers() {
                return numbers.buffer();
            }

            @Override
            public void push() {
                boolean isAsked = tell(array.numbers(), count, () -> storeThread.push(name, array));
                stops |= isAsked && !meets;
            }

            @Override
            public void pause(long nanos) {
                Kept.super.pause(nanos);
                waited += nanos;
            }
        };
    }

    private static Device.Array first(ByteBuffer numbers, int count) {
        return Device.over(numbers.slice(0, count * Float.BYTES), Shape.of(count), ElementType.FLOAT32);
    }

    /** Returns whether any worker is known to have been asked to stop. */
    private boolean tell(ByteBuffer numbers, int count, Runnable telling) {
        long began = System.nanoTime();
        numbers.putFloat(count * Float.BYTES, asked.getAsBoolean() ? 1 : 0);
        telling.run();
        waited += System.nanoTime() - began;
        return numbers.getFloat(count * Float.BYTES) > 0;
    }

    /**
     * Returns whether any worker was asked to stop, as of the last exchange: the same for all, unless servers update
     * weights.
     */
    boolean stops() {
        return stops;
    }

    /** Returns the seconds spent in exchanges so far. */
    double waited() {
        return waited * 1e-9;
    }
}
