package hocket.programs.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Teams whose threads park at once, as with one processor, and whose threads spin before. */
@ParameterizedClass
@ValueSource(ints = {0, 20_000})
class TeamTest {
    private final int looks;

    TeamTest(int looks) {
        this.looks = looks;
    }

    @Test
    void everyPartIsDoneOncePerPhase() {
        for (int threads = 1; threads <= 4; threads++) {
            AtomicIntegerArray done = new AtomicIntegerArray(threads);
            try (ThreadTeam threadTeam = new ThreadTeam(threads, looks)) {
                assertEquals(threads, threadTeam.threads());
                for (int i = 0; i < 1000; i++) {
                    threadTeam.run((part, parts) -> {
                        assertEquals(done.length(), parts);
                        done.incrementAndGet(part);
                    });
                }
            }
            for (int part = 0; part < threads; part++) {
                assertEquals(1000, done.get(part));
            }
        }
    }

    @Test
    void theCallerSeesWhatTheOthersWroteAlsoWhenTheyHadGoneToSleep() throws InterruptedException {
        int[] written = new int[3];
        try (ThreadTeam threadTeam = new ThreadTeam(3, looks)) {
            for (int i = 1; i <= 30; i++) {
                int value = i;
                threadTeam.run((part, parts) -> written[part] = value);
                for (int w : written) {
                    assertEquals(i, w);
                }
                Thread.sleep(i % 3);
            }
        }
    }

    @Test
    void aFailureIsThrownWhenAllPartsHaveEnded() {
        RuntimeException first = new IllegalStateException("first");
        Error second = new AssertionError("second");
        AtomicInteger ended = new AtomicInteger();
        try (ThreadTeam threadTeam = new ThreadTeam(3, looks)) {
            Throwable thrown = assertThrows(
                    IllegalStateException.class,
                    () -> threadTeam.run((part, parts) -> {
                        ended.incrementAndGet();
                        if (part == 1) {
                            throw first;
                        }
                        if (part == 2) {
                            throw second;
                        }
                    }));
            assertSame(first, thrown);
            assertSame(second, thrown.getSuppressed()[0]);
            assertEquals(3, ended.get());
            threadTeam.run((part, parts) -> ended.incrementAndGet());
            assertEquals(6, ended.get());
        }
    }

    @Test
    void aFailureOfTheCallersPartIsThrownToo() {
        try (ThreadTeam threadTeam = new ThreadTeam(2, looks)) {
            AssertionError failure = assertThrows(
                    AssertionError.class,
                    () -> threadTeam.run((part, parts) -> {
                        if (part == 0) {
                            throw new AssertionError("mine");
                        }
                    }));
            assertEquals("mine", failure.getMessage());
        }
    }

    @Test
    void theCallerDoesWhatOthersAreTooLateFor() throws InterruptedException {
        try (ThreadTeam threadTeam = new ThreadTeam(32, looks)) {
            for (int i = 0; i < 20; i++) {
                Thread.sleep(1); // the others have parked
                AtomicIntegerArray done = new AtomicIntegerArray(32);
                Thread[] by = new Thread[32];
                threadTeam.run((part, parts) -> {
                    done.incrementAndGet(part);
                    by[part] = Thread.currentThread();
                });
                for (int part = 0; part < 32; part++) {
                    assertEquals(1, done.get(part));
                }
                assertSame(Thread.currentThread(), by[0]);
            }
        }
    }

    @Test
    void aPhaseWithinAPhaseIsDoneByWhoOpensIt() {
        try (ThreadTeam threadTeam = new ThreadTeam(2, looks)) {
            AtomicInteger inner = new AtomicInteger();
            threadTeam.run((part, parts) -> {
                Thread opener = Thread.currentThread();
                threadTeam.run((own, of) -> {
                    assertEquals(2, of);
                    assertSame(opener, Thread.currentThread());
                    inner.incrementAndGet();
                });
            });
            assertEquals(4, inner.get());
        }
    }

    @Test
    void aClosedTeamHasNoThreadsLeftAndLeavesAllToTheCaller() {
        AtomicReferenceArray<Thread> by = new AtomicReferenceArray<>(2);
        ThreadTeam threadTeam = new ThreadTeam(2, looks);
        threadTeam.run((part, parts) -> {
            by.set(part, Thread.currentThread());
            while (by.get(1) == null) { // so that the caller has no time for the other part
                Thread.onSpinWait();
            }
        });
        Thread member = by.get(1);
        assertTrue(member.isDaemon());
        threadTeam.close();
        threadTeam.close();
        assertFalse(member.isAlive());
        AtomicInteger done = new AtomicInteger();
        threadTeam.run((part, parts) -> done.incrementAndGet());
        assertEquals(2, done.get());
        assertThrows(IllegalArgumentException.class, () -> new ThreadTeam(0, looks));
        assertThrows(IllegalArgumentException.class, () -> new ThreadTeam(33, looks));
    }

    @Test
    void aSharedTeamIsOneAndEndsWithItsLastUser() {
        ThreadTeam first = ThreadTeam.shared(3);
        ThreadTeam second = ThreadTeam.shared(3);
        assertSame(first, second);
        AtomicReferenceArray<Thread> by = new AtomicReferenceArray<>(3);
        second.run((part, parts) -> {
            by.set(part, Thread.currentThread());
            while (by.get(1) == null || by.get(2) == null) {
                Thread.onSpinWait();
            }
        });
        first.release();
        assertTrue(by.get(1).isAlive());
        second.release();
        assertFalse(by.get(1).isAlive() && by.get(2).isAlive());
    }
}
