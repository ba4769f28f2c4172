package hocket.workbench.processes;

import hocket.scopes.Heap;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.reports.Display;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The process that started this one to train runs, one after the other, side by side with others: a {@link Slot} is how it sees
 * this one. On standard input it gives a run a line. It is told on standard output how far that is, and that it is done. One that
 * is not done well ends this process, so that nothing of what went wrong meets the next; so do runs that leave much of the memory
 * taken. When standard input ends, because the parent closes it or has ended in whatever way, the run saves where it is and
 * stops, and no other begins.
 */
public final class Parent {
    /** The command that works for one. */
    public static final String COMMAND = "slot";

    /** What it is told when a run is done, and the next may come. */
    static final String DONE = "done";

    /** What it is told when a run is done, and no other may come. */
    static final String LAST = "last";

    /** The status of a process that it had stop. */
    static final int STOPPED = 128 + StopRequest.TERMINATED;

    private static final long LOOK_MILLIS = 1000;
    /** So long one without a parent may take to end its turn and save. */
    private static final int LOOKS = 30;

    /** Runs that are over may leave so much of the heap taken: a part of it. */
    private static final long LEFT = 4;

    private static final String GAP = " ";

    private final PrintStream out;
    private final int columns;
    private final BlockingQueue<Optional<List<String>>> given = new LinkedBlockingQueue<>();
    private @Nullable StopRequest stopRequest;
    private boolean isGone;

    /**
     * @param in what it says
     * @param out what it is told
     * @param columns how wide a line may be
     */
    public Parent(InputStream in, PrintStream out, int columns) {
        this.out = out;
        this.columns = columns;
        Thread listening = new Thread(() -> listen(in), "parent");
        listening.setDaemon(true);
        listening.start();
    }

    /**
     * What it is told of a run on its way.
     *
     * @param done how much of what it is to train, from 0 to 1
     */
    record Told(double done, String line) {
        /** Empty where it is no line of a {@link Parent}. */
        static Optional<Told> of(String text) {
            int tab = text.indexOf('\t');
            return text.matches("[01]\\.\\d{1,9}\\t.*")
                    ? Optional.of(new Told(Double.parseDouble(text.substring(0, tab)), text.substring(tab + 1)))
                    : Optional.empty();
        }

        String text() {
            return String.format(Locale.ROOT, "%.4f\t%s", Math.max(0, Math.min(1, done)), line);
        }
    }

    /** The arguments of a run as a line, whatever is in them. */
    static String line(List<String> arguments) {
        return arguments.stream()
                .map(argument -> URLEncoder.encode(argument, StandardCharsets.UTF_8))
                .collect(Collectors.joining(GAP));
    }

    /** Takes back what {@link #line} wrote. */
    static List<String> arguments(String line) {
        return Stream.of(line.split(GAP, -1))
                .map(argument -> URLDecoder.decode(argument, StandardCharsets.UTF_8))
                .toList();
    }

    /** What opens all that a process says of a run on standard error. */
    static String process(long pid) {
        return "process " + pid;
    }

    /**
     * Trains what it gives until it gives no more, one is not done well, or memory is not given back.
     *
     * @param remark says something on standard error
     * @param run trains by the arguments of {@code run}, and gives an exit status
     * @return that of the last; 0 where none was given
     */
    public int serve(Consumer<String> remark, ToIntFunction<List<String>> run) {
        try {
            for (Optional<List<String>> next = given.take(); next.isPresent(); next = given.take()) {
                remark.accept(process(ProcessHandle.current().pid()));
                int status = run.applyAsInt(next.get());
                stops(null);
                if (status != 0) {
                    return status;
                }
                if (Heap.held() > Heap.most() / LEFT) {
                    tell(LAST);
                    return 0;
                }
                tell(DONE);
            }
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a run was waited for", e);
        }
    }

    /** Has it stop the run that trains from now on; at once where it is gone already. */
    public void stops(@Nullable StopRequest run) {
        boolean isLate;
        synchronized (this) {
            stopRequest = run;
            isLate = isGone;
        }
        if (isLate && run != null) {
            run.request(StopRequest.TERMINATED);
        }
    }

    /**
     * Where it is shown how far a run is.
     *
     * @param part of the budget that is trained, from 0 to 1
     */
    public Display display(double part) {
        return new Display() {
            @Override
            public boolean inPlace() {
                return true;
            }

            @Override
            public int columns() {
                return columns;
            }

            @Override
            public void show(double done, String line) {
                tell(new Told(done / part, line).text());
            }
        };
    }

    /** A class of a user's own may have printed something without an end of line. */
    private void tell(String line) {
        out.print("\n" + line + "\n");
        out.flush();
    }

    private void listen(InputStream in) {
        Optional<ProcessHandle> process = ProcessHandle.current().parent();
        try (BufferedReader said = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                given.add(Optional.of(arguments(line)));
            }
        } catch (IOException e) {
            // nobody is there
        }
        goes();
        given.add(Optional.empty());
        for (int alone = 0; alone < LOOKS; alone += isAlive(process) ? 0 : 1) {
            sleep();
        }
        goes(); // and the run did not end by itself: ends the process
    }

    private void goes() {
        StopRequest now;
        synchronized (this) {
            isGone = true;
            now = stopRequest;
        }
        if (now != null) {
            now.request(StopRequest.TERMINATED);
        }
    }

    private static boolean isAlive(Optional<ProcessHandle> process) {
        return process.filter(ProcessHandle::isAlive).isPresent();
    }

    private static void sleep() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
