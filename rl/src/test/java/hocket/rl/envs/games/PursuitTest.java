package hocket.rl.envs.games;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.envs.StateArrays;
import hocket.rl.random.Pcg64;
import hocket.schedulers.state.State;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PursuitTest {
    private static final int STAY = 4;
    private final Pcg64 random = Pcg64.of(2);

    /** A board of 3 × 3 whose pursuers and evaders stand on the given cells. */
    private Pursuit at(boolean shared, int pursuers, int... cells) {
        Pursuit game = new Pursuit(3, pursuers, cells.length - pursuers, 3, 50, shared);
        game.reset(random);
        double[] all = Arrays.stream(cells).asDoubleStream().toArray();
        game.restore(game.save().with("cells", StateArrays.tensor(all)));
        return game;
    }

    private void stay(Pursuit game) {
        float[][] actions = new float[game.agents().size()][1];
        Arrays.stream(actions).forEach(action -> action[0] = STAY);
        game.step(actions, random);
    }

    /** On a board whose cells are all next to its middle but the corners, two in the middle catch what steps beside them. */
    @Test
    void twoCatchWhatIsNextToThem() {
        Pursuit game = at(false, 3, 4, 4, 8, 4);
        stay(game); // wherever the evader goes from the middle, both stand next to it
        assertThat(game.terminated()).isTrue();
        assertThat(game.reward(0)).isEqualTo(5 + 0.01 - 0.1);
        assertThat(game.reward(2)).isIn(-0.1, 5 + 0.01 - 0.1);
        assertThat(game.acts(0)).isFalse();
    }

    @Test
    void oneAloneCatchesNothing() {
        Pursuit game = at(false, 2, 0, 8, 0);
        for (int i = 0; i < 40 && !game.terminated(); i++) {
            stay(game);
            assertThat(game.reward(0)).isIn(-0.1, -0.1 + 0.01);
        }
        assertThat(game.terminated()).isFalse();
    }

    @Test
    void sharedRewardsAreTheMeanOfAll() {
        Pursuit game = at(true, 4, 4, 4, 0, 0, 4, 8);
        stay(game);
        assertThat(game.reward(0)).isEqualTo(game.reward(3)).isGreaterThan(2);
    }

    @Test
    void anObservationIsCentredOnItsPursuer() {
        Pursuit game = at(false, 2, 0, 4, 1);
        float[] seen = new float[27];
        game.observe(0, seen, 0);
        assertThat(seen[0]).isEqualTo(1); // up and left of the corner is outside
        assertThat(seen[3 * 4]).isZero(); // its own cell
        assertThat(seen[3 * 4 + 1]).isZero(); // without itself
        assertThat(seen[3 * 5 + 2]).isEqualTo(1); // the evader on its right
        assertThat(seen[3 * 8 + 1]).isEqualTo(1); // the other below and to the right
    }

    @Test
    void aLongEpisodeIsTruncated() {
        Pursuit game = new Pursuit(9, 2, 5, 3, 3, true);
        game.reset(random);
        for (int i = 0; i < 3; i++) {
            assertThat(game.truncated()).isFalse();
            stay(game);
        }
        assertThat(game.truncated()).isTrue();
        assertThatThrownBy(() -> stay(game)).hasMessageContaining("a step must follow a reset");
    }

    /** The rows of a game are its agents, each with its number, and what all of them observe. */
    @Test
    void aJointVectorShowsWhatAllObserve() {
        AgentVector vector = new AgentVector(() -> new Pursuit(5, 2, 3, 3, 4, true), 2, true);
        vector.reset(3);
        assertThat(vector.size()).isEqualTo(4);
        int width = vector.observationSpace().width();
        assertThat(width).isEqualTo(27 + 2 + 2 * 27);
        float[] all = vector.observations();
        for (int row = 0; row < 4; row++) {
            int other = row ^ 1;
            int joint = row * width + 29;
            assertThat(Arrays.copyOfRange(all, joint + 27 * (other % 2), joint + 27 * (other % 2) + 27))
                    .containsExactly(Arrays.copyOfRange(all, other * width, other * width + 27));
            assertThat(all[row * width + 27 + row % 2]).isEqualTo(1);
            assertThat(all[row * width + 27 + other % 2]).isZero();
        }
    }

    @Test
    void aVectorContinuesInTheMiddleOfEpisodes() {
        AgentVector vector = new AgentVector(() -> new Pursuit(5, 2, 3, 3, 7, true), 3, true);
        vector.reset(3);
        int[] ended = new int[1];
        vector.listen((game, ret, length) -> ended[0]++);
        play(vector, 10);
        State saved = vector.save();
        play(vector, 10);
        AgentVector other = new AgentVector(() -> new Pursuit(5, 2, 3, 3, 7, true), 3, true);
        other.restore(saved);
        play(other, 10);
        assertThat(other.save().equals(vector.save())).isTrue();
        assertThat(other.observations()).isEqualTo(vector.observations());
        assertThat(ended[0]).isGreaterThan(4);
    }

    private static void play(AgentVector vector, int steps) {
        for (int step = 0; step < steps; step++) {
            for (int row = 0; row < vector.size(); row++) {
                vector.actions()[row] = (step + row) % 5;
            }
            vector.step();
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        AgentVector turns = new AgentVector(LineGame::ticTacToe, 1, false);
        turns.reset(1);
        assertThatThrownBy(turns::step).hasMessageContaining("or the game is in turns, which self-play learns");
        assertThatThrownBy(() -> new Pursuit(5, 2, 3, 4, 7, true)).hasMessageContaining("obs_range odd");
    }
}
