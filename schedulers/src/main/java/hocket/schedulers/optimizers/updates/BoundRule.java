package hocket.schedulers.optimizers.updates;

import hocket.schedulers.optimizers.Lazy;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.FusedChain;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.transforms.ClipByGlobalNorm;
import hocket.schedulers.optimizers.transforms.Gate;
import hocket.schedulers.optimizers.transforms.Measuring;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An optimizer bound to its weights. Without a fused loop, the chain is split into passes: each ends with the measuring
 * of a transformation, whose change of the update starts the next one, and the last updates the weights.
 */
final class BoundRule {
    /** The sums of one measuring transformation. */
    static final class Totals {
        final Measuring.Over over;
        final int count;
        private final double[] totals;
        private final long[] elements;
        private final int[] regionOf;

        Totals(Measuring link, BoundTransformation bound, List<Target> targets) {
            over = link.over();
            count = link.sums();
            regionOf = new int[targets.size()];
            int regions = 0;
            for (int t = 0; t < regionOf.length; t++) {
                Target target = targets.get(t);
                regionOf[t] = regions;
                if (over != Measuring.Over.SELECTION) {
                    regions +=
                            over == Measuring.Over.ARRAY ? 1 : target.weight().length() / target.unit();
                }
            }
            regions += over == Measuring.Over.SELECTION ? 1 : 0;
            totals = new double[regions * count];
            elements = new long[regions];
            for (int t = 0; t < regionOf.length; t++) {
                Target target = targets.get(t);
                if (bound.touches[t]) {
                    int length = over == Measuring.Over.UNIT
                            ? target.unit()
                            : target.weight().length();
                    for (int i = 0; i < target.weight().length(); i += length) {
                        elements[region(t, i, target)] += length;
                    }
                }
            }
        }

        int region(int target, int element, Target of) {
            return regionOf[target] + (over == Measuring.Over.UNIT ? element / of.unit() : 0);
        }

        void clear() {
            Arrays.fill(totals, 0);
        }

        void add(int region, double[] partial, int at) {
            for (int k = 0; k < count; k++) {
                totals[region * count + k] += partial[at + k];
            }
        }
    }

    final UpdateRule original;
    final List<Target> targets;
    final List<BoundTransformation> links = new ArrayList<>();
    private @Nullable FusedChain fusedChain;
    private boolean clipsFirst;
    private int[] ends = new int[0];
    private Totals[] totals = new Totals[0];
    private Reals[] between = new Reals[0];
    private int open;

    /** Whether a link waits for further gradients, so that no weight is updated. */
    private boolean waits;

    private double clip = 1;

    /** The rows that the next update takes, by weight; null where it takes all. */
    private final @Nullable BitSet[] taken;

    /** Whether each row was in use since the last update, 1 or 0, by weight; null where each gradient leads to one. */
    private final @Nullable Reals[] waiting;

    BoundRule(UpdateRule rule, List<Target> targets) {
        this.original = rule;
        this.targets = targets;
        taken = new BitSet[targets.size()];
        waiting = new Reals[targets.size()];
        for (int t = 0; t < taken.length; t++) {
            Target target = targets.get(t);
            if (rule instanceof Lazy && target.used() != null) {
                int rows = target.weight().length() / target.unit();
                taken[t] = new BitSet(rows);
                if (rule.links().stream().anyMatch(Gate.class::isInstance)) {
                    Device.Array weight = target.weight().array();
                    waiting[t] = Reals.of(weight.device().allocate(Shape.of(rows), weight.type()));
                }
            }
        }
        List<String> labels = GradientTransformations.labels(rule.links());
        for (int i = 0; i < labels.size(); i++) {
            links.add(new BoundTransformation(labels.get(i), rule.links().get(i), targets));
        }
        reset();
    }

