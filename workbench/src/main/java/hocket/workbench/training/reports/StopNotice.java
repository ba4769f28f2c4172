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
 * Knows what a run would lose if it ended now, and says so to who asks it to stop: what came after its last checkpoint while
 * it trains, scores that have not been written once it is done.
 */
public final class StopNotice implements Ring, StopRequest.Stage {
    private static final int OUTERMOST = -700;
    private static final long NEVER = -1;

    private enum Doing {
        /** What a runner does that takes no turns. */
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
     * @param stopRequest may be asked by a person
     * @param resumedAt turns that had been taken when the checkpoint was written that it goes on from; negative without
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
        saved = event.at().step(); // the run may have gone on since
        savedHere = OptionalLong.of(saved);
    }

    @Override
    public void turnTaken(Run run, Event.TurnTaken event) {
        turn = event.at().step() + 1;
    }

    @Override
    public void steered(Run run, Event.Steered steered) {
        if (steered.applied().command() instanceof Command.Stop
                && run.scheduler().isAskedToEnd()) { // one that is done again may not have been the end
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

    /** Judges the result: nothing is trained any more. */
    public void scoring(Runnable judging) {
        doing = Doing.SCORING;
        judging.run();
        doing = Doing.WORKING;
    }

    /** Whether somebody asked it to stop. */
    boolean isRequested() {
        return stopRequest.isRequested();
    }

    /** Whether turns were to be taken. */
    boolean hasTrained() {
        return trained;
    }

    /** The last checkpoint that this run wrote, by its turn. */
    OptionalLong saved() {
        return savedHere;
    }

    /** Whether all that it has come to is saved. */
    boolean isSaved() {
        return saved == turn;
    }

    @Override
    public List<String> first() {
        return switch (doing) {
            case WORKING -> List.of("stopping; if asked again, it ends at once");
            case TRAINING ->
                List.of("stopping: this turn ends, then it is saved", "if asked again, it ends at once: " + lost());
            case SCORING -> List.of("stopping: the scores come first", "if asked again, it ends at once, without them");
        };
    }

    @Override
    public String atOnce() {
        String ended = "ended at once: ";
        return switch (doing) {
            case WORKING -> ended + "what was not finished was not written";
            case TRAINING -> ended + lost();
            case SCORING -> ended + "there are no scores; " + (isSaved() ? "all that was trained is saved" : lost());
        };
    }

    /** What a run that failed leaves, and by which command it goes on: a line each. */
    public List<String> left(RunFolder folder, String goesOnBy) {
        List<String> lines = new ArrayList<>();
        if (trained) {
            lines.add(
                    isSaved()
                            ? "saved    all up to turn " + NumberFormats.grouped(turn)
                            : "lost     "
                                    + (saved == NEVER
                                            ? "all, as nothing was saved yet"
                                            : "all since turn " + NumberFormats.grouped(saved)));
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
                ? "all is lost, as nothing is saved yet"
                : "all since turn " + NumberFormats.grouped(saved) + " is lost";
    }
}
