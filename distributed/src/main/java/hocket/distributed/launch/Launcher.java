package hocket.distributed.launch;

import hocket.distributed.cluster.Cluster;
import hocket.distributed.cluster.NodeConfig;
import hocket.distributed.cluster.Role;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.workbench.files.UserError;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.processes.ChildExitStatus;
import hocket.workbench.training.processes.ProcessLauncher;
import hocket.workbench.training.processes.StartRecord;
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

/** Launches the processes of one run: scheduler, servers and workers, of which worker 0 has the terminal. */
final class Launcher implements AutoCloseable {
    /** The time in which the others must end after one has, before they are killed. */
    private static final long GRACE_SECONDS = 15;

    /** The grace period before the run has begun, when there is nothing to save. */
    private static final long EARLY_GRACE_SECONDS = 1;

    private static final int SIGNAL_STATUS = 128;
    private static final int FAILED = 1;
    private static final int REFUSED = 2;
    private static final long LAST_WORDS_MILLIS = 2000;

    /** Statuses of a worker that was asked to end, after it saved. */
    private static final Set<Integer> ASKED = Set.of(SIGNAL_STATUS + 1, SIGNAL_STATUS + 2, SIGNAL_STATUS + 15);

    /** A process and its last output. */
    private static final class Member {
        final NodeConfig place;
        final Process process;
        final String who;

        /** Standard input of a process elsewhere: the token, and a request to stop. */
        final Optional<OutputStream> line;

        final Thread listening = new Thread(this::listen);
        volatile String last = "";

        Member(NodeConfig nodeConfig, Process process, Optional<String> elsewhere) {
            this.place = nodeConfig;
            this.process = process;
            who = nodeConfig.called()
                    + elsewhere.map(host -> " (ssh " + host + ")").orElse(" (process " + process.pid() + ")");
            line = elsewhere.map(host -> process.getOutputStream());
            tell(nodeConfig.token());
            listening.setName(nodeConfig.called());
            listening.setDaemon(true);
            if (!nodeConfig.writes()) {
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
                // it has ended, or its connection, and reports the reason
            }
        }

        private void listen() {
            try (BufferedReader said = process.errorReader(StandardCharsets.UTF_8)) {
                for (String next = said.readLine(); next != null; next = said.readLine()) {
                    if (!next.isBlank() && !StartRecord.isOfJvm(next)) {
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
    private final HostList hostList;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Member> ended = new LinkedBlockingQueue<>();

    /**
     * @param here the folder to which relative paths are relative
     * @param hostList the machines
     */
    public Launcher(Terminal terminal, Path here, HostList hostList) {
        this.terminal = terminal;
        this.here = here;
        this.hostList = hostList;
    }

    /**
     * Starts all, and waits until they have ended.
     *
     * @param scheduler the scheduler's configuration
     * @param arguments arguments of {@code hocket run}, the same for all
     * @param mayHaveBegun whether there may be state to save
     * @return the exit status: that of worker 0, unless another failed first
     */
    public int run(NodeConfig scheduler, List<String> arguments, BooleanSupplier mayHaveBegun) {
        start(scheduler, arguments);
        for (int i = 0; i < scheduler.servers(); i++) {
            start(scheduler.as(Role.PSERVER, i), arguments);
        }
        for (int i = scheduler.workers() - 1; i >= 0; i--) {
            start(scheduler.as(Role.TRAINER, i), arguments);
        }
        return await(mayHaveBegun);
    }

    private void start(NodeConfig nodeConfig, List<String> arguments) {
        List<String> command = hostList.command(
                nodeConfig, here, arguments, () -> ProcessLauncher.run(nodeConfig.writes(), arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(here.toAbsolutePath().toFile());
        Map<String, String> environment = builder.environment();
        environment.putAll(nodeConfig.environment());
        environment.put(
                NodeConfig.LAUNCHER, Long.toString(ProcessHandle.current().pid()));
        boolean isElsewhere = hostList.isElsewhere(nodeConfig);
        if (nodeConfig.writes()) {
            builder.inheritIO();
        } else {
            builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        }
        if (isElsewhere) {
            builder.redirectInput(ProcessBuilder.Redirect.PIPE);
        }
        try {
            Member member = new Member(
                    nodeConfig,
                    builder.start(),
                    isElsewhere ? Optional.of(hostList.host(nodeConfig)) : Optional.empty());
            members.add(member);
            member.process.onExit().thenRun(() -> ended.add(member));
        } catch (IOException e) {
            throw new UserError(nodeConfig.called() + " could not be started: " + DiskFailureText.of(e), e);
        }
    }

    /** Waits for all. After a failure of one process the scheduler informs the others, which have some time to end. */
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
            throw new IllegalStateException("interrupted while waiting for the processes of the run", e);
        }
    }

    /** Returns whether the process was killed before it could report a reason. */
    private static boolean diedSilently(Member member) {
        return ChildExitStatus.isOfSignal(member.process.exitValue()) && !ASKED.contains(member.process.exitValue());
    }

    private static String how(Member member) {
        try {
            member.listening.join(LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int status = member.process.exitValue();
        return member.who + " "
                + (ChildExitStatus.isOfSignal(status) ? "was " : "") + ChildExitStatus.words(status)
                + (member.last.isEmpty() ? "" : ": " + member.last.replaceFirst("^hocket: ", ""));
    }

    /** Asks the workers to save and end. */
    public void stop() {
        workers().filter(member -> !member.isElsewhere()).forEach(member -> member.process.destroy());
        stopElsewhere();
    }

    /** Asks the workers on other machines; the terminal has asked the others. */
    public void stopElsewhere() {
        workers().filter(Member::isElsewhere).forEach(member -> member.tell(Cluster.STOP));
    }

    private Stream<Member> workers() {
        return members.stream().filter(member -> member.place.part() == Role.TRAINER);
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
