package hocket.workbench.training.processes;

import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.training.StopRequest;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Trains runs in parallel, in a number of processes, each of which trains one after the other. They end with this
 * process in any case; a person's request to stop saves and stops all. A failed run ends its process; the others
 * continue, in a new process.
 */
public final class SideBySide implements AutoCloseable {
    /** The largest number of parallel runs. */
    public static final int MOST = 64;

    /** The answer to a second request to stop while none of them trains. */
    public static final String AT_REST =
            "ended immediately: nothing is lost, and the same command with --resume continues";

    private static final long LOOK_MILLIS = 100;

    /** The time in which the holder of a folder, such as a run whose parent was killed, must release it. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

    private final CommandContext commandContext;
    private final int atOnce;
    private final StopRequest stopRequest;
    private final boolean quiet;
    private final List<WorkerSlot> workerSlots = new CopyOnWriteArrayList<>();
    private final BlockingQueue<WorkerSlot.News> news = new LinkedBlockingQueue<>();

    /**
     * @param atOnce number of processes, at least 1
     * @param stopRequest a person's request to stop
     * @param quiet whether nothing is shown
     */
    public SideBySide(CommandContext commandContext, int atOnce, StopRequest stopRequest, boolean quiet) {
        this.commandContext = commandContext;
        this.atOnce = atOnce;
        this.stopRequest = stopRequest;
        this.quiet = quiet;
    }

    /**
     * A run.
     *
     * @param name its name for people, such as {@code seed 7}
     * @param folder its folder
     * @param arguments of the command {@code run}
     */
    public record Job(String name, RunFolder folder, List<String> arguments) {
        /**
         * Returns a run of an experiment, which is resumed if its folder has one already.
         *
         * @param experiment a built-in one, or a file
         * @param changes overrides of a run that begins, each {@code key=value}
         * @param resumed overrides of a resumed run
         * @param jars jars and folders of classes
         * @param options further arguments
         */
        public static Job of(
                String name,
                RunFolder folder,
                String experiment,
                List<String> changes,
                List<String> resumed,
                List<String> jars,
                List<String> options) {
            boolean isThere = Files.isRegularFile(folder.experiment());
            List<String> arguments = new ArrayList<>(
                    isThere ? List.of(folder.toString(), "--resume") : List.of(experiment, "--out", folder.toString()));
            (isThere ? resumed : changes).forEach(change -> arguments.addAll(List.of("--set", change)));
            jars.forEach(jar -> arguments.addAll(List.of("--classpath", jar)));
            arguments.addAll(options);
            return new Job(name, folder, arguments);
        }
    }

    /**
     * The outcome of a run.
     *
     * @param status exit status of the command
     * @param reason why it failed; empty if it did not
     * @param seconds its duration, including the start of its process if it was started for it
     */
    public record Ended(Job job, int status, String reason, double seconds) {}

    /**
     * The report of a run that was not stopped.
     *
     * @param isFine whether it trained to its end and has a result
     * @param detail the result, or the reason why there is none; empty if neither is reported
     */
    public record Outcome(boolean isFine, String detail) {}

    /** @throws UserError if the number is out of range */
    public static void require(int atOnce) {
        if (atOnce < 1 || atOnce > MOST) {
            throw new UserError("--at-once must be 1 to " + MOST + ", was " + atOnce);
        }
    }

    /** Returns the threads of each run: those of its experiment, else an equal part of this machine's cores. */
    public static int threads(ExperimentFile file, int atOnce) {
        int said = file.spec().threads();
        return said > 0 ? said : threads(Runtime.getRuntime().availableProcessors(), atOnce);
    }

    static int threads(int cores, int atOnce) {
        return Math.max(1, cores / atOnce);
    }

    /** Reports the number of parallel runs. */
    public void announce(int threads) {
        say("runs     " + atOnce + " at once, each with " + NumberFormats.counted(threads, "thread")
                + "; Ctrl-C saves and stops them");
    }

    /** Reports how runs that were stopped are resumed; returns the exit status. */
    public int stopped() {
        say("next     the same command with --resume continues those that are not finished");
        return stopRequest.status();
    }

    private void say(String line) {
        if (!quiet) {
            commandContext.terminal().remark(line);
        }
    }

