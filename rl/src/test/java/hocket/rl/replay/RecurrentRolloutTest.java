package hocket.rl.replay;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.returns.Gae;
import hocket.rl.returns.Truncation;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests against numbers worked by hand, with gamma and lambda 1/2; see {@link Walk}. */
class RecurrentRolloutTest {
    private static final Gae HALVES = new Gae(0.5, 0.5, Truncation.BOOTSTRAP);

    /** The state, which is also the value, is the sum of the episode's observations, each plus 1. It walks right. */
    private static Program summing() {
        Graph graph = new Graph();
        Value observation = graph.input(Policy.OBSERVATION, Shape.of(1));
        Value goesOn = shift(negate(graph.input("start", Shape.of())), 1);
        Value next = add(multiply(graph.input("state", Shape.of(1)), goesOn), shift(observation, 1));
        return Program.compile("act", Mode.EVAL, argMax(concat(0, negate(next), next)), reshape(next), next);
    }

    private static RecurrentRollout rollout(Walker walker, int steps) {
        return new RecurrentRollout(walker.environments(), summing(), steps, HALVES);
    }

    private static double[] column(RecurrentRollout rollout, String name) {
        Table table = rollout.table();
        Feeds drawn = new Minibatches(table, table.rows()).draw(column -> true, Streams.seed(1));
        return Objects.requireNonNull(drawn.tensors().get(name)).doubles();
    }

    @Test
    void theStateGoesOnWithinEpisodesAndATruncatedOneIsBootstrappedByIt() {
        Walker walker = Walker.start();
        RecurrentRollout rollout = rollout(walker, 4);
        walker.run(rollout, 1);
        assertThat(column(rollout, "observations")).containsExactly(0, 1, 2, 0);
        assertThat(column(rollout, "starts")).containsExactly(1, 0, 1, 1);
        assertThat(column(rollout, "actions")).containsOnly(1);
        assertThat(column(rollout, "state")).containsExactly(0);
        // values 1, 3, 3, 1; δ: 1 + 3/2 - 1; 2 + 6/2 - 3 with the final observation 2; 3 - 3; 1 + 3/2 - 1
        assertThat(column(rollout, "advantage")).containsExactly(1.5 + 0.25 * 2, 2, 0, 1.5);
        assertThat(column(rollout, "return")).containsExactly(3, 5, 3, 2.5);
    }

    @Test
    void theStateIsCarriedFromARolloutToTheNextAndThroughASavedState() {
        Walker walker = Walker.start();
        RecurrentRollout rollout = rollout(walker, 4);
        walker.run(
                run -> {
                    rollout.act(run);
                    rollout.act(run);
                },
                1);
        assertThat(column(rollout, "observations")).containsExactly(1, 2, 0, 1);
        assertThat(column(rollout, "starts")).containsExactly(0, 1, 1, 0);
        assertThat(column(rollout, "state")).containsExactly(1);

        Walker first = Walker.start();
        RecurrentRollout before = rollout(first, 4);
        first.run(before, 1);
        Walker second = Walker.start();
        RecurrentRollout after = rollout(second, 4);
        after.restore(before.save());
        assertThat(column(after, "return")).containsExactly(3, 5, 3, 2.5);
        second.run(after, 1);
        assertThat(after.save().equals(rollout.save())).isTrue();
    }

    /** Before 0.1 the turn itself saved the columns. */
    @Test
    void rowsOfFormerReleasesAreRead() {
        Walker walker = Walker.start();
        RecurrentRollout rollout = rollout(walker, 4);
        walker.run(rollout, 1);
        State saved = rollout.save();
        State former = State.empty()
                .with("worlds", saved.state("worlds"))
                .with("carried", saved.tensor("carried"))
                .with("collected", saved.state("rows").whole("collected"));
        for (String column : List.of("observations", "starts", "actions", "state", "advantage", "return", "value")) {
            former = former.with(column, saved.state("rows").tensor(column));
        }
        RecurrentRollout other = rollout(Walker.start(), 4);
        other.restore(former);
        assertThat(other.save().equals(saved)).isTrue();
    }

    @Test
    void aStateOfAnotherNumberOfStepsIsRefusedAndChangesNothing() {
        Walker walker = Walker.start();
        RecurrentRollout rollout = rollout(walker, 4);
        walker.run(rollout, 1);
        State before = rollout.save();
        Walker another = Walker.start();
        RecurrentRollout shorter = rollout(another, 3);
        another.run(shorter, 1);
        State other = shorter.save();
        assertThatThrownBy(() -> rollout.restore(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table rollout: 1 rows of column observations (4,1) FLOAT32 have 4 numbers, got 3");
        assertThat(rollout.save().equals(before)).isTrue();
    }

    @Test
    void aPolicyWithoutAStateAndAnEmptyRolloutAreRefused() {
        Walker walker = Walker.start();
        assertThatThrownBy(() -> new RecurrentRollout(walker.environments(), walker.judge(), 4, HALVES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("program judge needs inputs observation (1), start () and state (…)")
                .hasMessageContaining("it reads [observation");
        Program act = summing();
        Program without = Program.compile(
                "act", Mode.EVAL, act.targets().get(0), act.targets().get(1));
        assertThatThrownBy(() -> new RecurrentRollout(walker.environments(), without, 4, HALVES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("program act needs targets action () of INT64, value (), next state");
        Program turned = Program.compile(
                "act",
                Mode.EVAL,
                act.targets().get(1),
                act.targets().get(0),
                act.targets().get(2));
        assertThatThrownBy(() -> new RecurrentRollout(walker.environments(), turned, 4, HALVES))
                .hasMessageStartingWith("program act needs targets action () of INT64, value (), next state");
        assertThatThrownBy(() -> column(rollout(walker, 4), "state"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("source rollout has no rows: put the turn that collects them first in the plan");
    }
}
