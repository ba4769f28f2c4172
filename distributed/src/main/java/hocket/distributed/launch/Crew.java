package hocket.distributed.launch;

import hocket.distributed.cluster.Cluster;
import hocket.distributed.cluster.Part;
import hocket.distributed.cluster.Place;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.workbench.processes.ExitStatus;
import hocket.workbench.processes.Launch;
import hocket.workbench.processes.Start;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.terminal.UserError;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The processes of one run, started from here: scheduler, servers and workers, of which worker 0 has the terminal. */
final class Crew implements AutoCloseable {
    /** How long the others may take to end when one has, before they are ended. */
    private static final long GRACE_SECONDS = 15;

    /** The same where the run has not begun, so that there is nothing to save. */
    private static final long EARLY_GRACE_SECONDS = 1;

    private static final int SIGNAL_STATUS = 128;
    private static final int FAILED = 1;
    private static final int REFUSED = 2;
    private static final long LAST_WORDS_MILLIS = 2000;

    /** Statuses of a worker that a person or the system asked to end, after it saved. */
    private static final Set<Integer> ASKED = Set.of(SIGNAL_STATUS + 1, SIGNAL_STATUS + 2, SIGNAL_STATUS + 15);

    /** A process and what it said last. */
    private static final class Member {
        final Place place;
        final Process process;
        final String who;

        /** Of one elsewhere: the token, and whether it is to stop. */
        final Optional<OutputStream> line;

        final Thread listening = new Thread(this::listen);
        volatile String last = "";

        Member(Place place, Process process, Optional<String> elsewhere) {
            this.place = place;
            this.process = process;
            who = place.called()
                    + elsewhere.map(host -> " (ssh " + host + ")").orElse(" (process " + process.pid() + ")");
            line = elsewhere.map(host -> process.getOutputStream());
            tell(place.token());
            listening.setName(place.called());
            listening.setDaemon(true);
            if (!place.writes()) {
                listening.start();
            }
        }

        boolean isElsewhere() {
            return line.isPresent();
        }

        synchronized void tell(String word) {
            try {
                if (line.isPresent()) {
                    line.get().write((word + "\n").getBytes(StandardCharsets.UTF_8));
                    line.get().flush();
                }
            } catch (IOException e) {
                // it has ended, or the way to it, and says why
            }
        }

        private void listen() {
            try (BufferedReader said = process.errorReader(StandardCharsets.UTF_8)) {
                for (String next = said.readLine(); next != null; next = said.readLine()) {
                    if (!next.isBlank() && !Start.isOfJvm(next)) {
                        last = next;
                    }
                }
            } catch (IOException e) {
                // it has ended
            }
        }
    }

    private final Terminal terminal;
    private final Path here;
    private final Hosts hosts;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Member> ended = new LinkedBlockingQueue<>();

    /**
     * @param here what relative paths are relative to
     * @param hosts where they run
     */
    public Crew(Terminal terminal, Path here, Hosts hosts) {
        this.terminal = terminal;
        this.here = here;
        this.hosts = hosts;
    }

    /**
     * Starts all, and waits until they have ended.
     *
     * @param scheduler the scheduler's place
     * @param arguments of {@code hocket run}, the same for all
     * @param mayHaveBegun whether there may be something to save
     * @return the exit status: that of worker 0, unless another failed first
     */
    public int run(Place scheduler, List<String> arguments, BooleanSupplier mayHaveBegun) {
        start(scheduler, arguments);
        for (int i = 0; i < scheduler.servers(); i++) {
            start(scheduler.as(Part.PSERVER, i), arguments);
        }
        for (int i = scheduler.workers() - 1; i >= 0; i--) {
            start(scheduler.as(Part.TRAINER, i), arguments);
        }
        return await(mayHaveBegun);
    }

    private void start(Place place, List<String> arguments) {
        List<String> command = hosts.command(place, here, arguments, () -> Launch.run(place.writes(), arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(here.toAbsolutePath().toFile());
        Map<String, String> environment = builder.environment();
        environment.putAll(place.environment());
        environment.put(Place.LAUNCHER, Long.toString(ProcessHandle.current().pid()));
        boolean isElsewhere = hosts.isElsewhere(place);
        if (place.writes()) {
            builder.inheritIO();
        } else {
            builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        }
        if (isElsewhere) {
            builder.redirectInput(ProcessBuilder.Redirect.PIPE);
        }
        try {
            Member member =
                    new Member(place, builder.start(), isElsewhere ? Optional.of(hosts.host(place)) : Optional.empty());
            members.add(member);
            member.process.onExit().thenRun(() -> ended.add(member));
        } catch (IOException e) {
            throw new UserError(place.called() + " could not be started: " + DiskFailureText.of(e), e);
        }
    }

    /** Waits for all. When one ends badly the others hear of it by themselves, and have a while to end. */
    private int await(BooleanSupplier mayHaveBegun) {
        @Nullable Member culprit = null;
        int status = 0;
        long until = Long.MAX_VALUE;
        for (int left = members.size(); left > 0; left--) {
            Member member = next(until);
            if (member == null) {
                kill();
                until = Long.MAX_VALUE;
                left++;
                continue;
            }
            int own = member.process.exitValue();
            if (member.place.writes()) {
                status = own;
            }
            if (own != 0 && culprit == null) {
                culprit = member;
                long grace = mayHaveBegun.getAsBoolean() ? GRACE_SECONDS : EARLY_GRACE_SECONDS;
                until = System.nanoTime() + TimeUnit.SECONDS.toNanos(grace);
            }
        }
        if (culprit != null && (!culprit.place.writes() || diedSilently(culprit))) {
            terminal.remark("hocket: " + how(culprit));
            return culprit.process.exitValue() == REFUSED ? REFUSED : FAILED;
        }
        return status;
    }

    private @Nullable Member next(long until) {
        try {
            return until == Long.MAX_VALUE
                    ? ended.take()
                    : ended.poll(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the processes of the run were waited for", e);
        }
    }

    /** Whether it had no time to say why. */
    private static boolean diedSilently(Member member) {
        return ExitStatus.isOfSignal(member.process.exitValue()) && !ASKED.contains(member.process.exitValue());
    }

    private static String how(Member member) {
        try {
            member.listening.join(LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int status = member.process.exitValue();
        return member.who + " "
                + (ExitStatus.isOfSignal(status) ? "was " : "") + ExitStatus.words(status)
                + (member.last.isEmpty() ? "" : ": " + member.last.replaceFirst("^hocket: ", ""));
    }

    /** Asks the workers to save and end. */
    public void stop() {
        workers().filter(member -> !member.isElsewhere()).forEach(member -> member.process.destroy());
        stopElsewhere();
    }

    /** Asks those on other machines alone: the terminal has asked the others. */
    public void stopElsewhere() {
        workers().filter(Member::isElsewhere).forEach(member -> member.tell(Cluster.STOP));
    }

    private Stream<Member> workers() {
        return members.stream().filter(member -> member.place.part() == Part.TRAINER);
    }

    private void kill() {
        members.forEach(member -> member.process.destroyForcibly());
    }

    /** Ends what has not ended. */
    @Override
    public void close() {
        kill();
    }
}
