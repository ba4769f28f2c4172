package hocket.workbench.live.handlers;

import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.CommandForm;
import hocket.schedulers.commands.Steering;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.peers.ProcessLimit;
import hocket.workbench.live.peers.RunLauncher;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.Fork;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.json.CommandLines;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.processes.ProcessLauncher;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Applies each command once, limits their rate, and reports their results. Used by any thread. */
public final class CommandHandler {
    /** The limit suits a person who clicks fast; each command is written to the disk on the training thread. */
    private static final int MOST_A_SECOND = 20;
    /** The number of remembered ids: at {@link #MOST_A_SECOND}, those of the last minutes. */
    private static final int MOST_IDS = 10_000;
    /** Shorter than browsers wait; a turn may take longer. */
    private static final long WAIT_SECONDS = 20;

    private static final long SECOND = 1_000_000_000L;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{8,64}");

    /** Ids of commands that the run accepted, oldest first. */
    private final Set<String> ids = new LinkedHashSet<>();

    private final Deque<Long> lately = new ArrayDeque<>();

    private final ProcessLimit forks;

    /** @param forks starts forks of the runs */
    public CommandHandler(ProcessLimit forks) {
        this.forks = forks;
    }

    /**
     * The outcome of a command.
     *
     * @param number in the journal; null if it has not been applied yet
     * @param folder the fork's folder; null for other commands
     * @param run the fork's id; null for other commands
     */
    public record Done(
            @Nullable Long number,
            String command,
            long step,
            long round,
            String message,
            @Nullable String folder,
            @Nullable String run) {}

    /**
     * A command that was accepted.
     *
     * @param id the id that its sender gave it
     * @param fork what to copy and where; empty of all other commands
     * @param by who asks
     */
    public record Taken(
            String id, ServedRun run, Steering steering, Command command, Optional<Copying> fork, String by) {
        /** Returns whether the run need not be asked: the checkpoint to fork exists. */
        boolean isOfFolder() {
            return fork.isPresent() && fork.get().asked().checkpoint().isPresent();
        }
    }

    /** The remaining work of a fork after the run is saved. */
    public record Copying(Command.Fork asked, RunFolder into) {}

    /** @throws HttpError if the command is unknown or not allowed */
    public Taken take(ServedRun run, String body, String by) {
        CommandLines.Asked asked = HttpError.unless(() -> CommandLines.read(body));
        if (!ID.matcher(asked.id()).matches()) {
            throw HttpError.wrong("id", "must be 8 to 64 letters, digits or -, new for each command, such as a UUID");
        }
        Command.Fork fork = asked.command() instanceof Command.Fork one ? one : null;
        if (fork != null && !fork.name().isEmpty()) {
            RunLauncher.requireName(fork.name());
        }
        if (fork != null && fork.start()) {
            forks.requireRoom();
        }
        Steering steering = run.steering()
                .orElseThrow(() -> HttpError.conflict(run.id() + " is not training here: it accepts no commands"));
        requireUnused(asked.id());
        Optional<Copying> copying = Optional.ofNullable(fork).map(one -> new Copying(one, into(run, one.name())));
        admit(asked.id());
        Command command =
                copying.<Command>map(one -> new Command.Fork(name(one.into()))).orElse(asked.command());
        return new Taken(asked.id(), run, steering, command, copying, by);
    }

    private synchronized void requireUnused(String id) {
        if (ids.contains(id)) {
            throw HttpError.conflict("id: has been used by an earlier command");
        }
    }

    /** Applies each command once, within the rate limit. Rejected commands use up no id. */
    private synchronized void admit(String id) {
        requireUnused(id);
        long now = System.nanoTime();
        while (!lately.isEmpty() && now - lately.element() > SECOND) {
            lately.remove();
        }
        if (lately.size() >= MOST_A_SECOND) {
            throw HttpError.tooMany("at most " + MOST_A_SECOND + " commands a second");
        }
        lately.add(now);
        ids.add(id);
        if (ids.size() > MOST_IDS) {
            ids.remove(ids.iterator().next());
        }
    }

    /** Releases the id of a command that the run has rejected: it may be sent again. */
    private synchronized void release(String id) {
        ids.remove(id);
    }

    private static RunFolder into(ServedRun run, String name) {
        Path runs = run.folder().path().toAbsolutePath().normalize().getParent();
        if (runs == null) {
            throw HttpError.conflict("the folder of the run has no parent folder for forks");
        }
        if (name.isEmpty()) {
            return RunFolder.free(runs, run.id() + "-fork");
        }
        RunFolder into = new RunFolder(runs.resolve(name));
        into.requireFree();
        return into;
    }

    private static String name(RunFolder folder) {
        return String.valueOf(folder.path().getFileName());
    }

    /** Passes the command to the training run. Throws an exception if the run rejects it. */
    public CompletableFuture<Done> give(Taken taken) {
        String name = CommandForm.of(taken.command()).name();
        if (taken.isOfFolder()) {
            return CompletableFuture.completedFuture(new Done(null, name, 0, 0, "", null, null));
        }
        String later = "the run is in a long turn; after it the run is "
                + (taken.fork().isPresent() ? "saved, and can be forked" : "done");
        return taken.steering()
                .ask(taken.command(), taken.by())
                .whenComplete((outcome, rejected) -> {
                    if (rejected != null) {
                        release(taken.id());
                    }
                })
                .thenApply(outcome -> done(outcome, name))
                .completeOnTimeout(new Done(null, name, 0, 0, later, null, null), WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private static Done done(Steering.Outcome outcome, String name) {
        Steering.Applied applied = outcome.applied();
        return new Done(
                applied.number(),
                name,
                applied.at().step(),
                applied.at().round(),
                Terminal.inOneLine(outcome.message()),
                null,
                null);
    }

    /** Finishes a fork by copying its files. */
    public Done finish(Taken taken, Done given) {
        if (taken.fork().isEmpty() || (given.number() == null && !taken.isOfFolder())) {
            return given;
        }
        Command.Fork asked = taken.fork().get().asked();
        RunFolder into = taken.fork().get().into();
        long step = asked.checkpoint().orElse(given.step());
        Fork.of(taken.run().folder(), step, into);
        if (asked.start()) {
            forks.start(() -> ProcessLauncher.resume(into));
        }
        return new Done(
                given.number(),
                given.command(),
                step,
                given.round(),
                asked.start()
                        ? "forked and started in a process of its own"
                        : "forked; start it with " + CommandContext.command("run", into, "--resume"),
                into.path().toString(),
                name(into));
    }
}
