package hocket.schedulers.state;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.commands.Steering;
import hocket.schedulers.plans.PlanPosition;
import hocket.schedulers.runs.BoundRings;
import hocket.schedulers.runs.History;
import hocket.schedulers.runs.TrainingLoop;
import hocket.schedulers.turns.BoundTurns;
import hocket.scopes.Parameters;
import hocket.scopes.Snapshot;
import org.jspecify.annotations.Nullable;

/** Collects the complete state of a run from its parts, and restores it to them. */
public final class RunState implements Stateful {
    private static final int FORMAT = 4;

    private final Parameters parameters;
    private final BoundTurns turns;
    private final TrainingLoop trainingLoop;
    private final PlanPosition plan;
    private final BoundRings boundRings;
    private final History history;
    private @Nullable Steering steering;

    /** The state of commands before any is given. */
    private State waiting = State.empty();

    public RunState(
            Parameters parameters,
            BoundTurns turns,
            TrainingLoop trainingLoop,
            PlanPosition plan,
            BoundRings boundRings,
            History history) {
        this.parameters = parameters;
        this.turns = turns;
        this.trainingLoop = trainingLoop;
        this.plan = plan;
        this.boundRings = boundRings;
        this.history = history;
    }

    /** Saves the count of applied commands. */
    public void steeredBy(Steering commands) {
        steering = commands;
        commands.restore(waiting);
    }

    @Override
    public State save() {
        return save(saved());
    }

    /** Returns the store as readers see it; if an estimate fails, training's own copies, which suffice. */
    private Snapshot saved() {
        try {
            return turns.asSaved(parameters::snapshot);
        } catch (RuntimeException | Error e) {
            Snapshot copies = parameters.snapshot();
            trainingLoop.emit(new Event.NotEstimated(trainingLoop.position(), e));
            return copies;
        }
    }

    private State save(Snapshot values) {
        State steered = steering == null ? waiting : steering.save();
        State known = steered.items().isEmpty() ? State.empty() : State.empty().with("steering", steered);
        return plan.save(trainingLoop.save(known))
                .with("format", FORMAT)
                .with("seed", parameters.streams().seed())
                .with("parameters", State.of(values))
                .with("turns", turns.save())
                .with("triggers", boundRings.save())
                .with("rings", boundRings.saveOwn())
                .with("drawn", trainingLoop.sources().drawn(trainingLoop.round()))
                .with("sources", trainingLoop.sources().save())
                .with("history", history.save());
    }

    /** @throws IllegalArgumentException if it has another seed, format, plan or shape; nothing has changed then */
    @Override
    public void restore(State state) {
        if (state.whole("format") != FORMAT) {
            throw new IllegalArgumentException(
                    "the saved state has format " + state.whole("format") + ", this version reads " + FORMAT);
        }
        if (state.whole("seed") != parameters.streams().seed()) {
            throw new IllegalArgumentException("the saved state is of seed " + state.whole("seed")
                    + ", this run has seed " + parameters.streams().seed());
        }
        plan.requireSame(state);
        State before = save(parameters.snapshot());
        try {
            apply(state);
        } catch (RuntimeException | Error e) {
            Next.after(e, () -> apply(before)); // a class may be one that cannot be restored to anything
            throw e;
        }
    }

    private void apply(State state) {
        State values = state.state("parameters");
        parameters
                .declarations()
                .forEach(declaration -> values.tensor(declaration.path().text()));
        parameters.restore(values.snapshot());
        trainingLoop.restore(state);
        history.restore(state.state("history"));
        turns.restore(state.state("turns"));
        plan.restore(state);
        trainingLoop
                .sources()
                .restore(state.state("sources"), state.state("drawn"), trainingLoop.step(), trainingLoop.round());
        boundRings.restore(state.state("triggers"));
        boundRings.restoreOwn(state.has("rings") ? state.state("rings") : State.empty());
        waiting = state.has("steering") ? state.state("steering") : State.empty();
        if (steering != null) {
            steering.restore(waiting);
        }
    }
}
