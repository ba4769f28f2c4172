package hocket.schedulers.exchange;

import hocket.scopes.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Processes that are threads: each sum is made when all have come, in their order. */
final class Meeting {
    private final CyclicBarrier barrier;
    private final ByteBuffer[] brought;

    Meeting(int processes) {
        brought = new ByteBuffer[processes];
        barrier = new CyclicBarrier(processes);
    }

    Exchange of(int rank) {
        return new Exchange() {
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
                                sums[i] += RowMeans.get(each, i, type);
                            }
                        }
                        await();
                        for (int i = 0; i < count; i++) {
                            RowMeans.put(numbers, i, sums[i], type);
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
