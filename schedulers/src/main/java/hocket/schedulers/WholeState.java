package hocket.schedulers;

import hocket.scopes.Parameters;
import hocket.scopes.Snapshot;
import org.jspecify.annotations.Nullable;

/** Everything that the future of a run depends on, gathered from its parts and given back to them. */
final class WholeState implements Stateful {
    private static final int FORMAT = 4;

    private final Parameters parameters;
    private final BoundTurns turns;
    private final Course course;
    private final PlanPosition plan;
    private final Rings rings;
    private final History history;
    private @Nullable Steering steering;

    /** What a state says of commands, until somebody gives some. */
    private State waiting = State.empty();

    WholeState(
            Parameters parameters, BoundTurns turns, Course course, PlanPosition plan, Rings rings, History history) {
        this.parameters = parameters;
        this.turns = turns;
        this.course = course;
        this.plan = plan;
        this.rings = rings;
        this.history = history;
    }

    /** Commands that were applied are counted in what is saved. */
    void steeredBy(Steering commands) {
        steering = commands;
        commands.restore(waiting);
    }

    @Override
    public State save() {
        return save(saved());
    }

    /** The store as readers see it. Training needs no more than its own copies: they are saved where an estimate fails. */
    private Snapshot saved() {
        try {
            return turns.asSaved(parameters::snapshot);
        } catch (RuntimeException | Error e) {
            Snapshot copies = parameters.snapshot();
            course.emit(new Event.NotEstimated(course.position(), e));
            return copies;
        }
    }

    private State save(Snapshot values) {
        State steered = steering == null ? waiting : steering.save();
        State known = steered.items().isEmpty() ? State.empty() : State.empty().with("steering", steered);
        return plan.save(course.save(known))
                .with("format", FORMAT)
                .with("seed", parameters.streams().seed())
                .with("parameters", State.of(values))
                .with("turns", turns.save())
                .with("triggers", rings.save())
                .with("rings", rings.saveOwn())
                .with("drawn", course.sources().drawn(course.round()))
                .with("sources", course.sources().save())
                .with("history", history.save());
    }

    /** @throws IllegalArgumentException if it is of another seed, format, plan or shape of things; nothing has changed */
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
            try {
                apply(before);
            } catch (RuntimeException | Error second) {
                e.addSuppressed(second); // a class that cannot be restored to anything
            }
            throw e;
        }
    }

    private void apply(State state) {
        State values = state.state("parameters");
        parameters
                .declarations()
                .forEach(declaration -> values.tensor(declaration.path().text()));
        parameters.restore(values.snapshot());
        course.restore(state);
        history.restore(state.state("history"));
        turns.restore(state.state("turns"));
        plan.restore(state);
        course.sources().restore(state.state("sources"), state.state("drawn"), course.step(), course.round());
        rings.restore(state.state("triggers"));
        rings.restoreOwn(state.has("rings") ? state.state("rings") : State.empty());
        waiting = state.has("steering") ? state.state("steering") : State.empty();
        if (steering != null) {
            steering.restore(waiting);
        }
    }
}
