package hocket.schedulers;

import hocket.schedulers.json.Records;
import java.util.ArrayList;
import java.util.List;

/** The schedules of a plan, and what each remembers. */
final class Schedules {
    private static final class Memory {
        final Plan.Choose choose;
        Record state;

        Memory(Plan.Choose choose) {
            this.choose = choose;
            this.state = choose.schedule().start();
        }
    }

    private final List<Memory> memories = new ArrayList<>();

    /** The schedules of this plan at their start. */
    Schedules(Plan plan) {
        collect(plan);
    }

    private void collect(Plan part) {
        if (part instanceof Plan.Choose choose) {
            if (memories.stream().noneMatch(memory -> memory.choose == choose)) {
                memories.add(new Memory(choose));
            }
        } else {
            part.parts().forEach(this::collect);
        }
    }

    /**
     * The turn that a schedule chooses.
     *
     * @throws IllegalArgumentException if it is not one to choose from; then the schedule remembers what it did before
     */
    Turn next(Plan.Choose choose, ScheduleView view) {
        for (int i = 0; i < memories.size(); i++) {
            if (memories.get(i).choose == choose) {
                return next(choose, choose.schedule(), memories.get(i), view);
            }
        }
        throw new IllegalStateException("the plan has no " + choose);
    }

    @SuppressWarnings("unchecked") // what a schedule is given is what it started with or gave back
    private static <S extends Record> Turn next(
            Plan.Choose choose, Schedule<S> schedule, Memory memory, ScheduleView view) {
        Schedule.Choice<S> choice = schedule.next((S) memory.state, view);
        for (int i = 0; i < choose.turns().size(); i++) {
            Turn turn = choose.turns().get(i);
            if (turn.name().equals(choice.turn())) {
                memory.state = choice.state();
                return turn;
            }
        }
        throw new IllegalArgumentException(
                "schedule " + schedule + " chose " + choice.turn() + "; it may choose from " + choose.turns());
    }

    State save() {
        State state = State.empty();
        for (int i = 0; i < memories.size(); i++) {
            state = state.with(Integer.toString(i), Records.text(memories.get(i).state));
        }
        return state;
    }

    /** Goes back to the saved state of the same plan's schedules. */
    void restore(State state) {
        List<Record> states = new ArrayList<>();
        for (int i = 0; i < memories.size(); i++) {
            states.add(Records.record(
                    state.text(Integer.toString(i)), memories.get(i).state.getClass()));
        }
        for (int i = 0; i < memories.size(); i++) {
            memories.get(i).state = states.get(i);
        }
    }
}
