package hocket.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanPartsTest {
    /** One turn twice, the other once. */
    record TwiceOnce() implements Schedule<TwiceOnce.Count> {
        record Count(int turns) {}

        @Override
        public Count start() {
            return new Count(0);
        }

        @Override
        public Choice<Count> next(Count state, ScheduleView view) {
            return new Choice<>(state.turns() % 3 == 2 ? "b" : "a", new Count(state.turns() + 1));
        }
    }

    private static final Turn A = Turn.act("a", run -> {});
    private static final Turn B = Turn.act("b", run -> {});

    @Test
    void theNextTurnsFollowRepeatsAndSchedules() {
        assertThat(UpcomingTurns.of(Plan.sequence(A.times(2), B), 0, 5)).containsExactly("a", "a", "b", "a", "a");
        assertThat(UpcomingTurns.of(Plan.choose(new TwiceOnce(), A, B), 0, 7))
                .containsExactly("a", "a", "b", "a", "a", "b", "a");
    }

    @Test
    void budgetsAreCountedInRounds() {
        Rounds rounds = new Rounds(Plan.sequence(A.times(2), B), List.of());
        assertThat(rounds.turns()).isEqualTo(3);
        assertThat(rounds.in(Budget.rounds(7))).hasValue(7);
        assertThat(rounds.in(Budget.turns(7))).hasValue(3);
        assertThat(rounds.in(Budget.epochs("image", 7))).isEmpty();
    }

    @Test
    void parametersAreSummarisedByTheFewestGlobs() {
        List<Declaration> all = Stream.of("g/conv/weight", "g/conv/bias", "g/bn/scale", "g/bn/mean", "d/out", "t")
                .map(path -> new Declaration(
                        Path.of(path),
                        Shape.of(2, 3),
                        ElementType.FLOAT32,
                        Initialiser.constant(0),
                        Fan.NONE,
                        path.endsWith("mean") ? Kind.RUNNING_STATISTIC : Kind.WEIGHT))
                .toList();
        Globs globs = new Globs(all);
        assertThat(globs.summary(paths("g/conv/weight", "g/conv/bias", "g/bn/scale", "g/bn/mean")))
                .containsExactly("g/** (4 arrays, 24 numbers)");
        assertThat(globs.summary(paths("g/conv/weight", "g/conv/bias", "g/bn/scale")))
                .containsExactly("g/** (3 arrays, 18 numbers)");
        assertThat(globs.summary(paths("g/conv/weight", "g/conv/bias", "t")))
                .containsExactly("g/conv/** (2 arrays, 12 numbers)", "t (1 array, 6 numbers)");
        assertThat(globs.summary(paths("g/conv/bias", "d/out")))
                .containsExactly("d/out (1 array, 6 numbers)", "g/conv/bias (1 array, 6 numbers)");
        assertThat(globs.summary(paths("d/out", "t")))
                .containsExactly("d/out (1 array, 6 numbers)", "t (1 array, 6 numbers)");
        assertThat(new Globs(new Graph().declarations()).summary(List.of())).isEmpty();
    }

    @Test
    void figuresReadAsPeopleWriteThem() {
        assertThat(Figures.exactly(2e-4)).isEqualTo("0.0002");
        assertThat(Figures.exactly(1e-8)).isEqualTo("1e-8");
        assertThat(Figures.exactly(0.999)).isEqualTo("0.999");
        assertThat(Figures.exactly(16)).isEqualTo("16");
        assertThat(Figures.clock(118.4)).isEqualTo("1:58");
        assertThat(Figures.clock(7400)).isEqualTo("2:03:20");
        assertThat(Figures.shortly(Double.NaN)).isEqualTo("NaN");
        assertThat(Figures.shortly(123456)).isEqualTo("1.2e+05");
    }

    private static List<Path> paths(String... texts) {
        return Stream.of(texts).map(Path::of).toList();
    }
}