    /** Chooses loops again after a setting changed. */
    void compile() {
        clipsFirst = links.get(0).link instanceof ClipByGlobalNorm;
        fusedChain = FusedChain.of(links, targets).orElse(null);
        List<Integer> measuring = new ArrayList<>();
        List<Totals> sums = new ArrayList<>();
        for (int i = clipsFirst ? 1 : 0; i < links.size() && fusedChain == null; i++) {
            if (links.get(i).link instanceof Measuring link) {
                measuring.add(i);
                sums.add(new Totals(link, links.get(i), targets));
            }
        }
        ends = measuring.stream().mapToInt(Integer::intValue).toArray();
        totals = sums.toArray(Totals[]::new);
        if (ends.length > 0 && between.length == 0) {
            between = targets.stream()
                    .map(target -> target.weight().beside(ElementType.FLOAT64))
                    .toArray(Reals[]::new);
        }
    }

    /** Releases weights and gradients, and frees slots and the arrays between passes. */
    void release() {
        for (Target target : targets) {
            target.weight().release();
            target.gradient().release();
        }
        links.forEach(link -> Stream.of(link.slots).flatMap(Stream::of).forEach(Reals::free));
        Stream.of(between).forEach(Reals::free);
        Stream.of(waiting).filter(Objects::nonNull).forEach(Reals::free);
    }

    /** The rows in use that a weight's gradient has; null where it may have all, or all are updated. */
    @Nullable
    Supplier<BitSet> used(int target) {
        return taken[target] == null ? null : targets.get(target).used();
    }

    /** The rows that the next update takes of a weight; null where it takes all. */
    @Nullable
    Supplier<BitSet> taken(int target) {
        BitSet rows = taken[target];
        return rows == null ? null : () -> rows;
    }

    /** The rows of a weight that wait for an update, as a slot; null where none does. */
    @Nullable
    Reals waiting(int target) {
        return waiting[target];
    }

