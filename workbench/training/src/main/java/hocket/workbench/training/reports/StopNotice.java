package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.commands.Command;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.training.StopRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Tells a person who stops a run what is lost if it ends now: rounds after its last checkpoint while it trains,
 * unwritten scores after training.
 */
public final class StopNotice implements Ring, StopRequest.Stage {
    private static final int OUTERMOST = -700;
    private static final long NEVER = -1;

    private enum Doing {
        /** The activity of a runner that takes no turns. */
        WORKING,
        TRAINING,
        SCORING
    }

    private final StopRequest stopRequest;
    private volatile Doing doing = Doing.WORKING;
    private volatile long turn;
    private volatile long saved;
    private boolean trained;
    private OptionalLong savedHere = OptionalLong.empty();

    /**
     * @param stopRequest a person's request to stop
     * @param resumedAt turns that had been taken at the checkpoint that the run resumes from; negative without one
     */
    public StopNotice(StopRequest stopRequest, long resumedAt) {
        this.stopRequest = stopRequest;
        this.turn = Math.max(0, resumedAt);
        this.saved = resumedAt < 0 ? NEVER : resumedAt;
        stopRequest.at(this);
    }

    @Override
    public int order() {
        return OUTERMOST;
    }

    @Override
    public void saved(Run run, Event.Saved event) {
        saved = event.at().step(); // the run may have continued since
        savedHere = OptionalLong.of(saved);
    }

    @Override
    public void turnTaken(Run run, Event.TurnTaken event) {
        turn = event.at().step() + 1;
    }

    @Override
    public void steered(Run run, Event.Steered steered) {
        if (steered.applied().command() instanceof Command.Stop
                && run.scheduler().isAskedToEnd()) { // a repeated evaluation may not have been the final one
            stopRequest.requestByCommand();
        }
    }

    @Override
    public void started(Run run, Event.Started event) {
        turn = event.at().step();
        doing = Doing.TRAINING;
        trained = true;
    }

    @Override
    public void run(Run run, Next rest) {
        rest.proceed();
        doing = Doing.WORKING;
    }

    /** Marks the evaluation of the result: training is over. */
    public void scoring(Runnable judging) {
        doing = Doing.SCORING;
        judging.run();
        doing = Doing.WORKING;
    }

    /** Returns whether a person asked the run to stop. */
    boolean isRequested() {
        return stopRequest.isRequested();
    }

    /** Returns whether turns remained to be taken. */
    boolean hasTrained() {
        return trained;
    }

    /** Returns the turn of the last checkpoint that this run wrote. */
    OptionalLong saved() {
        return savedHere;
    }

    /** Returns whether the whole state of the run is saved. */
    boolean isSaved() {
        return saved == turn;
    }

    @Override
    public List<String> first() {
        return switch (doing) {
            case WORKING -> List.of("stopping; a second request ends immediately");
            case TRAINING ->
                List.of("stopping: finishing this turn, then saving", "a second request ends immediately: " + lost());
            case SCORING ->
                List.of("stopping: computing the scores first", "a second request ends immediately, without scores");
        };
    }

    @Override
    public String atOnce() {
        String ended = "ended immediately: ";
        return switch (doing) {
            case WORKING -> ended + "unfinished work was not written";
            case TRAINING -> ended + lost();
            case SCORING -> ended + "scores are missing; " + (isSaved() ? "the trained state is saved" : lost());
        };
    }

    /** Returns what a failed run leaves and which command resumes it, one fact a line. */
    public List<String> left(RunFolder folder, String goesOnBy) {
        List<String> lines = new ArrayList<>();
        if (trained) {
            lines.add(
                    isSaved()
                            ? "saved    everything up to turn " + NumberFormats.grouped(turn)
                            : "lost     "
                                    + (saved == NEVER
                                            ? "everything, as nothing was saved yet"
                                            : "everything since turn " + NumberFormats.grouped(saved)));
        }
        if (folder.hasCheckpoint()) {
            lines.add("next     " + goesOnBy);
        }
        lines.add("trace    " + folder.log());
        return lines;
    }

    private String lost() {
        if (isSaved()) {
            return "nothing is lost";
        }
        return saved == NEVER
                ? "everything is lost, as nothing is saved yet"
                : "everything since turn " + NumberFormats.grouped(saved) + " is lost";
    }
}
