package hocket.schedulers.plans;

import hocket.schedulers.Move;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Setting;
import java.util.List;

/** Parts that are taken one after the other. */
public record Sequence(
        @Setting(help = "one part after the other") List<Plan> sequence) implements Node<Sequence.At> {
    /** The position of the next part. */
    public record At(int part) {}

    /** @throws IllegalArgumentException if there are no parts */
    public Sequence {
        sequence = List.copyOf(sequence);
        if (sequence.isEmpty()) {
            throw new IllegalArgumentException("a sequence needs at least one part");
        }
    }

    @Override
    public List<Plan> parts() {
        return sequence;
    }

    @Override
    public Plan with(List<Plan> parts) {
        return new Sequence(parts);
    }

    @Override
    public At start() {
        return new At(0);
    }

    @Override
    public Move<At> next(At at, ScheduleView view) {
        return at.part() + 1 < sequence.size()
                ? Move.take(at.part(), new At(at.part() + 1))
                : Move.last(at.part(), start());
    }

    @Override
    public String toString() {
        return "sequence" + Plan.joined(sequence);
    }
}
