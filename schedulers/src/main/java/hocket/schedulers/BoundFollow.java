package hocket.schedulers;

import hocket.programs.Anomaly;
import hocket.schedulers.optimizers.FollowPlan;
import hocket.schedulers.optimizers.Reals;
import hocket.schedulers.optimizers.Workers;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A turn that averages and copies, on the store. */
final class BoundFollow extends BoundTurn {
    private final Workers workers;
    private final Parameters parameters;
    private final FollowPlan plan;
    private final List<Parameters.Cell> targets = new ArrayList<>();
    private final List<Parameters.Cell> read = new ArrayList<>();
    private final Runnable average = this::average;

    BoundFollow(Turn.Follow turn, Parameters parameters, Workers workers) {
        super(turn);
        this.workers = workers;
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
            FollowPlan.Pair pair =
                    new FollowPlan.Pair(Reals.of(target.type(), to::buffer), Reals.of(target.type(), from::buffer));
            (target.kind() == Kind.WEIGHT ? averaged : copied).add(pair);
        });
        plan = FollowPlan.of(turn.decay(), averaged, copied);
    }

    @Override
    public void close() {
        plan.release();
    }

    /** @throws DivergedException if what it follows or averages is not finite */
    void requireFinite(Event.Position at) {
        if (plan.isFinite(workers)) {
            return;
        }
        for (Parameters.Cell cell : read) {
            Declaration of = cell.declaration();
            if (!Anomaly.isFinite(cell.buffer(), of.type())) {
                String path = of.path().text();
                throw new DivergedException(
                        message(at, "what it averages is not finite") + AS_BEFORE,
                        Optional.of(Anomaly.ofParameter(path, parameters.tensor(path))));
            }
        }
    }

    private void average() {
        plan.run(workers);
    }

    Event.Followed take(Event.Position at) {
        parameters.write(targets, average);
        return new Event.Followed(at, turn().name());
    }
}
