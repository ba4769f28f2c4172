package hocket.workbench.training.processes;

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
 * The connection to the process that started this one to train runs in sequence, in parallel with others; its side is
 * {@link WorkerSlot}. Standard input has one run a line. Progress and results are reported on standard output. A failed run
 * ends this process, so that the next starts in a clean one; so do runs that leave much memory in use. When standard
 * input ends, the run saves its state and stops, and no other begins.
 */
public final class ParentProcess {
    /** The command that starts this process. */
    public static final String COMMAND = "slot";

    /** The report that a run is done, and the next may begin. */
    static final String DONE = "done";

    /** The report that a run is done, and no other may begin. */
    static final String LAST = "last";

    /** The exit status of a stopped process. */
    static final int STOPPED = 128 + StopRequest.TERMINATED;

    private static final long LOOK_MILLIS = 1000;
    /** The time in which a process without a parent must end its turn and save. */
    private static final int LOOKS = 30;

    /** The fraction of the heap that completed runs may leave in use. */
    private static final long LEFT = 4;

    private static final String GAP = " ";

    private final PrintStream out;
    private final int columns;
    private final BlockingQueue<Optional<List<String>>> given = new LinkedBlockingQueue<>();
    private @Nullable StopRequest stopRequest;
    private boolean isGone;

    /**
     * @param in the runs that the parent requests
     * @param out receives the reports
     * @param columns largest width of a line
     */
    public ParentProcess(InputStream in, PrintStream out, int columns) {
        this.out = out;
        this.columns = columns;
        Thread listening = new Thread(() -> listen(in), "parent");
        listening.setDaemon(true);
        listening.start();
    }

    /**
     * A progress report of a run.
     *
     * @param done the completed fraction, from 0 to 1
     */
    record ProgressReport(double done, String line) {
        /** Reads a report; empty if it is not a line of a {@link ParentProcess}. */
        static Optional<ProgressReport> of(String text) {
            int tab = text.indexOf('\t');
            return text.matches("[01]\\.\\d{1,9}\\t.*")
                    ? Optional.of(
                            new ProgressReport(Double.parseDouble(text.substring(0, tab)), text.substring(tab + 1)))
                    : Optional.empty();
        }

        String text() {
            return String.format(Locale.ROOT, "%.4f\t%s", Math.max(0, Math.min(1, done)), line);
        }
    }

    /** Returns the arguments of a run as one line, whatever their content. */
    static String line(List<String> arguments) {
        return arguments.stream()
                .map(argument -> URLEncoder.encode(argument, StandardCharsets.UTF_8))
                .collect(Collectors.joining(GAP));
    }

    /** Reads a line that {@link #line} wrote. */
    static List<String> arguments(String line) {
        return Stream.of(line.split(GAP, -1))
                .map(argument -> URLDecoder.decode(argument, StandardCharsets.UTF_8))
                .toList();
    }

    /** The line before a run's output on standard error. */
    static String process(long pid) {
        return "process " + pid;
    }

    /**
     * Trains the runs that it receives until there are no more, one fails, or memory stays in use.
     *
     * @param remark prints on standard error
     * @param run trains with the arguments of {@code run}, and returns an exit status
     * @return the status of the last; 0 if there was none
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

    /** Stops the current run; at once if the parent is gone already. */
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
     * Returns a display of a run's progress.
     *
     * @param part the fraction of the budget that is trained, from 0 to 1
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
                tell(new ProgressReport(done / part, line).text());
            }
        };
    }

    /** A user's class may have printed an unfinished line. */
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
        stopOrphan(false);
        given.add(Optional.empty());
        for (int alone = 0; alone < LOOKS; alone += isAlive(process) ? 0 : 1) {
            sleep();
        }
        stopOrphan(true); // and the run did not end by itself: ends the process
    }

    /** @param again whether it is asked although it was asked before, by a signal to all processes of its group for example */
    private void stopOrphan(boolean again) {
        StopRequest now;
        synchronized (this) {
            isGone = true;
            now = stopRequest;
        }
        if (now != null && (again || !now.isAsked())) {
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
