package hocket.schedulers.commands;

import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.state.State;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Commands of people for a running run. Any thread may ask; the training thread answers between turns, outside trials,
 * at most once for each position (turns and rounds so far), before anything else at that position. So a journal of
 * commands with their positions suffices to repeat the run to the bit: {@link #replaying}.
 *
 * <p>A future answers each request: with the effect, or exceptionally with an {@link IllegalArgumentException} or
 * {@link IllegalStateException} that says why it is refused; nothing has changed then.
 */
public final class Steering {
    private static final long LOOK_MILLIS = 50;
    /** A turn may be long; requests made meanwhile are answered after it, all at one position. */
    private static final int MOST_WAITING = 200;

    /**
     * A command that was applied.
     *
     * @param number of the command in the run, from 1
     * @param at position of the run
     * @param by name of the requester
     */
    public record Applied(long number, Event.Position at, Command command, String by) {}

    /**
     * The result of a command.
     *
     * @param message for people
     */
    public record Outcome(Applied applied, String message) {}

    /** A record of commands, written on the training thread. */
    public interface Journal {
        /** Records a command that is about to be applied, so that it survives the process. */
        void write(Applied applied);

        /** Removes the last command, which was refused. */
        void takeBack();

        /** A journal that records nothing. */
        static Journal none() {
            return new Journal() {
                @Override
                public void write(Applied applied) {}

                @Override
                public void takeBack() {}
            };
        }
    }

    /**
     * Other processes that take the same turns.
     *
     * @param refusal of commands that they would have to receive
     * @param stop asks all of them to stop
     */
    private record Others(String refusal, Runnable stop) {}

    private record Request(String by, Function<Scheduler, ?> does, CompletableFuture<Object> answer) {}

    private final BlockingQueue<Request> asked = new LinkedBlockingQueue<>();
    private final Journal journal;
    private final BooleanSupplier ends;
    private final Deque<Applied> script = new ArrayDeque<>();
    private volatile @Nullable Others others;
    private volatile boolean paused;
    private volatile boolean over;
    private volatile boolean breaksOff;
    private long number;
    private long step = -1;
    private long round = -1;
    private long pauseAtStep = Long.MAX_VALUE;
    private long pauseAtRound = Long.MAX_VALUE;

    /**
     * @param journal records applied commands
     * @param ends whether a run that is paused is to end there, as by Ctrl-C; asked by the training thread
     */
    public Steering(Journal journal, BooleanSupplier ends) {
        this.journal = journal;
        this.ends = ends;
    }

    /**
     * Repeats the commands of a journal, each at its position; pauses, and stops that were not the end, are recorded
     * only. Call it before the run starts.
     */
    public Steering replaying(List<Applied> commands) {
        script.addAll(commands);
        return this;
    }

    /**
     * Declares that this run trains in several processes, of which one takes commands: it saves and forks alone, all of
     * them stop, and other commands are refused, since the other processes would not receive them. Call it before the
     * run starts.
     *
     * @param refusal reason of the refusal, for the requester
     * @param stop asks all to stop; called by the training thread
     */
    public Steering amongSeveral(String refusal, Runnable stop) {
        others = new Others(refusal, stop);
        return this;
    }

    /** Returns whether the run waits for {@link Command.Resume}. */
    public boolean isPaused() {
        return paused;
    }

    /** Returns the number of commands applied so far; call it on the training thread, or before the run starts. */
    public long applied() {
        return number;
    }

    /**
     * Requests a command.
     *
     * @param by name of the requester, for the journal
     */
    public CompletableFuture<Outcome> ask(Command command, String by) {
        return ask(by, run -> apply(run, command, by)).thenApply(Outcome.class::cast);
    }

    /**
     * Requests a read of the run between two turns, on the training thread. The function must change nothing, and the
     * journal does not record it. Cancelling the answer withdraws the request.
     */
    @SuppressWarnings("unchecked") // what a function gives is what the future holds
    public <T> CompletableFuture<T> look(Function<Run, T> look) {
        return (CompletableFuture<T>) ask("", run -> look.apply(run.now()));
    }

    private CompletableFuture<Object> ask(String by, Function<Scheduler, ?> does) {
        Request request = new Request(by, does, new CompletableFuture<>());
        if (asked.size() >= MOST_WAITING) {
            asked.removeIf(before -> before.answer().isDone()); // withdrawn
        }
        if (asked.size() >= MOST_WAITING) {
            request.answer()
                    .completeExceptionally(new IllegalStateException("the run takes a long turn, and " + MOST_WAITING
                            + " questions and commands already wait for its end: ask again after it"));
            return request.answer();
        }
        asked.add(request);
        if (over) {
            refuseAll();
        }
        return request.answer();
    }

    /**
     * Starts to answer requests, at the beginning of a run.
     *
     * @param canBreakOff whether a turn that waits for rows can be tried again, as nothing around it remembers it
     */
    public void begin(boolean canBreakOff) {
        breaksOff = canBreakOff;
        over = false;
        step = -1;
    }

    /** Stops answering requests, at the end of a run. */
    public void end() {
        over = true;
        paused = false;
        refuseAll();
    }

    private void refuseAll() {
        for (Request request = asked.poll(); request != null; request = asked.poll()) {
            request.answer().completeExceptionally(new IllegalStateException("the run has ended"));
        }
    }

    /** Returns whether a request is waiting, for code that blocks the training thread and can be retried. */
    public boolean isAsked() {
        return breaksOff && !asked.isEmpty();
    }

    /** Answers again at the current position, if something was requested there and nothing was done since. */
    public boolean again() {
        if (isAsked()) {
            step = -1;
            return true;
        }
        return false;
    }

    /** Answers requests at an allowed position; waits there while the run is paused. */
    public void at(Scheduler run) {
        Event.Position here = run.position();
        if (here.step() == step && here.round() == round) {
            return;
        }
        step = here.step();
        round = here.round();
        repeat(run, here);
        if (step >= pauseAtStep || round >= pauseAtRound) {
            pause(run);
        }
        answer(run);
    }

    private void repeat(Scheduler run, Event.Position here) {
        while (!script.isEmpty() && script.element().at().step() <= here.step() && !run.isAskedToEnd()) {
            Applied next = script.element();
            if (next.at().step() == here.step() && next.at().round() > here.round()) {
                return;
            }
            script.remove();
            if (next.number() <= number) {
                continue; // the checkpoint that the run resumes from has recorded it
            }
            if (next.at().step() != here.step() || next.at().round() != here.round()) {
                throw new IllegalStateException("command " + next.number() + " of the journal, " + next.command()
                        + ", was given at turn " + next.at().step() + " in round "
                        + next.at().round()
                        + ", and this run has no such place: the journal is another run's");
            }
            number = next.number() - 1;
            List<Command> later = script.stream().map(Applied::command).toList();
            done(run, next.command(), next.by(), next.command().isReplayed(later));
        }
    }

    private void answer(Scheduler run) {
        while (!run.isAskedToEnd()) {
            Request request = paused ? waited() : asked.poll();
            if (request != null) {
                answer(run, request);
            } else if (!paused) {
                return;
            } else if (ends.getAsBoolean()) {
                run.now().pause();
            }
        }
    }

    private @Nullable Request waited() {
        try {
            return asked.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the run was paused", e);
        }
    }

    private static void answer(Scheduler run, Request request) {
        if (request.answer().isDone()) {
            return; // it was withdrawn
        }
        Object answer;
        try {
            answer = request.does().apply(run);
        } catch (RuntimeException e) {
            request.answer().completeExceptionally(e);
            return;
        } catch (Error e) { // the run ends by it, and the requester need not wait for ever
            request.answer().completeExceptionally(new IllegalStateException("the run breaks off: " + e, e));
            throw e;
        }
        request.answer().complete(answer);
    }

    private Outcome apply(Scheduler run, Command command, String by) {
        Others several = others;
        if (several != null && CommandForm.of(command).isOfOneProcess()) {
            throw new IllegalStateException(several.refusal());
        }
        return done(run, command, by, true);
    }

    /** Records a command and executes it, or only records it. */
    private Outcome done(Scheduler run, Command command, String by, boolean isEffective) {
        Applied applied = new Applied(number + 1, run.position(), command, by);
        journal.write(applied);
        String message;
        try {
            number++; // the state saved now has recorded it
            message = isEffective ? command.applyTo(run, this) : "";
        } catch (RuntimeException | Error e) {
            number--;
            journal.takeBack();
            throw e;
        }
        run.trainingLoop().emit(new Event.Steered(run.position(), applied));
        return new Outcome(applied, message);
    }

    /** Ends the run after this turn and returns a message for people. */
    String stop(Scheduler run) {
        Others several = others;
        if (several != null) {
            several.stop().run();
            return "all processes of the run are asked to stop";
        }
        run.now().pause();
        return "stops in " + run.place();
    }

    void pause(Scheduler run) {
        pauseAtStep = Long.MAX_VALUE;
        pauseAtRound = Long.MAX_VALUE;
        if (!paused) {
            paused = true;
            run.trainingLoop().emit(new Event.Paused(run.position()));
        }
    }

    /** Ends the pause until these turns or rounds. */
    void continueUntil(Scheduler run, long untilStep, long untilRound) {
        pauseAtStep = untilStep;
        pauseAtRound = untilRound;
        if (paused) {
            paused = false;
            run.trainingLoop().emit(new Event.Resumed(run.position()));
        }
    }

    public State save() {
        return number == 0 ? State.empty() : State.empty().with("applied", number);
    }

    public void restore(State state) {
        number = state.has("applied") ? state.whole("applied") : 0;
        step = -1;
    }
}
