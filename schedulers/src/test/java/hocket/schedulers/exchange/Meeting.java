package hocket.schedulers.exchange;

import hocket.programs.execution.KeyValueStore;
import hocket.scopes.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Processes that are threads: each sum is made when all have come, in their order. */
final class Meeting {
    private final CyclicBarrier barrier;
    private final ByteBuffer[] brought;
    private final Map<Integer, ByteBuffer> kept = new HashMap<>();
    private final KeyValueStore.Updater server;

    Meeting(int processes) {
        this(processes, (key, pushed, array) -> {});
    }

    /** @param server moves what it keeps */
    Meeting(int processes, KeyValueStore.Updater server) {
        this.server = server;
        brought = new ByteBuffer[processes];
        barrier = new CyclicBarrier(processes);
    }

    Exchange of(int rank) {
        return new Exchange() {
            private int keys;

            @Override
            public Kept keep(String name, ByteBuffer initial) {
                int key = keys++;
                int length = initial.capacity() + Float.BYTES;
                ByteBuffer numbers = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
                numbers.put(0, initial, 0, initial.capacity());
                synchronized (server) {
                    kept.computeIfAbsent(
                            key,
                            first -> ByteBuffer.allocateDirect(length)
                                    .order(ByteOrder.nativeOrder())
                                    .put(0, numbers, 0, length));
                }
                await();
                return new Kept() {
                    @Override
                    public ByteBuffer numbers() {
                        return numbers;
                    }

                    @Override
                    public void push() {
                        synchronized (server) {
                            ByteBuffer array = Objects.requireNonNull(kept.get(key));
                            server.update(key, numbers, array);
                            numbers.put(0, array, 0, length);
                        }
                    }
                };
            }

            @Override
            public int rank() {
                return rank;
            }

            @Override
            public int processes() {
                return brought.length;
            }

            @Override
            public Channel open(String name, ElementType type, int count) {
                ByteBuffer numbers =
                        ByteBuffer.allocateDirect(count * type.bytes()).order(ByteOrder.nativeOrder());
                return new Channel() {
                    @Override
                    public ByteBuffer numbers() {
                        return numbers;
                    }

                    @Override
                    public void sum() {
                        brought[rank] = numbers;
                        await();
                        double[] sums = new double[count];
                        for (ByteBuffer each : brought) {
                            for (int i = 0; i < count; i++) {
                                sums[i] += type.get(each, i);
                            }
                        }
                        await();
                        for (int i = 0; i < count; i++) {
                            type.put(numbers, i, sums[i]);
                        }
                    }
                };
            }
        };
    }

    private void await() {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException("another process failed", e);
        }
    }
}
