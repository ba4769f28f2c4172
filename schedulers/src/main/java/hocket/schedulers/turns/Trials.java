package hocket.schedulers.turns;

import hocket.schedulers.Node;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.Sources;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.updates.FollowPlan;
import hocket.schedulers.plans.Trial;
import hocket.schedulers.state.State;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Device;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntFunction;

/** The states that look-ahead parts of a plan have saved, the innermost first. */
public final class Trials {
    /** One array and room for a copy of it. */
    private record Copy(Parameters.Cell cell, Device.Array room) {
        void take() {
            room.write(cell.buffer());
        }

        void back() {
            cell.array().write(room.buffer());
        }
    }

    /** The arrays that the turns of a part write, and room for copies of them. */
    private static final class Mark {
        final int part;
        final boolean sameSample;
        final boolean keepSlots;
        final List<Copy> copies = new ArrayList<>();
        final List<Parameters.Cell> cells = new ArrayList<>();
        final List<BoundTurn> turns = new ArrayList<>();
        final List<BoundTurn.Remembered> remembered = new ArrayList<>();

        /** The noise counter of each turn when it was first taken in the trial. */
        final Map<String, Long> first = new HashMap<>();

        Mark(int part, boolean sameSample, boolean keepSlots) {
            this.part = part;
            this.sameSample = sameSample;
            this.keepSlots = keepSlots;
        }

        void close() {
            copies.forEach(copy -> copy.room().close());
            remembered.forEach(BoundTurn.Remembered::close);
        }
    }

    private final BoundTurns turns;
    private final Parameters parameters;
    private final KernelThreads kernelThreads;
    private final Sources sources;
    private final Deque<Mark> open = new ArrayDeque<>();

    /** The closed ones by their part, whose arrays are reused. */
    private final Map<Integer, Mark> known = new HashMap<>();

    public Trials(BoundTurns turns, Parameters parameters, KernelThreads kernelThreads, Sources sources) {
        this.turns = turns;
        this.parameters = parameters;
        this.kernelThreads = kernelThreads;
        this.sources = sources;
    }

    public boolean isOpen() {
        return !open.isEmpty();
    }

    /** Saves the arrays that the turns of a part write. */
    public void remember(int number, Node<?> part, boolean sameSample) {
        Mark mark = known.remove(number);
        if (mark == null) {
            mark = mark(number, part, sameSample);
        }
        mark.first.clear();
        mark.copies.forEach(Copy::take);
        for (int i = 0; i < mark.turns.size(); i++) {
            mark.turns.get(i).remember(mark.remembered.get(i));
        }
        open.push(mark);
        hold();
    }

    private Mark mark(int number, Node<?> part, boolean sameSample) {
        boolean keepSlots = part instanceof Trial trial && trial.keepSlots();
        Mark mark = new Mark(number, sameSample, keepSlots);
        SortedSet<Path> paths = new TreeSet<>();
        Set<BoundTurn> bounds = new LinkedHashSet<>();
        for (Turn turn : part.turnsByName().values()) {
            BoundTurn bound = turns.of(turn);
            bounds.add(bound);
            bounds.add(bound.keeper());
            paths.addAll(turns.writes().paths(turn.name()));
        }
        for (BoundTurn bound : bounds) {
            mark.turns.add(bound);
            mark.remembered.add(bound.room());
        }
        for (Path path : paths) {
            Parameters.Cell cell = parameters.cell(path);
            Device.Array of = cell.array();
            mark.copies.add(new Copy(cell, of.alike()));
            mark.cells.add(cell);
        }
        return mark;
    }

    /** Sets whether turns read the same rows again each time. */
    private void hold() {
        sources.hold(open.stream().anyMatch(mark -> mark.sameSample));
    }

    /** Returns the noise counter of a turn: the step, or that of its first time where it repeats a sample. */
    public long sample(String turn, long step) {
        for (Mark mark : open) {
            if (mark.sameSample) {
                return mark.first.computeIfAbsent(turn, key -> step);
            }
        }
        return step;
    }

    /** Returns the turns whose arrays were saved last. */
    public List<BoundTurn> turns() {
        return List.copyOf(innermost().turns);
    }

    /** Restores what was saved last, and keeps the saved copy. */
    public void back() {
        back(innermost());
    }

