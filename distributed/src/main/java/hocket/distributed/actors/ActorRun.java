package hocket.distributed.actors;

import hocket.distributed.actors.LearnerConnection.EndedException;
import hocket.rl.replay.TrajectoryActor;
import hocket.rl.replay.TrajectoryBatch;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.SelectedExperiment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The run of an actor process: it acts until its learner has ended or is lost. It writes no files. */
public final class ActorRun {
    private final SelectedExperiment selectedExperiment;
    private final Invitation invitation;
    private final Consumer<String> remark;
    private final LearnerServer.Patience patience;

    /** @param remark receives lines for a person */
    public ActorRun(SelectedExperiment selectedExperiment, Invitation invitation, Consumer<String> remark) {
        this(selectedExperiment, invitation, remark, LearnerServer.Patience.USUAL);
    }

    ActorRun(
            SelectedExperiment selectedExperiment,
            Invitation invitation,
            Consumer<String> remark,
            LearnerServer.Patience patience) {
        this.selectedExperiment = selectedExperiment;
        this.invitation = invitation;
        this.remark = remark;
        this.patience = patience;
    }

    /**
     * Acts until the learner ends.
     *
     * @throws CommandFailure if the learner is lost or rejects it, or its environments fail
     */
    public void run() {
        TrajectoryBatch batch = Actors.batch(selectedExperiment);
        ActorHandshake actorHandshake = new ActorHandshake(
                invitation.token(),
                invitation.rank(),
                ProcessHandle.current().pid(),
                BuildInfo.of(selectedExperiment, batch));
        int longest = PolicyBytes.longest(batch.actorSettings().policy().program());
        try (LearnerConnection learner =
                new LearnerConnection(invitation.host(), invitation.port(), actorHandshake, longest, patience)) {
            remark.accept("actor    " + invitation.rank() + " of the learner at " + invitation.host() + ":"
                    + invitation.port());
            CompletableFuture<Void> acting = new CompletableFuture<>();
            Thread actor = new Thread(() -> act(batch, learner, acting), "actor");
            actor.setDaemon(true); // an environment that hangs does not outlive its learner
            actor.start();
            CompletableFuture.anyOf(acting, learner.end).get();
            LearnerConnection.End end = learner.end.get();
            if (!end.isGood()) {
                throw new CommandFailure("actor " + invitation.rank() + ": " + end.why());
            }
            remark.accept("done     " + end.why());
        } catch (EndedException e) {
            throw new CommandFailure("actor " + invitation.rank() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new CommandFailure("actor " + invitation.rank() + ": " + why(e.getCause()));
        }
    }

    private void act(TrajectoryBatch batch, LearnerConnection learner, CompletableFuture<Void> acting) {
        try (TrajectoryActor actor = new TrajectoryActor(
                selectedExperiment.setup(), batch, learner.welcome().seed())) {
            while (true) {
                learner.send(actor.next(learner));
            }
        } catch (Throwable e) {
            if (learner.end.isDone()) {
                return; // it is waited for
            }
            learner.fail(why(e));
            acting.completeExceptionally(e);
        }
    }

    private static String why(@Nullable Throwable e) {
        return String.valueOf(e == null || e.getMessage() == null ? e : e.getMessage());
    }
}
