package hocket.workbench.command.bench;

import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.RowBatch;
import hocket.workbench.online.RowFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how many rows a second a queue acknowledges to eight clients, each of which waits for an answer before the
 * next request. A row is two floats and a label.
 */
final class QueueAppends {
    private static final RowFormat FORMAT = new RowFormat(List.of(
            new Column("x", Shape.of(2), ElementType.FLOAT32), new Column("label", Shape.scalar(), ElementType.INT64)));
    private static final int CLIENTS = 8;
    private static final int MANY = 100;
    private static final int ROUNDS = 3;
    private static final long ROUND_NANOS = 1_000_000_000L;

    private QueueAppends() {}

    /** Measures with and without forced writes, in batches of 1 and 100 rows: {@code queue/append/forced/8x1}. */
    static List<Measurement> measure(String name) {
        List<Measurement> measurements = new ArrayList<>();
        for (boolean forced : new boolean[] {true, false}) {
            for (int rows : new int[] {1, MANY}) {
                double best = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    best = Math.max(best, rate(forced, rows));
                }
                String what = name + (forced ? "/forced/" : "/unforced/") + CLIENTS + "x" + rows;
                measurements.add(new Measurement(what, best, "rows/s", CLIENTS));
            }
        }
        return measurements;
    }

    private static double rate(boolean forced, int rows) {
        return SavingCosts.inFolder(folder -> {
            AtomicLong acknowledged = new AtomicLong();
            try (DurableQueue queue = DurableQueue.open(folder.resolve("queue"), FORMAT, Long.MAX_VALUE / 2, forced)) {
                long start = System.nanoTime();
                List<Thread> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    String client = "client-" + i;
                    Thread thread = new Thread(() -> acknowledged.addAndGet(appended(queue, client, rows, start)));
                    thread.start();
                    clients.add(thread);
                }
                clients.forEach(QueueAppends::join);
                double seconds = (System.nanoTime() - start) * 1e-9;
                if (queue.end() != acknowledged.get()) {
                    throw new IllegalStateException(
                            acknowledged + " rows were acknowledged, and " + queue.end() + " are there");
                }
                return acknowledged.get() / seconds;
            }
        });
    }

    private static long appended(DurableQueue queue, String client, int rows, long start) {
        RowBatch.Builder batch = new RowBatch.Builder(FORMAT);
        for (int i = 0; i < rows; i++) {
            batch.add(0, i);
            batch.add(0, -i);
            batch.add(1, i);
        }
        RowBatch same = batch.end(rows);
        long next = 0;
        while (System.nanoTime() - start < ROUND_NANOS) {
            next = queue.append(client, next, same).next();
        }
        return next;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
