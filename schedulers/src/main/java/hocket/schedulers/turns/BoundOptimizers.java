package hocket.schedulers.turns;

import hocket.programs.execution.BoundProgram;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.scopes.Declaration;
import hocket.scopes.Device;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The optimizers of a turn, bound to its weights, with their slots. Several turns may step them, one at a time; each
 * says by {@link #use} that the next step is by the gradients of its program.
 */
final class BoundOptimizers {
    /** A turn's gradients, in the order of the weights; a weight that its loss does not reach has none. */
    private record Gradients(BoundProgram program, int[] indices) {}

    private final UpdatePlan plan;
    private final List<Parameters.Cell> weights = new ArrayList<>();
    private final Map<Integer, Device.Array> zeros = new HashMap<>();
    private final Map<BoundProgram, Gradients> known = new HashMap<>();
    private Gradients gradients;

    /** The optimizers of a turn whose program has gradients of all its weights. */
    BoundOptimizers(Turn.Descend turn, Parameters parameters, BoundProgram program, UsedRows usedRows) {
        List<List<Parameters.Cell>> ofUpdates = new ArrayList<>();
        for (Turn.Update update : turn.updates()) {
            List<Parameters.Cell> cells = Writes.weights(turn, update, parameters.declarations()).stream()
                    .map(parameters::cell)
                    .toList();
            ofUpdates.add(cells);
            weights.addAll(cells);
        }
        gradients = of(program);
        List<UpdatePlan.Group> groups = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < ofUpdates.size(); i++) {
            List<Target> targets = new ArrayList<>();
            for (Parameters.Cell cell : ofUpdates.get(i)) {
                targets.add(target(cell, at++, usedRows));
            }
            groups.add(new UpdatePlan.Group(turn.updates().get(i).rule(), targets));
        }
        plan = UpdatePlan.of(groups);
    }

    private Target target(Parameters.Cell cell, int number, UsedRows usedRows) {
        Declaration of = cell.declaration();
        Target target =
                Target.of(of.path().text(), of.shape(), Reals.of(cell::array), Reals.of(() -> gradient(number)));
        @Nullable BitSet used = usedRows.of(of.path());
        return used == null ? target : target.using(() -> used);
    }

    /** A program has arrays of gradients only once it ran, and others for each number of rows; the weight stands in before. */
    private Device.Array gradient(int weight) {
        if (gradients.program().rows().isEmpty()) {
            return weights.get(weight).array();
        }
        int index = gradients.indices()[weight];
        return index < 0
                ? zeros.computeIfAbsent(weight, at -> weights.get(at).array().alike())
                : gradients.program().gradient(index);
    }

    private Gradients of(BoundProgram program) {
        List<Path> order = List.copyOf(program.gradients());
        int[] indices = weights.stream()
                .mapToInt(weight -> order.indexOf(weight.declaration().path()))
                .toArray();
        return new Gradients(program, indices);
    }

    /** Sets the program by whose gradients the next step is; a weight that its loss does not reach has gradient zero. */
    @SuppressWarnings("ReferenceEquality") // the usual case: the same turn again
    void use(BoundProgram program) {
        if (gradients.program() != program) {
            gradients = Objects.requireNonNull(known.computeIfAbsent(program, this::of));
        }
    }

    UpdatePlan plan() {
        return plan;
    }

    /** Returns the weights that they update, in their order. */
    List<Parameters.Cell> weights() {
        return weights;
    }

    /** Returns the gradients in the order of the weights. */
    List<Device.Array> gradients() {
        List<Device.Array> all = new ArrayList<>();
        for (int i = 0; i < weights.size(); i++) {
            all.add(gradient(i));
        }
        return all;
    }

    void release() {
        plan.release();
        zeros.values().forEach(Device.Array::close);
        zeros.clear();
    }
}
