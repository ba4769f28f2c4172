package hocket.schedulers.optimizers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import hocket.scopes.ElementType;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkersTest {
    private static final Chunks MANY = new Chunks(List.of(
            Reals.zeros(ElementType.FLOAT32, 10),
            Reals.zeros(ElementType.FLOAT32, 600_000),
            Reals.zeros(ElementType.FLOAT64, 5000)));

    private static Workers.Work work(Chunks chunks, IntConsumer chunk) {
        return new Workers.Work() {
            @Override
            public Chunks chunks() {
                return chunks;
            }

            @Override
            public void chunk(Kernels kernels, int i) {
                chunk.accept(i);
            }
        };
    }

    private static Workers.Work met(Kernels[] by) {
        return new Workers.Work() {
            @Override
            public Chunks chunks() {
                return MANY;
            }

            @Override
            public void chunk(Kernels kernels, int i) {
                by[i] = kernels;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void everyChunkIsDoneOnceInEveryPhase(int threads) {
        AtomicIntegerArray done = new AtomicIntegerArray(MANY.count());
        try (Workers workers = Workers.of(threads)) {
            assertThat(workers.threads()).isEqualTo(threads);
            for (int phase = 1; phase <= 500; phase++) {
                workers.run(work(MANY, done::incrementAndGet));
                for (int i = 0; i < MANY.count(); i++) {
                    assertThat(done.get(i)).isEqualTo(phase);
                }
            }
        }
    }

    @Test
    void aChunkAlwaysMeetsTheSameKernelsAndThePartsAreAboutEqual() {
        try (Workers workers = Workers.of(3)) {
            Kernels[] first = new Kernels[MANY.count()];
            workers.run(met(first));
            Kernels[] second = new Kernels[MANY.count()];
            workers.run(met(second));
            assertThat(second).containsExactly(first);
            assertThat(Stream.of(first).distinct()).hasSize(3);
        }
        for (int part = 0; part < 3; part++) {
            long elements = 0;
            for (int i = MANY.firstOf(part, 3); i < MANY.firstOf(part + 1, 3); i++) {
                elements += MANY.to(i) - MANY.from(i);
            }
            assertThat(elements).isBetween(MANY.elements() / 3 - Chunks.SIZE, MANY.elements() / 3 + Chunks.SIZE);
        }
    }

    @Test
    void chunksBeginAtMultiplesOfTheirSizeAndCoverEachArray() {
        int[] end = new int[3];
        for (int i = 0; i < MANY.count(); i++) {
            assertThat(MANY.from(i) % Chunks.SIZE).isZero();
            assertThat(MANY.from(i)).isEqualTo(end[MANY.array(i)]);
            end[MANY.array(i)] = MANY.to(i);
        }
        assertThat(end).containsExactly(10, 600_000, 5000);
        assertThat(new Chunks(List.of()).count()).isZero();
    }

    @Test
    void littleWorkStaysOnTheCallingThread() {
        Chunks few = new Chunks(List.of(Reals.zeros(ElementType.FLOAT32, 20_000)));
        try (Workers workers = Workers.of(3)) {
            Thread caller = Thread.currentThread();
            workers.run(work(few, i -> assertThat(Thread.currentThread()).isSameAs(caller)));
        }
    }

    @Test
    void theFailureOfAnyThreadIsThrownByTheCallerAndTheWorkersGoOn() {
        try (Workers workers = Workers.of(3)) {
            int last = MANY.count() - 1;
            assertThatThrownBy(() -> workers.run(work(MANY, i -> fail(i == last, "last"))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("last");
            assertThatThrownBy(() -> workers.run(work(MANY, i -> fail(i == 0, "first"))))
                    .hasMessage("first");
            Throwable all = catchThrowable(() -> workers.run(work(MANY, i -> fail(true, "all"))));
            assertThat(all).hasMessage("all");
            assertThat(all.getSuppressed()).hasSize(2);
            assertThatThrownBy(() -> workers.run(work(MANY, i -> {
                        throw new AssertionError("an error");
                    })))
                    .isInstanceOf(AssertionError.class);
            AtomicIntegerArray done = new AtomicIntegerArray(MANY.count());
            workers.run(work(MANY, done::incrementAndGet));
            assertThat(done.get(last)).isEqualTo(1);
        }
    }

    private static void fail(boolean when, String message) {
        if (when) {
            throw new IllegalStateException(message);
        }
    }

    @Test
    void anInterruptedCallerFinishesThePhaseAndStaysInterrupted() {
        try (Workers workers = Workers.of(2)) {
            AtomicIntegerArray done = new AtomicIntegerArray(MANY.count());
            Thread caller = Thread.currentThread();
            caller.interrupt();
            workers.run(work(MANY, i -> {
                if (Thread.currentThread() != caller) {
                    LockSupport.parkNanos(1_000_000);
                }
                done.incrementAndGet(i);
            }));
            assertThat(Thread.interrupted()).isTrue();
            for (int i = 0; i < MANY.count(); i++) {
                assertThat(done.get(i)).isEqualTo(1);
            }
        }
    }

    @Test
    void thereIsOnePhaseAtATime() throws InterruptedException {
        try (Workers workers = Workers.of(2)) {
            assertThatThrownBy(() -> workers.run(work(MANY, i -> workers.run(work(MANY, j -> {})))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("workers: a phase is open, and there can be only one");
            // another thread may open the next one
            CountDownLatch done = new CountDownLatch(1);
            new Thread(() -> {
                        workers.run(work(MANY, i -> {}));
                        done.countDown();
                    })
                    .start();
            done.await();
        }
    }

    @Test
    void closingTwiceIsHarmlessAndRefusesFurtherWork() {
        Workers workers = Workers.of(3);
        Workers others = Workers.of(3);
        workers.close();
        workers.close();
        assertThatThrownBy(() -> workers.run(work(MANY, i -> {}))).hasMessage("workers: closed");
        AtomicIntegerArray done = new AtomicIntegerArray(MANY.count());
        others.run(work(MANY, done::incrementAndGet));
        assertThat(done.get(0)).isEqualTo(1);
        others.close();
        assertThatThrownBy(() -> Workers.of(0)).hasMessage("threads: must be at least 1, was 0");
    }
}
