package hocket.schedulers.optimizers.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import hocket.schedulers.optimizers.NativeArrays;
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
            NativeArrays.zeros(ElementType.FLOAT32, 10),
            NativeArrays.zeros(ElementType.FLOAT32, 600_000),
            NativeArrays.zeros(ElementType.FLOAT64, 5000)));

    private static KernelThreads.Work work(Chunks chunks, IntConsumer chunk) {
        return new KernelThreads.Work(chunks, (kernels, i) -> chunk.accept(i));
    }

    private static KernelThreads.Work met(Kernels[] by) {
        return new KernelThreads.Work(MANY, (kernels, i) -> by[i] = kernels);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void everyChunkIsDoneOnceInEveryPhase(int threads) {
        AtomicIntegerArray done = new AtomicIntegerArray(MANY.count());
        try (KernelThreads kernelThreads = KernelThreads.of(threads)) {
            assertThat(kernelThreads.threads()).isEqualTo(threads);
            for (int phase = 1; phase <= 500; phase++) {
                kernelThreads.run(work(MANY, done::incrementAndGet));
                for (int i = 0; i < MANY.count(); i++) {
                    assertThat(done.get(i)).isEqualTo(phase);
                }
            }
        }
    }

    @Test
    void aChunkAlwaysMeetsTheSameKernelsAndThePartsAreAboutEqual() {
        try (KernelThreads kernelThreads = KernelThreads.of(3)) {
            Kernels[] first = new Kernels[MANY.count()];
            kernelThreads.run(met(first));
            Kernels[] second = new Kernels[MANY.count()];
            kernelThreads.run(met(second));
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
        Chunks few = new Chunks(List.of(NativeArrays.zeros(ElementType.FLOAT32, 20_000)));
        try (KernelThreads kernelThreads = KernelThreads.of(3)) {
            Thread caller = Thread.currentThread();
            kernelThreads.run(work(few, i -> assertThat(Thread.currentThread()).isSameAs(caller)));
        }
    }

    @Test
    void theFailureOfAnyThreadIsThrownByTheCallerAndTheWorkersGoOn() {
        try (KernelThreads kernelThreads = KernelThreads.of(3)) {
            int last = MANY.count() - 1;
            assertThatThrownBy(() -> kernelThreads.run(work(MANY, i -> fail(i == last, "last"))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("last");
            assertThatThrownBy(() -> kernelThreads.run(work(MANY, i -> fail(i == 0, "first"))))
                    .hasMessage("first");
            Throwable all = catchThrowable(() -> kernelThreads.run(work(MANY, i -> fail(true, "all"))));
            assertThat(all).hasMessage("all");
            assertThat(all.getSuppressed()).hasSize(2);
            assertThatThrownBy(() -> kernelThreads.run(work(MANY, i -> {
                        throw new AssertionError("an error");
                    })))
                    .isInstanceOf(AssertionError.class);
            AtomicIntegerArray done = new AtomicIntegerArray(MANY.count());
            kernelThreads.run(work(MANY, done::incrementAndGet));
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
        try (KernelThreads kernelThreads = KernelThreads.of(2)) {
            AtomicIntegerArray done = new AtomicIntegerArray(MANY.count());
            Thread caller = Thread.currentThread();
            caller.interrupt();
            kernelThreads.run(work(MANY, i -> {
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
        try (KernelThreads kernelThreads = KernelThreads.of(2)) {
            assertThatThrownBy(() -> kernelThreads.run(work(MANY, i -> kernelThreads.run(work(MANY, j -> {})))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("workers: a phase is open, and there can be only one");
            // another thread may open the next one
            CountDownLatch done = new CountDownLatch(1);
            new Thread(() -> {
                        kernelThreads.run(work(MANY, i -> {}));
                        done.countDown();
                    })
                    .start();
            done.await();
        }
    }

    @Test
    void closingTwiceIsHarmlessAndRefusesFurtherWork() {
        KernelThreads kernelThreads = KernelThreads.of(3);
        KernelThreads others = KernelThreads.of(3);
        kernelThreads.close();
        kernelThreads.close();
        assertThatThrownBy(() -> kernelThreads.run(work(MANY, i -> {}))).hasMessage("workers: closed");
        AtomicIntegerArray done = new AtomicIntegerArray(MANY.count());
        others.run(work(MANY, done::incrementAndGet));
        assertThat(done.get(0)).isEqualTo(1);
        others.close();
        assertThatThrownBy(() -> KernelThreads.of(0)).hasMessage("threads: must be at least 1, was 0");
    }
}
