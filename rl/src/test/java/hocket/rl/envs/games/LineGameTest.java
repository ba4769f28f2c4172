package hocket.rl.envs.games;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.Environments;
import hocket.rl.random.Pcg64;
import hocket.schedulers.state.State;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineGameTest {
    private final Pcg64 random = Pcg64.of(1);

    private void play(LineGame game, int... moves) {
        game.reset(random);
        for (int move : moves) {
            game.step(new float[][] {{move}, {move}}, random);
        }
    }

    /** A line in each direction wins, and the one that lacks a stone does not. */
    @ParameterizedTest
    @CsvSource({
        "0, 3, 1, 4, 2, 1", // a row
        "0, 1, 3, 2, 6, 1", // a column
        "0, 1, 4, 2, 8, 1", // a diagonal
        "2, 1, 4, 3, 6, 1", // the other one
        "0, 3, 1, 4, 8, 0",
    })
    void threeInALineWin(int a, int b, int c, int d, int e, int reward) {
        LineGame game = LineGame.ticTacToe();
        play(game, a, b, c, d, e);
        assertThat(game.terminated()).isEqualTo(reward == 1);
        assertThat(game.reward(0)).isEqualTo(reward);
        assertThat(game.reward(1)).isEqualTo(-reward);
    }

    @Test
    void aFullBoardIsADraw() {
        LineGame game = LineGame.ticTacToe();
        play(game, 0, 1, 2, 4, 3, 5, 7, 6, 8);
        assertThat(game.terminated()).isTrue();
        assertThat(game.reward(0)).isZero();
        assertThat(game.acts(0) || game.acts(1)).isFalse();
        assertThat(game.text()).endsWith("a draw");
    }

    @Test
    void stonesOfConnectFourFall() {
        LineGame game = LineGame.connectFour();
        play(game, 3, 3, 3, 4, 3);
        float[] seen = new float[2 * 6 * 7];
        game.observe(1, seen, 0);
        assertThat(game.text()).contains(". . . O . . .\n. . . X O . .\n", "O moves");
        assertThat(seen[2 * (5 * 7 + 4)]).isEqualTo(1); // its own
        assertThat(seen[2 * (5 * 7 + 3) + 1]).isEqualTo(1); // the other's
        play(game, 0, 1, 0, 1, 0, 1, 0);
        assertThat(game.reward(0)).isEqualTo(1);
        play(game, 0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3); // a diagonal
        assertThat(game.reward(0)).isEqualTo(1);
    }

    @Test
    void aFullColumnIsForbidden() {
        LineGame game = LineGame.connectFour();
        play(game, 0, 0, 0, 0, 0, 0);
        float[] mask = new float[7];
        game.mask(0, mask, 0);
        assertThat(mask).containsExactly(0, 1, 1, 1, 1, 1, 1);
        assertThatThrownBy(() -> game.step(new float[][] {{7}, {7}}, random))
                .hasMessageContaining("ConnectFour-v0: an action must be of Discrete(7), was 7");
        game.step(new float[][] {{0}, {0}}, random);
        assertThat(game.terminated()).isTrue();
        assertThat(game.reward(0)).isEqualTo(-1);
        assertThat(game.reward(1)).isZero();
        assertThat(game.text()).endsWith("X took a forbidden action");
    }

    /** Perfect play never loses to play at random in either seat, and always draws with itself. */
    @Test
    void theSearchOfTheWholeGameNeverLoses() {
        Seat seat = new Seat(LineGame.ticTacToe(), Seat.ANY, Opponents.only(new RandomPlayer()));
        GamePlayer perfect = new SearchPlayer(9);
        int won = 0;
        for (int game = 0; game < 40; game++) {
            seat.meet(Opponents.only(game < 30 ? new RandomPlayer() : perfect));
            seat.reset(Pcg64.of(game));
            float[] action = new float[1];
            while (!seat.terminated()) {
                perfect.choose(seat.game(), seat.agent(), random, action);
                seat.step(action, 0);
            }
            assertThat(seat.reward()).isBetween(0.0, game < 30 ? 1.0 : 0.0);
            won += (int) seat.reward();
        }
        assertThat(won).isGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TicTacToe-v0", "ConnectFour-v0"})
    void aSeatKeepsThePromisesOfEnvironments(String name) {
        assertThat(EnvironmentChecker.check(() -> Environments.make(name, Map.of("opponent", "search", "depth", 2))))
                .isEmpty();
    }

    @Test
    void aSeatContinuesInTheMiddleOfAGame() {
        Seat seat = new Seat(LineGame.connectFour(), Seat.ANY, Opponents.only(new RandomPlayer()));
        seat.reset(Pcg64.of(5));
        seat.step(new float[] {3}, 0);
        State saved = seat.save();
        seat.step(new float[] {3}, 0);
        String then = seat.text();
        Seat other = new Seat(LineGame.connectFour(), Seat.ANY, Opponents.only(new RandomPlayer()));
        other.restore(saved);
        other.step(new float[] {3}, 0);
        assertThat(other.text()).isEqualTo(then);
    }

    /** Games with an opening have stones at first, and are not over before the seat has acted. */
    @Test
    void anEpisodeMayBeginAfterMovesAtRandom() {
        Opponents searching = Opponents.only(new SearchPlayer(2));
        Seat seat = new Seat(LineGame.ticTacToe(), Seat.ANY, new Opponents() {
            @Override
            public int draw(Pcg64 random) {
                return 0;
            }

            @Override
            public GamePlayer player(int number) {
                return searching.player(number);
            }

            @Override
            public int opening(Pcg64 random) {
                return 5;
            }
        });
        int[] games = new int[10];
        for (int game = 0; game < 100; game++) {
            seat.reset(Pcg64.of(game));
            assertThat(seat.game().acts(seat.agent())).isTrue();
            float[] seen = new float[18];
            seat.observe(seen, 0);
            int stones = 0;
            for (float each : seen) {
                stones += (int) each;
            }
            games[stones]++;
        }
        // Five moves, and a sixth by the opponent where it is to move; none or one after a game that these ended.
        assertThat(games[5] + games[6]).isGreaterThan(50);
        assertThat(games[0] + games[1]).isGreaterThan(5);
        assertThat(games[2] + games[3] + games[4]).isZero();
    }

    @Test
    void wrongOptionsAreRefused() {
        assertThatThrownBy(() -> Environments.make("TicTacToe-v0", Map.of("opponent", "serch")))
                .hasMessageContaining("there is no opponent serch")
                .hasMessageContaining("search");
        assertThatThrownBy(() -> Environments.make("TicTacToe-v0", Map.of("seat", "third")))
                .hasMessageContaining("there is no seat third");
        assertThatThrownBy(() -> Environments.make("TicTacToe-v0", Map.of("depth", 0)))
                .hasMessageContaining("depth must be at least 1, was 0");
    }
}
