package hocket.schedulers.plans;

import hocket.schedulers.Move;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.stream.IntStream;

/** Turns whose gradients are all computed before the first of them writes. */
public record Simultaneous(
        @Setting(help = "turns whose gradients are computed before the first of them writes")
        List<Plan> simultaneous) implements Node<Simultaneous.At> {
    /** Whether they were taken. */
    public record At(boolean taken) {}

    /** @throws IllegalArgumentException if there are fewer than two, one appears twice, or one descends no loss */
    public Simultaneous {
        simultaneous = List.copyOf(simultaneous);
        if (simultaneous.size() < 2) {
            throw new IllegalArgumentException("a simultaneous group needs at least two turns, got " + simultaneous);
        }
        requireTurns("a simultaneous group", simultaneous);
    }

    Simultaneous(Turn.Descend... turns) {
        this(List.of((Plan[]) turns));
    }

    /** Checks that parts that are to be taken together are turns that descend, each of them once. */
    static void requireTurns(String whose, List<Plan> turns) {
        for (int i = 0; i < turns.size(); i++) {
            if (turns.indexOf(turns.get(i)) < i) {
                throw new IllegalArgumentException(whose + " takes a turn once, got " + turns);
            }
            Plan part = turns.get(i);
            boolean descends = part.turn().flatMap(Turn::descend).isPresent();
            if (!descends && part.unresolved().isEmpty()) {
                String what = part.turn()
                        .map(turn ->
                                "turn " + turn.name() + " descends no loss, so it cannot be simultaneous with others")
                        .orElse(part + " is not a turn");
                throw new IllegalArgumentException(whose + " takes turns that descend a loss: " + what);
            }
        }
    }

    @Override
    public List<Plan> parts() {
        return simultaneous;
    }

    @Override
    public Plan with(List<Plan> parts) {
        return new Simultaneous(parts);
    }

    @Override
    public List<List<Integer>> together() {
        return List.of(IntStream.range(0, simultaneous.size()).boxed().toList());
    }

    @Override
    public At start() {
        return new At(false);
    }

    @Override
    public Move<At> next(At at, ScheduleView view) {
        return at.taken() ? Move.end(start()) : new Move.Together<>(together().get(0), new At(true), false);
    }

    @Override
    public String toString() {
        return "simultaneous" + Plan.joined(simultaneous);
    }
}
