package hocket.rl.envs.gymnasium;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A process of Python that steps environments of Gymnasium, by the protocol that {@code worker.py} describes. Requests are
 * answered in their order, so several can be under way: {@link #send} one, and {@link #await} its answer later. A process
 * that does not answer in time is ended. Locked by itself.
 */
final class PythonWorker {
    static final String PROGRAM = program();
    private static final int TICKS_A_SECOND = 4;

    /** The seconds in which Python must start. */
    private static final int STARTING = 30;

    /** The bytes of requests that may be under way: as long as they fit into a pipe, neither side waits for the other. */
    private static final int MOST_BYTES = 1 << 15;

    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "python-workers");
        thread.setDaemon(true);
        return thread;
    });

    /** The reader of an answer. */
    interface Receiver {
        /** Reads the answer of a request, or keeps the failure for who asks. */
        void receive(PythonWorker from);
    }

    /** Says that an answer was lost because the process ended by another request, so that the same one may be sent again. */
    static final class LostAnswerException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        LostAnswerException(@Nullable Exception cause) {
            super("Python has ended before it answered", cause);
        }
    }

    private final Process process;
    private final OutputStream requests;
    private final InputStream answers;
    private final Deque<Receiver> sent = new ArrayDeque<>();
    private final ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>();
    private final PythonOutput output;
    private final ScheduledFuture<?> watch;
    private final int timeout;
    private ByteBuffer request = buffer(1 << 12);
    private ByteBuffer answer = buffer(1 << 12);
    private int bytesSent;
    private int numbered;
    private volatile long answered;
    private volatile boolean isWaitedFor;
    private volatile boolean isHung;
    private volatile boolean isDead;

    /**
     * Starts a process.
     *
     * @param timeout the seconds after which a request that is not answered fails; the process is ended then
     * @throws IllegalStateException if there is no such program
     */
    PythonWorker(int timeout) {
        this.timeout = timeout;
        String python = interpreter();
        ProcessBuilder builder = new ProcessBuilder(python, "-u", "-c", PROGRAM);
        builder.environment().putIfAbsent("OMP_NUM_THREADS", "1"); // the processes are as many as the cores
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "there is no program " + python + ": install Python, or set HOCKET_PYTHON to its program", e);
        }
        requests = process.getOutputStream();
        answers = process.getInputStream();
        output = new PythonOutput(process);
        watch = WATCH.scheduleAtFixedRate(
                new Watch(this), 1000 / TICKS_A_SECOND, 1000 / TICKS_A_SECOND, TimeUnit.MILLISECONDS);
    }

    /** The program that runs Python: the environment variable {@code HOCKET_PYTHON}, or {@code python3}. */
    static String interpreter() {
        return Objects.requireNonNullElse(System.getenv("HOCKET_PYTHON"), "python3");
    }

    private static String program() {
        try (InputStream in = PythonWorker.class.getResourceAsStream("worker.py")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("worker.py cannot be read from Hocket's jar", e);
        }
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }

    /** Ends a process that has not answered for too long, by ticks. Holds no worker that nobody else needs. */
    private static final class Watch implements Runnable {
        private final WeakReference<PythonWorker> watched;
        private long before;
        private int ticks;

        Watch(PythonWorker worker) {
            watched = new WeakReference<>(worker);
        }

        @Override
        public void run() {
            PythonWorker worker = watched.get();
            if (worker == null) {
                return;
            }
            boolean isStill = worker.isWaitedFor && worker.answered == before;
            before = worker.answered;
            ticks = isStill ? ticks + 1 : 0;
            if (ticks == worker.patience() * TICKS_A_SECOND + 1) {
                worker.isHung = true;
                worker.output.clear();
                worker.process.toHandle().destroy(); // Python says in which line it is; its streams stay open
            } else if (ticks > (worker.patience() + 1) * TICKS_A_SECOND) {
                worker.process.destroyForcibly();
            }
        }
    }

    /** The seconds that an answer may take; the first waits for Python to start and to import packages. */
    private int patience() {
        return answered == 0 ? timeout + STARTING : timeout;
    }

    /** Returns whether the process takes no more requests. */
    boolean isDead() {
        return isDead;
    }

    /** Returns the number of a new environment, which may have been that of one that is gone. */
    synchronized int number() {
        Integer freed = free.poll();
        return freed == null ? numbered++ : freed;
    }

    /** Returns what gives the number of an environment that is gone back. It does not refer to this worker. */
    Runnable freeing(int number) {
        ConcurrentLinkedQueue<Integer> numbers = free;
        return () -> numbers.add(number);
    }

    /** Begins a request. */
    PythonWorker request(char operation, int environment) {
        request.clear();
        room(1 + Integer.BYTES);
        request.put((byte) operation).putInt(environment);
        return this;
    }

    PythonWorker with(int number) {
        room(Integer.BYTES);
        request.putInt(number);
        return this;
    }

    PythonWorker with(long number) {
        room(Long.BYTES);
        request.putLong(number);
        return this;
    }

    PythonWorker with(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        room(Integer.BYTES + bytes.length);
        request.putInt(bytes.length).put(bytes);
        return this;
    }

    PythonWorker with(float[] numbers, int at, int count) {
        room(count * Float.BYTES);
        for (int i = 0; i < count; i++) {
            request.putFloat(numbers[at + i]);
        }
        return this;
    }

    private void room(int bytes) {
        if (request.remaining() < bytes) {
            ByteBuffer more = buffer(2 * (request.position() + bytes));
            request = more.put(request.flip());
        }
    }

    /**
     * Sends the request.
     *
     * @param reader is called by {@link #await}
     * @throws IllegalStateException if the process has ended; a {@link LostAnswerException} if that is the failure of
     *     another environment
     */
    void send(Receiver reader) {
        if (bytesSent + request.position() > MOST_BYTES) {
            receiveAll();
        }
        write();
        sent.addLast(reader);
        bytesSent += request.position();
    }

    private void write() {
        try {
            requests.write(request.array(), 0, request.position());
            requests.flush();
        } catch (IOException e) {
            receiveAll(); // the process has ended in an earlier request, if one is not answered
            throw ended(e);
        }
    }

    /**
     * Sends the request and reads its answer, after all that are under way.
     *
     * @param reading reads the answer after its first byte
     * @throws IllegalStateException as {@link #begin}
     */
    <T> T ask(Function<PythonWorker, T> reading) {
        ask();
        return reading.apply(this);
    }

    /**
     * Sends the request and reads the first byte of its answer, after all that are under way.
     *
     * @throws IllegalStateException as {@link #begin}
     */
    void ask() {
        receiveAll();
        write();
        begin();
    }

    /** Receives all answers up to that of the reader's last request. */
    void await(Receiver reader) {
        while (sent.contains(reader)) {
            receiveNext();
        }
    }

    private void receiveAll() {
        while (!sent.isEmpty()) {
            receiveNext();
        }
    }

    private void receiveNext() {
        sent.removeFirst().receive(this);
        bytesSent = sent.isEmpty() ? 0 : bytesSent;
    }

    /**
     * Reads the beginning of an answer.
     *
     * @throws IllegalStateException if the process has ended, is ended because it did not answer in time, or Python raised an
     *     exception, which the message says
     */
    void begin() {
        isWaitedFor = true;
        try {
            byte kind = bytes(1).get();
            isHung = false;
            if (kind != 'O' && kind != 'E') {
                close();
                throw new IllegalStateException(
                        "Python's answer is damaged, and it was ended: something else has written to its pipe");
            }
            if (kind == 'E') {
                String line = text();
                throw new IllegalStateException(line, new PythonTraceback(text()));
            }
        } finally {
            answered++;
            isWaitedFor = false;
        }
    }

    /** Reads this many bytes of the answer. */
    ByteBuffer bytes(int count) {
        if (answer.capacity() < count) {
            answer = buffer(2 * count);
        }
        int read;
        try {
            read = answers.readNBytes(answer.array(), 0, count);
        } catch (IOException e) {
            throw ended(e);
        }
        if (read < count) {
            throw ended(null);
        }
        return answer.clear().limit(count);
    }

    /** Reads a text of the answer. */
    String text() {
        int length = bytes(Integer.BYTES).getInt();
        ByteBuffer bytes = bytes(length);
        return new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
    }

    private IllegalStateException ended(@Nullable Exception cause) {
        if (isDead) {
            return new LostAnswerException(cause);
        }
        try {
            boolean hasEnded = process.waitFor(1, TimeUnit.SECONDS); // its output has ended before it
            output.await(hasEnded ? 1000 : 1); // closing loses lines that were not read
            close();
            int status = process.waitFor();
            output.await(1000);
            return new IllegalStateException(isHung ? hung() : ended(status), output.causeOr(cause));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new IllegalStateException("Python has ended", e);
        }
    }

    private String hung() {
        String place = output.place();
        return "Python has not answered for " + patience() + " seconds" + (place.isEmpty() ? "" : " in " + place)
                + ", and was ended; environments.python.timeout"
                + (answered == 0 ? " and " + STARTING + " to start it" : "");
    }

    private String ended(int status) {
        String how = status > 128 ? "by signal " + (status - 128) : "with status " + status;
        String last = output.lastLine();
        return "Python has ended " + how + (last.isEmpty() ? "" : ": " + last);
    }

    /** Ends the process. */
    void close() {
        isDead = true;
        closing().run();
    }

    /** Returns what ends the process, without a reference to this worker and to the environments that wait for it. */
    Runnable closing() {
        ScheduledFuture<?> ticking = watch;
        Process ended = process;
        return () -> {
            ticking.cancel(false);
            ended.destroyForcibly();
        };
    }
}
