package hocket.schedulers.plans;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Balance;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is refused of turns and plans before anything is bound, and what is not. */
class PlanChecksTest {
    private final Graph graph = new Graph();
    private final Value x = graph.input("x", Shape.of(2));
    private final Network<Value, Value> trunk = graph.module("trunk", v -> batchNorm("norm", dense("in", v, 3)));
    private final Network<Value, Value> actor = graph.module("actor", v -> dense("out", trunk.apply(v), 1));
    private final Network<Value, Value> critic = graph.module("critic", v -> dense("out", trunk.apply(v), 1));

    private Turn.Descend turn(String name, Value output) {
        return Turn.of(name, Program.compile(name, Mode.TRAIN, graph.name(name + "_loss", mean(square(output)))));
    }

    private Writes writes(Turn... turns) {
        return Writes.of(List.of(turns), graph.declarations());
    }

    @Test
    void twoTurnsMayNotWriteTheSameParameterUnlessBothShareIt() {
        Turn.Descend a = turn("a", actor.apply(x));
        Turn.Descend c = turn("c", critic.apply(x)).updates("trunk/**", adam(1e-3));
        String refusal = "turns a and c both write trunk/in/bias: give it to one of them, or let each share"
                + " it: shares in place of updates";
        assertThat(incompatible(() -> writes(a.updates("trunk/**", adam(1e-3)), c))
                        .key())
                .isEqualTo("turns/c/updates/trunk/**");
        assertThatThrownBy(() -> writes(a.updates("trunk/**", adam(1e-3)), c)).hasMessage(refusal);
        assertThatThrownBy(() -> writes(a.shares("trunk/**", adam(1e-3)), c)).hasMessage(refusal);
    }

    @Test
    void turnsThatShareAParameterAndItsStatisticsMayBothWriteThem() {
        Turn.Descend a = turn("a", actor.apply(x)).updates("actor/**", sgd(1)).shares("trunk/**", sgd(1));
        Turn.Descend c = turn("c", critic.apply(x)).updates("critic/**", sgd(1)).shares("trunk/**", sgd(1));
        Writes writes = writes(a, c);
        assertThat(writes.byPath().get(Path.of("trunk/norm/mean"))).containsExactly("a", "c");
        assertThat(writes.byPath().get(Path.of("actor/out/weight"))).containsExactly("a");
        assertThat(writes.byTurn().get("c")).hasSize(2 + 2 + 2 + 2).contains(Path.of("trunk/norm/variance"));
    }

    @Test
    void aTurnMayNotSelectAPathInTwoOfItsUpdates() {
        Turn.Descend a =
                turn("a", actor.apply(x)).updates("actor/**", adam(1e-3)).updates("actor/out/weight", sgd(1e-2));
        IncompatibleSetupException misfit = incompatible(() -> writes(a));
        assertThat(misfit).hasMessage("turn a selects actor/out/weight in two of its updates, also by actor/**");
        assertThat(misfit.key()).isEqualTo("turns/a/updates/actor/out/weight");
    }

    private static IncompatibleSetupException incompatible(ThrowingCallable refused) {
        return catchThrowableOfType(IncompatibleSetupException.class, refused);
    }

    @Test
    void aSelectionBehindStopGradientIsRefusedNamingWhatCutsIt() {
        Value blocked;
        try (Scope<Value> head = graph.module("head")) {
            blocked = dense("out", stopGradient(trunk.apply(x)), 1);
        }
        Turn.Descend a = turn("a", blocked).updates("trunk/**", adam(1e-3));
        assertThatThrownBy(() -> writes(a))
                .hasMessage(
                        "turn a selects trunk/in/bias by trunk/**, but the gradient of its loss a_loss does not reach"
                                + " it: it is cut by head/stop_gradient");
    }

    @Test
    void aSelectionBehindAComparisonIsRefusedNamingIt() {
        Value y = trunk.apply(x);
        Turn.Descend a = turn("a", greater(y, scale(y, 0))).updates("trunk/in/weight", adam(1e-3));
        assertThatThrownBy(() -> writes(a))
                .hasMessage(
                        "turn a selects trunk/in/weight by trunk/in/weight, but the gradient of its loss a_loss does"
                                + " not reach it: it is cut by greater");
    }

    @Test
    void aSelectionThatTheProgramDoesNotReadIsRefused() {
        critic.apply(x);
        Turn.Descend a = turn("a", actor.apply(x)).updates("critic/**", adam(1e-3));
        assertThatThrownBy(() -> writes(a))
                .hasMessage("turn a selects critic/out/bias by critic/**, but the gradient of its loss a_loss does not"
                        + " reach it: program a does not read it");
    }

    @Test
    void aSelectionThatOnlyAMetricReadsIsRefused() {
        Value measured = sum(critic.apply(x));
        Loss loss = Loss.of(mean(square(actor.apply(x)))).metric("measured", measured);
        graph.name("actor_loss", loss.value());
        Turn.Descend a = Turn.of("a", Program.compile("a", Mode.TRAIN, loss)).updates("critic/**", adam(1e-3));
        assertThatThrownBy(() -> writes(a))
                .hasMessage("turn a selects critic/out/bias by critic/**, but the gradient of its loss actor_loss does"
                        + " not reach it: program a reads it for other targets only");
    }

    @Test
    void aSelectionThatMatchesNothingIsRefusedNamingTheNearest() {
        Turn.Descend a = turn("a", actor.apply(x)).updates("actr/**", adam(1e-3));
        assertThatThrownBy(() -> writes(a))
                .hasMessageStartingWith("turn a: ")
                .hasMessageContaining("actr/**")
                .hasMessageContaining("actor");
    }

