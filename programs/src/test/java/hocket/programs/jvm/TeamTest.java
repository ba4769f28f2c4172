package hocket.programs.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

class TeamTest {
    @Test
    void everyPartIsDoneOncePerPhase() {
        for (int threads = 1; threads <= 4; threads++) {
            AtomicIntegerArray done = new AtomicIntegerArray(threads);
            try (Team team = new Team(threads)) {
                assertEquals(threads, team.threads());
                for (int i = 0; i < 1000; i++) {
                    team.runOrAlone((part, parts) -> {
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
        try (Team team = new Team(3)) {
            for (int i = 1; i <= 30; i++) {
                int value = i;
                team.runOrAlone((part, parts) -> written[part] = value);
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
        try (Team team = new Team(3)) {
            Throwable thrown = assertThrows(
                    IllegalStateException.class,
                    () -> team.runOrAlone((part, parts) -> {
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
            team.runOrAlone((part, parts) -> ended.incrementAndGet());
            assertEquals(6, ended.get());
        }
    }

    @Test
    void aFailureOfTheCallersPartIsThrownToo() {
        try (Team team = new Team(2)) {
            AssertionError failure = assertThrows(
                    AssertionError.class,
                    () -> team.runOrAlone((part, parts) -> {
                        if (part == 0) {
                            throw new AssertionError("mine");
                        }
                    }));
            assertEquals("mine", failure.getMessage());
        }
    }

    @Test
    void theCallerDoesWhatOthersAreTooLateFor() throws InterruptedException {
        try (Team team = new Team(32)) {
            for (int i = 0; i < 20; i++) {
                Thread.sleep(1); // the others have parked
                AtomicIntegerArray done = new AtomicIntegerArray(32);
                Thread[] by = new Thread[32];
                team.runOrAlone((part, parts) -> {
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
    void whoFindsAPhaseOpenDoesAllPartsAlone() {
        AtomicIntegerArray inner = new AtomicIntegerArray(2);
        AtomicInteger elsewhere = new AtomicInteger();
        try (Team team = new Team(2)) {
            team.runOrAlone((part, parts) -> {
                Thread caller = Thread.currentThread();
                team.runOrAlone((innerPart, innerParts) -> {
                    assertEquals(2, innerParts);
                    inner.incrementAndGet(innerPart);
                    elsewhere.addAndGet(Thread.currentThread() == caller ? 0 : 1);
                });
            });
        }
        assertEquals(2, inner.get(0));
        assertEquals(2, inner.get(1));
        assertEquals(0, elsewhere.get());
    }

    @Test
    void aClosedTeamHasNoThreadsLeft() {
        AtomicReferenceArray<Thread> by = new AtomicReferenceArray<>(2);
        Team team = new Team(2);
        team.runOrAlone((part, parts) -> {
            by.set(part, Thread.currentThread());
            while (by.get(1) == null) { // so that the caller has no time for the other part
                Thread.onSpinWait();
            }
        });
        Thread member = by.get(1);
        assertTrue(member.isDaemon());
        team.close();
        team.close();
        assertFalse(member.isAlive());
        assertThrows(IllegalArgumentException.class, () -> new Team(0));
        assertThrows(IllegalArgumentException.class, () -> new Team(33));
    }
}
