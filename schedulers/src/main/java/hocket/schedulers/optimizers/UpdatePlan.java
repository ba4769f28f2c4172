package hocket.schedulers.optimizers;

import java.util.ArrayList;
import java.util.List;

/**
 * What one turn updates: rules bound to arrays, made once and run at every update, in one phase for all arrays. Running
 * it allocates nothing. One thread at a time.
 */
public final class UpdatePlan {
    /**
     * A rule and all that it updates. Clipping takes the norm over the gradients of one group.
     *
     * @param rule the rule
     * @param operands the arrays, a weight at most once
     */
    public record Group(UpdateRule rule, List<Operands> operands) {
        /** @throws IllegalArgumentException if a weight has not as many slots as the rule keeps */
        public Group {
            operands = List.copyOf(operands);
            for (Operands on : operands) {
                if (on.slots().size() != rule.slots().size()) {
                    throw new IllegalArgumentException(rule.name() + ": keeps " + rule.slots()
                            + " for each weight, was given " + on.slots().size() + " slots");
                }
            }
        }
    }

    private final Group[] groups;
    private final Step[] steps;
    private final Operands[] operands;
    private final int[] groupOf;
    private final Chunks chunks;
    private final double[] sums;
    private final boolean clips;
    private final Workers.Work update = new Update();
    private final Workers.Work squares = new Squares();

    private UpdatePlan(List<Group> groups) {
        this.groups = groups.toArray(Group[]::new);
        this.steps = new Step[this.groups.length];
        List<Operands> all = new ArrayList<>();
        List<Integer> of = new ArrayList<>();
        for (int g = 0; g < steps.length; g++) {
            steps[g] = new Step();
            for (Operands on : groups.get(g).operands()) {
                all.add(on);
                of.add(g);
            }
        }
        this.operands = all.toArray(Operands[]::new);
        this.groupOf = of.stream().mapToInt(Integer::intValue).toArray();
        this.chunks = new Chunks(all.stream().map(Operands::weight).toList());
        this.sums = new double[chunks.count()];
        this.clips = groups.stream().anyMatch(group -> group.rule() instanceof Clipped);
    }

    /** A plan of groups; no weight may be in two. */
    public static UpdatePlan of(List<Group> groups) {
        return new UpdatePlan(groups);
    }

    /** A plan of one group. */
    public static UpdatePlan of(UpdateRule rule, List<Operands> operands) {
        return of(List.of(new Group(rule, operands)));
    }

    /** Number of elements that an update changes, slots not counted. */
    public long elements() {
        return chunks.elements();
    }

    /**
     * Updates all weights and their slots. The same bits for any number of workers and either kind of kernels.
     *
     * @param count the number of this update of the plan, from 1
     * @throws IllegalArgumentException if a rate is negative or not finite at this count; nothing is changed then
     */
    public void run(Workers workers, long count) {
        if (clips) {
            sumSquares(workers);
        }
        runMeasured(workers, count);
    }

    /**
     * The same right after {@link #gradientNorm} of the same gradients, which are not measured again.
     *
     * @param count the number of this update of the plan, from 1
     * @throws IllegalArgumentException if a rate is negative or not finite at this count; nothing is changed then
     */
    public void runMeasured(Workers workers, long count) {
        refresh();
        for (int g = 0; g < groups.length; g++) {
            groups[g].rule().prepare(count, steps[g]);
        }
        if (clips) {
            for (int g = 0; g < groups.length; g++) {
                if (groups[g].rule() instanceof Clipped clipped) {
                    steps[g].scale = clipped.scale(Math.sqrt(sum(g)));
                }
            }
        }
        workers.run(update);
    }

    /**
     * The Euclidean norm of all gradients together, in double, before any clipping. Finite exactly if all gradients are,
     * except that float64 ones beyond 1e150 may overflow.
     */
    public double gradientNorm(Workers workers) {
        sumSquares(workers);
        double sum = 0;
        for (int g = 0; g < groups.length; g++) {
            sum += sum(g);
        }
        return Math.sqrt(sum);
    }

    private void sumSquares(Workers workers) {
        for (Operands on : operands) {
            on.gradient().refresh();
        }
        workers.run(squares);
    }

    /** The sum of squares of a group's gradients, in the order of its chunks. */
    private double sum(int group) {
        double sum = 0;
        for (int chunk = 0; chunk < sums.length; chunk++) {
            if (groupOf[chunks.array(chunk)] == group) {
                sum += sums[chunk];
            }
        }
        return sum;
    }

    private void refresh() {
        for (Operands on : operands) {
            on.weight().refresh();
            on.gradient().refresh();
            for (int i = 0; i < on.slots().size(); i++) {
                on.slots().get(i).refresh();
            }
        }
    }

    private final class Update implements Workers.Work {
        @Override
        public Chunks chunks() {
            return chunks;
        }

        @Override
        public void chunk(Kernels kernels, int chunk) {
            int array = chunks.array(chunk);
            int group = groupOf[array];
            groups[group].rule().apply(kernels, steps[group], operands[array], chunks.from(chunk), chunks.to(chunk));
        }
    }

    private final class Squares implements Workers.Work {
        @Override
        public Chunks chunks() {
            return chunks;
        }

        @Override
        public void chunk(Kernels kernels, int chunk) {
            Reals gradient = operands[chunks.array(chunk)].gradient();
            sums[chunk] = kernels.sumOfSquares(gradient, chunks.from(chunk), chunks.to(chunk));
        }
    }
}
