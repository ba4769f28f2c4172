package hocket.rl.envs.games;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.envs.Environments;
import hocket.rl.random.Pcg64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MatrixGameTest {
    private final Pcg64 random = Pcg64.of(3);

    private static MatrixGame named(String name) {
        return new MatrixGame(Objects.requireNonNull(MatrixGame.GAMES.get(name)), 2);
    }

    private double[] played(MatrixGame game, int first, int second) {
        game.reset(random);
        game.step(new float[][] {{first}, {second}}, random);
        return new double[] {game.reward(0), game.reward(1)};
    }

    @Test
    void bothGetThePayoffsOfTheirPairOfActions() {
        assertThat(played(named("prisoners_dilemma"), 0, 1)).containsExactly(0, 5);
        assertThat(played(named("prisoners_dilemma"), 1, 1)).containsExactly(1, 1);
        assertThat(played(named("stag_hunt"), 0, 0)).containsExactly(4, 4);
        assertThat(played(named("matching_pennies"), 1, 0)).containsExactly(-1, 1);
    }

    @Test
    void paperBeatsRockScissorsPaperAndRockScissors() {
        for (int action = 0; action < 3; action++) {
            assertThat(played(named("rock_paper_scissors"), (action + 1) % 3, action))
                    .containsExactly(1, -1);
            assertThat(played(named("rock_paper_scissors"), action, action)).containsExactly(0, 0);
        }
    }

    @Test
    void anAgentSeesWhatTheOtherChoseLast() {
        MatrixGame game = named("rock_paper_scissors");
        float[] seen = new float[4];
        game.reset(random);
        game.observe(0, seen, 1);
        assertThat(seen).containsExactly(0, 0, 0, 0);
        game.step(new float[][] {{0}, {2}}, random);
        game.observe(0, seen, 1);
        assertThat(seen).containsExactly(0, 0, 0, 1);
        game.observe(1, seen, 1);
        assertThat(seen).containsExactly(0, 1, 0, 0);
        assertThat(game.truncated()).isFalse();
        game.step(new float[][] {{0}, {0}}, random);
        assertThat(game.truncated()).isTrue();
        assertThatThrownBy(() -> game.step(new float[][] {{0}, {0}}, random))
                .hasMessage("MatrixGame-v0: a step must follow a reset");
    }

    @Test
    void aGameOfYourOwnMayHaveOtherNumbersOfActions() {
        MatrixGame game = new MatrixGame(List.of("1,0 0,1 0.5,2"), 5);
        assertThat(game.actions(0).text(new float[] {0}, 0)).isEqualTo("0");
        assertThat(game.observations(0).width()).isEqualTo(3);
        assertThat(played(game, 0, 2)).containsExactly(0.5, 2);
        assertThatThrownBy(() -> game.step(new float[][] {{1}, {0}}, random))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("an action of first must be of");
    }

    @Test
    void rowsOfAFileAreOneTextWithSemicolons() {
        Seat seat = Seat.of("environment", Environments.make("MatrixGame-v0", Map.of("payoffs", "3,3 0,5; 5,0 1,1")));
        seat.reset(random);
        seat.step(new float[] {1}, 0);
        assertThat(seat.reward()).isIn(5.0, 1.0);
        refused(Map.of("payoffs", "3,3 0,5; 5,0"), "rows of as many pairs each");
    }

    @Test
    void whatIsNoMatrixIsRefused() {
        refused(Map.of("game", "rock_paper"), "there is no game rock_paper");
        refused(Map.of("payoffs", List.of("1,0 0,1", "1,0")), "rows of as many pairs each");
        refused(Map.of("payoffs", List.of("1,0 0,x")), "a payoff must be two numbers, such as 3,0");
        refused(Map.of("payoffs", List.of("1,0 0")), "was 0");
        refused(Map.of("max_cycles", 0), "max_cycles must be at least 1, was 0");
    }

    private static void refused(Map<String, ?> options, String message) {
        assertThatThrownBy(() -> Environments.make("MatrixGame-v0", options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