    /**
     * Runs all in order as processes become free, until the last has ended or a person asks to stop. Reports how each
     * ended.
     *
     * @param nouns their name, such as {@code seeds}
     * @param moreCome whether processes wait for further runs; otherwise each ends when there is no run for it
     * @param judge returns the outcome of each that was not stopped, on this thread
     */
    public void run(String nouns, List<Job> jobs, boolean moreCome, Function<Ended, Outcome> judge) {
        Deque<Job> waiting = new ArrayDeque<>(jobs);
        Overview overview = new Overview(commandContext.terminal(), nouns, jobs, quiet);
        long until = System.nanoTime() + PATIENCE_NANOS;
        stopRequest.at(new Stopping());
        try {
            while (!waiting.isEmpty() || !children().isEmpty()) {
                if (stopRequest.isRequested()) {
                    waiting.clear();
                    workerSlots.forEach(WorkerSlot::stop);
                } else {
                    fill(waiting, overview, until);
                }
                if (waiting.isEmpty() && !moreCome) {
                    workerSlots.stream().filter(WorkerSlot::isFree).forEach(WorkerSlot::stop);
                }
                WorkerSlot.News next = news.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    hear(next, overview, judge);
                }
                overview.look(children(), waiting.size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            overview.close();
        }
        stopRequest.atRest(AT_REST);
    }

    private List<ChildProcess> children() {
        return workerSlots.stream()
                .flatMap(workerSlot -> workerSlot.child().stream())
                .toList();
    }

    private void fill(Deque<Job> waiting, Overview overview, long until) {
        while (children().size() < atOnce) {
            Optional<Job> next = waiting.stream()
                    .filter(job -> System.nanoTime() > until || !job.folder().isHeld())
                    .findFirst();
            if (next.isEmpty()) {
                return;
            }
            Job job = next.get();
            waiting.remove(job);
            job.folder().create();
            overview.begun(job);
            begin(new ChildProcess(job), overview.columns());
        }
    }

    private void begin(ChildProcess childProcess, int columns) {
        if (workerSlots.stream().filter(WorkerSlot::isFree).noneMatch(workerSlot -> workerSlot.takes(childProcess))) {
            workerSlots.add(new WorkerSlot(childProcess, commandContext.here(), columns, news::add));
        }
    }

    private void hear(WorkerSlot.News next, Overview overview, Function<Ended, Outcome> judge) {
        WorkerSlot workerSlot = next.slot();
        Optional<ChildProcess> ended = workerSlot.child();
        workerSlot.free();
        if (next.isOver()) {
            workerSlots.remove(workerSlot);
        }
        ended.ifPresent(childProcess -> {
            overview.ended(childProcess);
            Ended what = next.isOver() ? childProcess.whenOver(workerSlot.status()) : childProcess.whenDone();
            boolean wasStopped = stopRequest.isRequested()
                    && (what.status() == ParentProcess.STOPPED || ChildExitStatus.isOfSignal(what.status()));
            if (!wasStopped) {
                Outcome outcome = judge.apply(what);
                say(childProcess.job().name()
                        + (outcome.isFine() ? " is done after " : " failed after ")
                        + NumberFormats.clock(what.seconds())
                        + (outcome.detail().isEmpty() ? "" : ": " + outcome.detail()));
            }
        });
    }

    /** Ends the processes and waits for them; those left after an error end at once. */
    @Override
    public void close() {
        workerSlots.forEach(workerSlot -> {
            if (workerSlot.child().isEmpty()) {
                workerSlot.stop();
            } else {
                workerSlot.kill();
            }
        });
        workerSlots.forEach(WorkerSlot::await);
    }

    /** The state while runs train in other processes. */
    private final class Stopping implements StopRequest.Stage {
        @Override
        public List<String> first() {
            return List.of(
                    "stopping: finishing the turns, then saving",
                    "a second request ends all immediately: turns after their last checkpoints are lost");
        }

        @Override
        public String atOnce() {
            return "ended immediately: turns after the last checkpoints are lost; the same command with --resume continues";
        }

        @Override
        public void end() {
            workerSlots.forEach(WorkerSlot::kill);
        }
    }
}