    @Test
    void aSelectionOfRunningStatisticsAloneIsRefused() {
        Turn.Descend a = turn("a", actor.apply(x)).updates("trunk/norm/mean", adam(1e-3));
        assertThatThrownBy(() -> writes(a))
                .hasMessage(
                        "turn a: selection trunk/norm/mean holds running statistics only, which no optimizer updates");
    }

    @Test
    void aTurnThatMovesNothingIsRefused() {
        assertThatThrownBy(() -> writes(turn("a", actor.apply(x))))
                .hasMessage("turn a updates nothing: choose weights with .updates(\"module/**\", adam(1e-3))");
    }

    @Test
    void followingNeedsATargetForEverySource() {
        actor.apply(x);
        assertThatThrownBy(() -> writes(Turn.follow("ema", "actor/**", "ema/actor/**", 0.9)))
                .hasMessage("turn ema: there is no ema/actor/out/bias to follow actor/out/bias: make it with"
                        + " copy(\"actor/**\", \"ema/actor/**\")");
    }

    @Test
    void followingNeedsTargetsOfTheSameShape() {
        actor.apply(x);
        graph.<Value, Value>module("other", v -> dense("out", dense("in", v, 1), 4))
                .apply(x);
        assertThatThrownBy(() -> writes(Turn.follow("ema", "actor/out/**", "other/out/**", 0.9)))
                .hasMessage("turn ema: actor/out/bias is FLOAT32(1), other/out/bias is FLOAT32(4): what follows"
                        + " has the same shape");
    }

    @Test
    void whatFollowsIsOwnedLikeAnyOtherWrite() {
        actor.apply(x);
        Turn.Descend c = turn("c", actor.at("slow").apply(x)).updates("slow/**", adam(1e-3));
        assertThatThrownBy(() -> writes(c, Turn.follow("ema", "actor/**", "slow/**", 0.9)))
                .hasMessageStartingWith("turns c and ema both write slow/out/bias");
    }

    @Test
    void aProgramForEvaluationIsNoTurn() {
        Program draw = Program.compile("draw", Mode.EVAL, mean(actor.apply(x)));
        assertThatThrownBy(() -> Turn.of("a", draw))
                .hasMessage("turn a: program draw is compiled for EVAL, a turn descends a TRAIN program");
    }

    @Test
    void aMetricMayNotHideWhatEveryTurnReports() {
        Value loss = mean(actor.apply(x));
        Program program = Program.compile("p", Mode.TRAIN, Loss.of(loss).metric("loss", sum(x)));
        assertThatThrownBy(() -> Turn.of("a", program))
                .hasMessage("turn a: no metric may be called loss, which the turn reports itself");
    }

    @Test
    void namesOfTurnsArePlainAndTheirOwn() {
        Program program = Program.compile("p", Mode.TRAIN, mean(actor.apply(x)));
        assertThatThrownBy(() -> Turn.of("a turn", program))
                .hasMessage("a turn's name must be letters, digits, _ or -, at least one, was \"a turn\"");
        Turn.Descend a = Turn.of("a", program).updates("actor/**", sgd(1));
        assertThatThrownBy(() -> sequence(a, a.updates("trunk/**", sgd(1))).turnsByName())
                .hasMessage("two turns of the plan are called a");
        assertThat(sequence(a, a.times(3)).turnsByName()).hasSize(1);
    }

    @Test
    void numbersOfPlansTurnsTriggersAndBudgetsAreChecked() {
        Turn act = Turn.act("act", run -> {});
        Turn.Descend a = Turn.of("a", Program.compile("p", Mode.TRAIN, mean(actor.apply(x))));
        assertThatThrownBy(() -> act.times(0)).hasMessage("times: must be at least 1, was 0");
        assertThatThrownBy(Plan::sequence).hasMessage("a sequence needs at least one part");
        assertThatThrownBy(() -> simultaneous(a)).hasMessage("a simultaneous group needs at least two turns, got [a]");
        assertThatThrownBy(() -> simultaneous(a, a)).hasMessage("a simultaneous group takes a turn once, got [a, a]");
        assertThatThrownBy(() -> choose(new Balance(1, 1)))
                .hasMessage("a schedule needs at least one turn to choose from");
        assertThatThrownBy(() -> Turn.follow("ema", "a/**", "b/**", 1.1))
                .hasMessage("turn ema: decay must be in [0, 1], was 1.1");
        assertThatThrownBy(() -> Trigger.everyRounds(0)).hasMessage("every n rounds: n must be at least 1, was 0");
        assertThatThrownBy(() -> Trigger.everyEpochs("x", 0)).hasMessage("every n epochs: n must be at least 1, was 0");
        assertThatThrownBy(() -> Trigger.everySeconds(0)).hasMessage("every n seconds: n must be above 0, was 0.0");
        assertThatThrownBy(() -> Budget.rounds(-1)).hasMessage("rounds must be at least 0, was -1");
    }

    @Test
    void aPlanPrintsAsItWasWritten() {
        Turn.Descend d = Turn.of("d", Program.compile("d", Mode.TRAIN, mean(actor.apply(x))));
        Turn.Descend g = Turn.of("g", Program.compile("g", Mode.TRAIN, sum(actor.apply(x))));
        Plan plan = sequence(d.times(5), simultaneous(d, g), choose(new Balance(0.4, 10), d, g));
        assertThat(plan)
                .hasToString("sequence(d × 5, simultaneous(d, g), choose(Balance[band=0.4, patience=10]; d, g))");
    }
}
