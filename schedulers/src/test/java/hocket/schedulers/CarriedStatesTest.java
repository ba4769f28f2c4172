package hocket.schedulers;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.layers.Recurrence;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A turn whose next time reads what it computed. */
@Tag("engine")
class CarriedStatesTest {
    private static final int ROWS = 4;

    /** A cell that runs over windows of numbers, which continue one another. */
    static final class Memory {
        private final Graph graph = new Graph();
        private final Value x = graph.input("x", Shape.of(3, 2));
        private final Value state;
        private final Recurrence.Unrolled run;
        private final Program program;

        Memory() {
            Recurrence cells = Recurrence.gru(3);
            state = graph.input("state", cells.stateShape());
            try (Scope<Value> module = graph.module("net")) {
                run = cells.apply("cells", x, state, null);
            }
            program = Program.compile("p", Mode.TRAIN, mean(square(run.outputs())));
        }

        Graph graph() {
            return graph;
        }

        Turn.Descend turn() {
            return Turn.of("learn", program).updates("net/**", sgd(0.5)).carries(state, run.state());
        }

        Source rows() {
            float[] numbers = new float[5 * ROWS * 6];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = (float) Math.sin(i);
            }
            return Rows.of("x", Tensor.of(Shape.of(5 * ROWS, 3, 2), numbers)).batchesInOrder("x", ROWS);
        }
    }

    private final Memory memory = new Memory();
    private final Parameters parameters = Toy.store(memory.graph, 7);
    private final Scheduler scheduler = Scheduler.over(parameters, 1);

    @Test
    void theNextTimeReadsTheStateAndTheFirstTimeZeros() {
        Turn.Descend without =
                Turn.of("learn", memory.program).updates("net/**", sgd(0.5)).observes(memory.run.state());
        Parameters others = Toy.store(memory.graph, 7);
        Scheduler byHand = Scheduler.over(others, 1);
        Tensor state = Tensor.of(memory.state.shape().prepend(ROWS), new float[ROWS * 3]);
        Turn.Descend turn = memory.turn();
        for (int i = 0; i < 7; i++) {
            Tensor x = numbers(i);
            scheduler.step(turn, Feeds.of("x", x));
            byHand.step(without, Feeds.of("x", x).and("state", state));
            state = byHand.observed(without, memory.run.state());
            assertThat(parameters.digest()).isEqualTo(others.digest());
        }
        scheduler.step(turn, Feeds.of("x", numbers(1)).and("state", state)); // given instead
        byHand.step(without, Feeds.of("x", numbers(1)).and("state", state));
        assertThat(parameters.digest()).isEqualTo(others.digest());
    }

    private static Tensor numbers(int seed) {
        float[] numbers = new float[ROWS * 6];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (float) Math.sin(i + 10 * seed);
        }
        return Tensor.of(Shape.of(ROWS, 3, 2), numbers);
    }

    @Test
    void rowsThatDoNotContinueThoseBeforeAreRefused() {
        scheduler.step(memory.turn(), Feeds.of("x", numbers(0)));
        Tensor more = Tensor.of(Shape.of(2, 3, 2), Arrays.copyOf(numbers(1).floats(), 12));
        assertThatThrownBy(() -> scheduler.step(memory.turn(), Feeds.of("x", more)))
                .hasMessageContaining("turn learn carries the states of 4 rows, and reads 2");
    }

    @Test
    void aStateThatIsFedOrDoesNotFitIsRefused() {
        assertThatThrownBy(() -> memory.turn().carries(memory.state, memory.run.outputs()))
                .hasMessageContaining("shapes and types must be equal");
        Value other = memory.graph.input("other", memory.state.shape());
        assertThatThrownBy(() -> memory.turn().carries(other, memory.run.state()))
                .hasMessageContaining("turn learn cannot carry a state to other")
                .hasMessageContaining("does not read");
        scheduler
                .plan(memory.turn())
                .feed(memory.rows(), EACH_TURN)
                .feed(
                        Rows.of("state", Tensor.of(Shape.of(ROWS, 1, 1, 3), new float[ROWS * 3]))
                                .batches(ROWS),
                        EACH_TURN);
        assertThatThrownBy(() -> scheduler.run(rounds(1)))
                .hasMessageContaining(
                        "turn learn carries a state to input state (batch,1,1,3), which source state feeds too");
    }

    /** Two states, of which a caller feeds both or none. */
    @Test
    void someOfTheStatesAloneAreRefusedAndStatesOfDifferentRowsAreNotRestored() {
        Graph graph = new Graph();
        Value a = graph.input("a", Shape.of(2));
        Value b = graph.input("b", Shape.of(2));
        Program program;
        try (Scope<Value> net = graph.module("net")) {
            program = Program.compile("p", Mode.TRAIN, mean(square(dense("d", add(a, b), 2))));
        }
        Turn.Descend turn = Turn.of("both", program)
                .updates("net/**", sgd(0.1))
                .carries(a, graph.value("net/d"))
                .carries(b, tanh(graph.value("net/d")));
        assertThatThrownBy(() -> turn.carries(a, b)).hasMessageContaining("two states to one input");
        try (Parameters store = Toy.store(graph, 7);
                Scheduler own = Scheduler.over(store, 1)) {
            own.step(turn, Feeds.rows(3));
            Tensor fed = Tensor.of(Shape.of(3, 2), new float[6]);
            for (String one : new String[] {"a", "b"}) {
                assertThatThrownBy(() -> own.step(turn, Feeds.of(one, fed)))
                        .hasMessageContaining("turn both carries states to [a, b]: feed all of them, or none");
            }
            own.step(turn, Feeds.of("a", fed).and("b", fed));
        }
    }

    /** Rows are those of the plan's batch where no source is read. */
    @Test
    void aTurnOfNoiseAndItsStateIsTakenByAPlan() {
        Graph graph = new Graph();
        Value a = graph.input("a", Shape.of(2));
        Value next;
        try (Scope<Value> net = graph.module("net")) {
            next = tanh(dense("d", add(a, graph.noise("noise", Shape.of(2))), 2));
        }
        Turn.Descend turn = Turn.of("own", Program.compile("p", Mode.TRAIN, mean(square(next))))
                .updates("net/**", sgd(0.1))
                .carries(a, next);
        try (Parameters store = Toy.store(graph, 7);
                Scheduler own = Scheduler.over(store, 1)) {
            own.batch(4).plan(turn).run(rounds(2));
            assertThat(own.save().toString()).contains("carried");
        }
    }

    /** A run that learns nothing continues the state, and saves it. */
    @Test
    void anInferringRunContinuesTheState() {
        scheduler.plan(memory.turn()).feed(memory.rows(), EACH_TURN).without(Learn.NAME);
        scheduler.run(rounds(3));
        State saved = scheduler.save();
        scheduler.run(rounds(5));
        State end = scheduler.save();
        assertThat(end).isNotEqualTo(saved);
        scheduler.restore(saved);
        scheduler.run(rounds(5));
        assertThat(scheduler.save()).isEqualTo(end);
        assertThat(end.toString()).contains("carried");
    }
}
