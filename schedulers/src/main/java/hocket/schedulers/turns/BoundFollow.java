package hocket.schedulers.turns;

import hocket.programs.checks.Anomaly;
import hocket.schedulers.Event;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.updates.FollowPlan;
import hocket.schedulers.state.State;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A turn that averages and copies, bound to the store. */
public final class BoundFollow extends BoundTurn {
    private final KernelThreads kernelThreads;
    private static final String STATISTICS = "statistics";

    private final Turn.Follow turn;
    private final Parameters parameters;
    private final FollowPlan plan;
    private final List<Parameters.Cell> targets = new ArrayList<>();
    private final List<Parameters.Cell> read = new ArrayList<>();
    private final Runnable average = this::average;

    BoundFollow(Turn.Follow turn, Parameters parameters, KernelThreads kernelThreads) {
        super(turn);
        this.turn = turn;
        this.kernelThreads = kernelThreads;
        this.parameters = parameters;
        List<FollowPlan.Pair> averaged = new ArrayList<>();
        List<FollowPlan.Pair> copied = new ArrayList<>();
        Writes.followed(turn, parameters.declarations()).forEach((source, target) -> {
            Parameters.Cell from = parameters.cell(source);
            Parameters.Cell to = parameters.cell(target.path());
            targets.add(to);
            read.add(from);
            if (target.kind() == Kind.WEIGHT) {
                read.add(to);
            }
            FollowPlan.Pair pair = new FollowPlan.Pair(Reals.of(to::array), Reals.of(from::array));
            (target.kind() == Kind.WEIGHT ? averaged : copied).add(pair);
        });
        plan = FollowPlan.of(averaged, copied);
    }

    @Override
    public void close() {
        plan.release();
    }

    @Override
    public Event take(Taking by) {
        return by.follow(this);
    }

    /** @throws DivergedException if a followed weight or an average is not finite */
    public void requireFinite(Event.Position at) {
        if (plan.isFinite(kernelThreads)) {
            return;
        }
        for (Parameters.Cell cell : read) {
            Declaration of = cell.declaration();
            if (!Anomaly.isFinite(cell.buffer(), of.type())) {
                String path = of.path().text();
                throw new DivergedException(
                        message(at, "a value to average is not finite") + AS_BEFORE,
                        Optional.of(Anomaly.ofParameter(path, parameters.tensor(path))));
            }
        }
    }

    /** The copies of running statistics that training uses, even where saved states hold an average's own. */
    @Override
    public State save() {
        State copies = State.empty();
        for (Parameters.Cell cell : targets) {
            Declaration of = cell.declaration();
            if (of.kind() == Kind.RUNNING_STATISTIC && turn.statisticsBatches() > 0) {
                copies = copies.with(of.path().text(), cell.array().read());
            }
        }
        return copies.items().isEmpty() ? super.save() : super.save().with(STATISTICS, copies);
    }

    @Override
    public void restore(State state) {
        super.restore(state);
        State copies = state.has(STATISTICS) ? state.state(STATISTICS) : State.empty();
        for (Parameters.Cell cell : targets) {
            String path = cell.declaration().path().text();
            if (copies.has(path)) {
                cell.write(copies.tensor(path).buffer());
            }
        }
    }

    private void average() {
        plan.run(turn.decay(count()), kernelThreads);
    }

    public Event.Followed take(Event.Position at) {
        parameters.write(targets, average);
        return new Event.Followed(at, turn().name());
    }
}