    /** Takes the rows in use; where updates wait for several gradients, an update takes those of all of them. */
    private void takeRows() {
        for (int t = 0; t < taken.length; t++) {
            BitSet rows = taken[t];
            Supplier<BitSet> used = targets.get(t).used();
            if (rows == null || used == null) {
                continue;
            }
            rows.clear();
            rows.or(used.get());
            Reals marks = waiting[t];
            if (marks == null) {
                continue;
            }
            ByteBuffer all = marks.view().bytes();
            if (waits) {
                for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
                    marks.type().put(all, row, 1);
                }
                continue;
            }
            for (int row = 0; row < marks.length(); row++) {
                if (marks.type().get(all, row) != 0) {
                    rows.set(row);
                    marks.type().put(all, row, 0);
                }
            }
        }
    }

    /** Returns whether it needs the norm of its gradients. */
    boolean clipsFirst() {
        return clipsFirst;
    }

    /** Returns the number of passes over memory. */
    int passes() {
        return ends.length + 1;
    }

    /** Returns whether a pass works by units. */
    boolean isByUnit(int pass) {
        return (pass < totals.length && totals[pass].over == Measuring.Over.UNIT)
                || (pass > 0 && totals[pass - 1].over == Measuring.Over.UNIT);
    }

    /** Returns whether a pass of this update does anything. */
    boolean runs(int pass) {
        return pass == 0 || ends[pass - 1] < open;
    }

    /**
     * Prepares the next update; changes no saved state.
     *
     * @throws IllegalArgumentException if a rate is negative or not finite
     */
    void look(long round, double epoch) {
        open = links.size();
        waits = false;
        double value = 1;
        boolean isRated = false;
        for (int i = 0; i < open; i++) {
            BoundTransformation link = links.get(i);
            link.look(round, epoch, value, isRated);
            value = link.value;
            isRated = link.isRated;
            if (link.link instanceof Gate gate && !gate.opens(link.next)) {
                open = i + 1;
                waits = true;
            }
        }
    }

    /** @param norm of its gradients; only where it asked for it */
    void begin(double norm) {
        clip = links.get(0).link instanceof ClipByGlobalNorm link ? link.scale(norm) : 1;
        for (int i = 0; i < open; i++) {
            BoundTransformation link = links.get(i);
            if (link.count == 0) {
                copyWeights(link);
            }
            link.accept();
            if (fusedChain == null) {
                link.prepare();
            }
        }
        takeRows();
        if (fusedChain != null) {
            fusedChain.prepare(clip);
        }
        for (Totals each : totals) {
            each.clear();
        }
    }

    private void copyWeights(BoundTransformation link) {
        for (int s = 0; s < link.kept.size(); s++) {
            if (link.kept.get(s).isOfWeight()) {
                for (int t = 0; t < targets.size(); t++) {
                    if (link.touches[t]) {
                        Reals weight = targets.get(t).weight();
                        Kernels.copy(link.slots[t][s], weight, 0, weight.length());
                    }
                }
            }
        }
    }

    /** Returns the number of sums of a pass. */
    int sums(int pass) {
        return pass < totals.length ? totals[pass].count : 0;
    }

    /**
     * Does a pass over a range of one weight.
     *
     * @param partial takes the sums of the range
     * @param partialAt where
     */
    void run(Kernels kernels, int pass, int target, int from, int to, double[] partial, int partialAt) {
        if (fusedChain != null) {
            fusedChain.apply(kernels, target, from, to);
            return;
        }
        Target on = targets.get(target);
        Chunk chunk = kernels.chunk();
        int first = pass == 0 ? (clipsFirst ? 1 : 0) : ends[pass - 1];
        boolean measures = pass < ends.length && ends[pass] < open;
        int end = measures ? ends[pass] : open;
        for (int k = 0; k < sums(pass); k++) {
            partial[partialAt + k] = 0;
        }
        for (int i = from; i < to; i += Chunk.SIZE) {
            chunk.use(Math.min(Chunk.SIZE, to - i));
            chunk.readWeight(on.weight(), i);
            if (pass == 0) {
                chunk.readUpdate(on.gradient(), i, clip);
            } else {
                chunk.readUpdate(between[target], i, 1);
                Totals of = totals[pass - 1];
                int region = of.region(target, i, on);
                chunk.sums(of.totals, region * of.count, of.elements[region]);
            }
            for (int l = first; l < end; l++) {
                BoundTransformation link = links.get(l);
                if (link.touches[target]) {
                    chunk.run(link, link.slots[target], i, null);
                }
            }
            if (measures) {
                BoundTransformation link = links.get(end);
                if (link.touches[target]) {
                    chunk.sums(partial, partialAt, 0);
                    chunk.run(link, link.slots[target], i, (Measuring) link.link);
                }
                chunk.writeUpdate(between[target], i);
            } else if (!waits) {
                chunk.descend(on.weight(), i);
            }
        }
    }

    /** Takes the sums of one range, in the order of ranges. */
    void add(int pass, int target, int from, double[] partial, int partialAt) {
        Totals of = totals[pass];
        of.add(of.region(target, from, targets.get(target)), partial, partialAt);
    }

    /** Requests all arrays again, within an update. */
    void refresh() {
        for (int t = 0; t < targets.size(); t++) { // an iterator would be an object
            targets.get(t).weight().refresh();
            targets.get(t).gradient().refresh();
            Reals marks = waiting[t];
            if (marks != null) {
                marks.refresh();
            }
            for (int i = 0; i < links.size(); i++) {
                refresh(links.get(i).slots[t]);
            }
        }
        refresh(between);
    }

    private static void refresh(Reals[] arrays) {
        for (Reals array : arrays) {
            array.refresh();
        }
    }

    /** Resets to the initial state. */
    void reset() {
        links.forEach(BoundTransformation::reset);
        Stream.of(waiting).filter(Objects::nonNull).forEach(marks -> marks.fill(0));
        compile();
    }
}
