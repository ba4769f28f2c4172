package hocket.schedulers.inference;

import hocket.programs.Session.Feeds;
import hocket.programs.execution.ProgramException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A thread that owns a session: it opens one for the first call, another when the model has changed, and closes it at its end. */
final class InferenceThread extends Thread {
    private @Nullable InferenceSession session;

    InferenceThread(Runnable work, int number) {
        super(work, "hocket-inference-" + number);
        setDaemon(true);
        setUncaughtExceptionHandler((thread, failure) -> {}); // whoever called has been told
    }

    @Override
    public void run() {
        try {
            super.run();
        } finally {
            end();
        }
    }

    /** Answers a call. An engine that has failed for good ends this thread, and another takes its place. */
    void answer(TrainedModel model, int threads, Feeds rows, OptionalLong seed, CompletableFuture<Outputs> answer) {
        if (answer.isDone()) {
            return; // nobody waits for it any more
        }
        try {
            answer.complete(of(model, threads).infer(rows, seed));
        } catch (ProgramException e) {
            answer.completeExceptionally(e);
            if (e.threadLost()) {
                throw e;
            }
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private InferenceSession of(TrainedModel model, int threads) {
        InferenceSession open = session;
        if (open == null || open.model() != model) {
            end();
            open = new InferenceSession(model, threads);
            session = open;
        }
        return open;
    }

    private void end() {
        InferenceSession open = session;
        session = null;
        if (open != null) {
            open.close();
        }
    }
}
