package hocket.workbench.processes;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.UserError;
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
 * Runs side by side: so many processes at a time, each of which trains one after the other. They end with this process, however
 * it ends; a person who asks to stop has all of them save and stop. A run that fails ends its process and keeps none of the
 * others from being run, in one that is started anew.
 */
public final class SideBySide implements AutoCloseable {
    /** How many may train at a time. */
    public static final int MOST = 64;

    /** What a person who asks twice to stop is told while none of them trains. */
    public static final String AT_REST = "ended at once: nothing is lost, and the same command with --resume goes on";

    private static final long LOOK_MILLIS = 100;

    /** So long what holds a folder may take to let go of it, such as a run whose parent was killed a moment ago. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

    private final CommandContext commandContext;
    private final int atOnce;
    private final StopRequest stopRequest;
    private final boolean quiet;
    private final List<Slot> slots = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Slot.News> news = new LinkedBlockingQueue<>();

    /**
     * @param atOnce how many, from 1 on
     * @param stopRequest may be asked by a person
     * @param quiet whether nothing is to be shown
     */
    public SideBySide(CommandContext commandContext, int atOnce, StopRequest stopRequest, boolean quiet) {
        this.commandContext = commandContext;
        this.atOnce = atOnce;
        this.stopRequest = stopRequest;
        this.quiet = quiet;
    }

    /**
     * One run.
     *
     * @param name for people, such as {@code seed 7}
     * @param folder where it begins or goes on
     * @param arguments of the command {@code run}
     */
    public record Job(String name, RunFolder folder, List<String> arguments) {
        /**
         * A run of an experiment, which is resumed where its folder holds one already.
         *
         * @param experiment one that is built in, or a file
         * @param changes settings of a run that begins, each {@code key=value}
         * @param resumed settings of one that is resumed
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
     * What came of it.
     *
     * @param status of the command
     * @param reason why it failed; empty where it did not
     * @param seconds how long it took, with the start of its process where that had to be started
     */
    public record Ended(Job job, int status, String reason, double seconds) {}

    /**
     * How a run that was not stopped is reported.
     *
     * @param isFine whether it trained to its end and has a result
     * @param detail the result, or the reason why there is none; empty where neither is reported
     */
    public record Outcome(boolean isFine, String detail) {}

    /** @throws UserError if so many at a time are none, or too many */
    public static void require(int atOnce) {
        if (atOnce < 1 || atOnce > MOST) {
            throw new UserError("--at-once must be 1 to " + MOST + ", was " + atOnce);
        }
    }

    /** Threads of each run: those that its experiment names, else an equal part of this machine's cores. */
    public static int threads(ExperimentFile file, int atOnce) {
        int said = file.spec().threads();
        return said > 0 ? said : threads(Runtime.getRuntime().availableProcessors(), atOnce);
    }

    static int threads(int cores, int atOnce) {
        return Math.max(1, cores / atOnce);
    }

    /** Reports how many train at a time. */
    public void announce(int threads) {
        say("runs     " + atOnce + " at once, each with " + NumberFormats.counted(threads, "thread")
                + "; Ctrl-C saves and stops them");
    }

    /** Reports how runs that were stopped are resumed; returns the exit status. */
    public int stopped() {
        say("next     the same command with --resume goes on with those that are not finished");
        return stopRequest.status();
    }

    private void say(String line) {
        if (!quiet) {
            commandContext.terminal().remark(line);
        }
    }

    /**
     * Runs all, in their order as far as there is room, until the last has ended or a person asks to stop. Reports how each ended.
     *
     * @param nouns what they are, such as {@code seeds}
     * @param moreCome whether processes wait for what is run after these; otherwise each ends when nothing is left for it
     * @param judge gives the outcome of each that was not stopped, on this thread
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
                    slots.forEach(Slot::stop);
                } else {
                    fill(waiting, overview, until);
                }
                if (waiting.isEmpty() && !moreCome) {
                    slots.stream().filter(Slot::isFree).forEach(Slot::stop);
                }
                Slot.News next = news.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
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

    private List<Child> children() {
        return slots.stream().flatMap(slot -> slot.child().stream()).toList();
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
            begin(new Child(job), overview.columns());
        }
    }

    private void begin(Child child, int columns) {
        if (slots.stream().filter(Slot::isFree).noneMatch(slot -> slot.takes(child))) {
            slots.add(new Slot(child, commandContext.here(), columns, news::add));
        }
    }

    private void hear(Slot.News next, Overview overview, Function<Ended, Outcome> judge) {
        Slot slot = next.slot();
        Optional<Child> ended = slot.child();
        slot.free();
        if (next.isOver()) {
            slots.remove(slot);
        }
        ended.ifPresent(child -> {
            overview.ended(child);
            Ended what = next.isOver() ? child.whenOver(slot.status()) : child.whenDone();
            boolean wasStopped = stopRequest.isRequested() && what.status() == Parent.STOPPED;
            if (!wasStopped) {
                Outcome outcome = judge.apply(what);
                say(child.job().name()
                        + (outcome.isFine() ? " is done after " : " failed after ")
                        + NumberFormats.clock(what.seconds())
                        + (outcome.detail().isEmpty() ? "" : ": " + outcome.detail()));
            }
        });
    }

    /** Ends the processes, and sees that they have ended; what an error has left in them ends at once. */
    @Override
    public void close() {
        slots.forEach(slot -> {
            if (slot.child().isEmpty()) {
                slot.stop();
            } else {
                slot.kill();
            }
        });
        slots.forEach(Slot::await);
    }

    /** While runs train in other processes. */
    private final class Stopping implements StopRequest.Stage {
        @Override
        public List<String> first() {
            return List.of(
                    "stopping: each ends its turn, then it is saved",
                    "if asked again, all end at once: what came after their last checkpoints is lost");
        }

        @Override
        public String atOnce() {
            return "ended at once: what came after the last checkpoints is lost; the same command with --resume goes on";
        }

        @Override
        public void end() {
            slots.forEach(Slot::kill);
        }
    }
}
