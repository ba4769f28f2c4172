package hocket.schedulers.turns;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.schedulers.Turn;
import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;

/** The states that a bound turn carries from one time to the next. */
final class CarriedStates {
    private final String turn;
    private final BoundProgram program;
    private final List<Turn.Carried> carried;
    private Last last = new Last();

    /** The states after the last time; none before the first. */
    private static final class Last {
        List<Tensor> states = List.of();
    }

    CarriedStates(Turn.Descend turn, BoundProgram program) {
        this.turn = turn.name();
        this.program = program;
        this.carried = turn.carried();
    }

    /**
     * Returns the program of a turn with what it observes and carries.
     *
     * @throws IllegalArgumentException if it carries a state, and there are other processes
     */
    static Program handingOut(Turn.Descend turn, Exchange exchange) {
        if (!turn.carried().isEmpty() && exchange.processes() > 1) {
            throw new IllegalArgumentException("turn " + turn.name()
                    + " carries a state, which only its own process knows: train in a single one");
        }
        return turn.program()
                .with(Stream.concat(
                                turn.observed().stream(),
                                turn.carried().stream().map(Turn.Carried::next))
                        .distinct()
                        .toList());
    }

    /** Continues the states of another turn that this one stands for, and that continues these. */
    void share(CarriedStates other) {
        last = other.last;
    }

    /**
     * Returns whether the states are fed, given the inputs that are missing, from which it takes theirs.
     *
     * @throws IllegalArgumentException if some of the states are missing and others not
     */
    boolean continues(SortedSet<String> missing) {
        List<String> inputs = carried.stream().map(CarriedStates::name).toList();
        int found = (int) inputs.stream().filter(missing::contains).count();
        if (found > 0 && found < inputs.size()) {
            throw new IllegalArgumentException(
                    "turn " + turn + " carries states to " + inputs + ": feed all of them, or none");
        }
        inputs.forEach(missing::remove);
        return found > 0;
    }

    /** Returns whether an input of the program reads a state. */
    boolean reads(Value input) {
        return carried.stream().anyMatch(each -> each.input().equals(input));
    }

    /**
     * Fills the inputs that read states.
     *
     * @throws IllegalArgumentException if the states are of another number of rows; nothing is written then
     */
    void feed(int rows) {
        List<Tensor> states = last.states;
        for (int i = 0; i < states.size(); i++) {
            if (states.get(i).shape().get(0) != rows) {
                throw new IllegalArgumentException("turn " + turn + " carries the states of "
                        + states.get(i).shape().get(0) + " rows, and reads " + rows
                        + ": rows must continue those of the turn before");
            }
        }
        for (int i = 0; i < carried.size(); i++) {
            Value input = carried.get(i).input();
            ByteBuffer to = program.feed(program.program().inputs().indexOf(input), rows);
            if (states.isEmpty()) {
                int bytes = input.shape().prepend(rows).bytes(input.type());
                to.put(to.position(), new byte[bytes]);
            } else {
                ByteBuffer from = states.get(i).buffer();
                to.put(to.position(), from, 0, from.limit());
            }
        }
    }

    /** Keeps the states after a run. */
    void keep() {
        if (!carried.isEmpty()) {
            List<Tensor> states = new ArrayList<>();
            for (Turn.Carried each : carried) {
                states.add(program.target(program.program().targets().indexOf(each.next())));
            }
            last.states = states;
        }
    }

    /** Forgets the states: the next time begins with zeros. */
    void reset() {
        last.states = List.of();
    }

    /** Returns the states by their inputs. */
    State save() {
        State state = State.empty();
        for (int i = 0; i < last.states.size(); i++) {
            state = state.with(name(carried.get(i)), last.states.get(i));
        }
        return state;
    }

    /** @throws IllegalArgumentException if the states are of another shape or type; nothing has changed then */
    void restore(State state) {
        List<Tensor> states = new ArrayList<>();
        for (Turn.Carried each : state.items().isEmpty() ? List.<Turn.Carried>of() : carried) {
            Tensor saved = state.tensor(name(each));
            Shape first = (states.isEmpty() ? saved : states.get(0)).shape();
            int rows = first.rank() == 0 ? 0 : first.get(0); // all states are of as many
            Shape shape = each.input().shape().prepend(Math.max(1, rows));
            if (saved.type() != each.input().type() || !saved.shape().equals(shape)) {
                throw new IllegalArgumentException(
                        "turn " + turn + ": the state of " + each.input() + " was saved as " + saved.signature());
            }
            states.add(saved);
        }
        last.states = states;
    }

    private static String name(Turn.Carried carried) {
        return carried.input().path().text();
    }
}
