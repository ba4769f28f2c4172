package hocket.workbench;

import hocket.schedulers.Plan;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Turn;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The first turns of a plan, without training: schedules are asked, and see a run that reports no figures. */
final class UpcomingTurns implements ScheduleView {
    private final Streams streams;
    private final int most;
    private final List<String> turns = new ArrayList<>();
    private final Map<String, Long> counts = new HashMap<>();
    private final IdentityHashMap<Plan.Choose, Record> states = new IdentityHashMap<>();
    private long round;

    private UpcomingTurns(Streams streams, int most) {
        this.streams = streams;
        this.most = most;
    }

    /** The names of the first turns. */
    static List<String> of(Plan plan, long seed, int count) {
        UpcomingTurns upcoming = new UpcomingTurns(Streams.seed(seed), count);
        while (upcoming.turns.size() < count) {
            upcoming.take(plan);
            upcoming.round++;
        }
        return upcoming.turns.subList(0, count);
    }

    private void take(Plan part) {
        if (turns.size() >= most) {
            return;
        }
        if (part instanceof Turn turn) {
            turns.add(turn.name());
            counts.merge(turn.name(), 1L, Long::sum);
        } else if (part instanceof Plan.Sequence sequence) {
            sequence.parts().forEach(this::take);
        } else if (part instanceof Plan.Repeat repeat) {
            for (int i = 0; i < repeat.times(); i++) {
                take(repeat.part());
            }
        } else if (part instanceof Plan.Simultaneous group) {
            group.turns().forEach(this::take);
        } else if (part instanceof Plan.Choose choose) {
            String chosen = chosen(choose, choose.schedule());
            choose.turns().stream()
                    .filter(turn -> turn.name().equals(chosen))
                    .findFirst()
                    .ifPresentOrElse(this::take, () -> {
                        throw new IllegalArgumentException("schedule " + choose.schedule() + " chose " + chosen
                                + "; it may choose from " + choose.turns());
                    });
        }
    }

    @SuppressWarnings("unchecked") // what a schedule is given is what it started with or gave back
    private <S extends Record> String chosen(Plan.Choose choose, Schedule<S> schedule) {
        Record before = states.get(choose);
        Schedule.Choice<S> next = schedule.next(before == null ? schedule.start() : (S) before, this);
        states.put(choose, next.state());
        return next.turn();
    }

    @Override
    public OptionalDouble average(String series, int window) {
        return OptionalDouble.empty();
    }

    @Override
    public long count(String turn) {
        return counts.getOrDefault(turn, 0L);
    }

    @Override
    public long step() {
        return turns.size();
    }

    @Override
    public long round() {
        return round;
    }

    @Override
    public Stream random() {
        return streams.at("schedule");
    }
}