    private Mark innermost() {
        Mark mark = open.peek();
        if (mark == null) {
            throw new IllegalStateException("a part of the plan restores a state, and none was saved");
        }
        return mark;
    }

    private void back(Mark mark) {
        parameters.write(mark.cells, () -> mark.copies.forEach(Copy::back));
        for (int i = 0; i < mark.turns.size(); i++) {
            mark.turns.get(i).back(mark.remembered.get(i), mark.keepSlots);
        }
    }

    /** Keeps a share of the change since then, and discards the saved copy. */
    public void end(double share) {
        Mark mark = innermost();
        if (share == 0) {
            back(mark);
        } else if (share != 1) {
            partOfTheWay(mark, share);
        }
        open.pop();
        known.put(mark.part, mark);
        hold();
    }

    /** Interpolates weights linearly from the saved ones; other changes stay. */
    private void partOfTheWay(Mark mark, double share) {
        List<FollowPlan.Pair> pairs = new ArrayList<>();
        List<Parameters.Cell> moved = new ArrayList<>();
        for (Copy copy : mark.copies) {
            Declaration of = copy.cell().declaration();
            if (of.kind() == Kind.WEIGHT) {
                pairs.add(new FollowPlan.Pair(Reals.of(copy.cell()::array), Reals.of(copy.room())));
                moved.add(copy.cell());
            }
        }
        parameters.write(moved, () -> FollowPlan.of(pairs, List.of()).run(share, kernelThreads));
    }

    /** Discards all saved states, when the history changes. */
    void clear() {
        while (!open.isEmpty()) {
            Mark mark = open.pop();
            known.put(mark.part, mark);
        }
        hold();
    }

    /** Frees the arrays, too, when the plan changes. */
    public void reset() {
        clear();
        known.values().forEach(Mark::close);
        known.clear();
    }

    public State save() {
        State all = State.empty();
        int depth = open.size();
        for (Mark mark : open) {
            depth--;
            State values = State.empty();
            for (Copy copy : mark.copies) {
                Declaration of = copy.cell().declaration();
                values = values.with(of.path().text(), copy.room().read());
            }
            State remembered = State.empty();
            for (int i = 0; i < mark.turns.size(); i++) {
                remembered = remembered.with(
                        mark.turns.get(i).turn().name(), mark.remembered.get(i).save());
            }
            State samples = State.empty();
            for (Map.Entry<String, Long> sample : mark.first.entrySet()) {
                samples = samples.with(sample.getKey(), sample.getValue());
            }
            all = all.with(
                    Integer.toString(depth),
                    State.empty()
                            .with("part", mark.part)
                            .with("values", values)
                            .with("turns", remembered)
                            .with("samples", samples)
                            .with("same_sample", mark.sameSample ? 1 : 0));
        }
        return all;
    }

    /**
     * Restores a saved state.
     *
     * @param parts of the plan, by number
     */
    public void restore(State state, IntFunction<Node<?>> parts) {
        clear();
        for (int i = 0; i < state.items().size(); i++) {
            State saved = state.state(Integer.toString(i));
            int number = Math.toIntExact(saved.whole("part"));
            Mark mark = known.remove(number);
            if (mark == null) {
                mark = mark(number, parts.apply(number), saved.whole("same_sample") != 0);
            }
            State values = saved.state("values");
            for (Copy copy : mark.copies) {
                Declaration of = copy.cell().declaration();
                Tensor tensor = values.tensor(of.path().text());
                if (!tensor.shape().equals(of.shape()) || tensor.type() != of.type()) {
                    throw new IllegalArgumentException("the saved state of " + of.path() + " was saved as "
                            + tensor.signature() + ", here it is " + of.type() + of.shape());
                }
                copy.room().write(tensor.buffer());
            }
            for (int k = 0; k < mark.turns.size(); k++) {
                mark.remembered
                        .get(k)
                        .restore(saved.state("turns")
                                .state(mark.turns.get(k).turn().name()));
            }
            State samples = saved.state("samples");
            mark.first.clear();
            for (Iterator<String> names = samples.items().keySet().iterator(); names.hasNext(); ) {
                String name = names.next();
                mark.first.put(name, samples.whole(name));
            }
            open.push(mark);
        }
        hold();
    }
}
