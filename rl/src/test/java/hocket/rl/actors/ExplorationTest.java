package hocket.rl.actors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExplorationTest {
    private static float[] explored(Exploration exploration, Space space, float action, long steps) {
        float[] actions = new float[1000];
        Arrays.fill(actions, action);
        exploration.explore(space, actions, new float[0], actions.length, steps, Pcg64.of(3));
        return actions;
    }

    @Test
    void epsilonFallsInALineAndStays() {
        Exploration.Epsilon epsilon = new Exploration.Epsilon(1, 0.2, 100);
        assertThat(epsilon.at(0)).isEqualTo(1);
        assertThat(epsilon.at(25)).isEqualTo(0.8);
        assertThat(epsilon.at(100)).isEqualTo(0.2);
        assertThat(epsilon.at(1_000_000)).isEqualTo(0.2);
        assertThat(new Exploration.Epsilon(1, 0.2, 0).at(0)).isEqualTo(0.2);
    }

    @Test
    void epsilonIsTheShareOfRandomActions() {
        float[] actions = explored(new Exploration.Epsilon(1, 0.2, 100), new Discrete(4), 2, 100);
        int others = 0;
        for (float action : actions) {
            others += action == 2 ? 0 : 1;
        }
        // 0.2 of them, of which a quarter comes to the same: 150 of 1000, deviation 11; five of them on either side
        assertThat(others).isBetween(95, 205);
        assertThat(actions).contains(0, 1, 3);
        assertThat(explored(new Exploration.Epsilon(0, 0, 0), new Discrete(4), 2, 5))
                .containsOnly(2);
    }

    @Test
    void normalNoiseStaysWithinTheBounds() {
        float[] actions = explored(new Exploration.Gaussian(0.5), Box.of(1, -2, 2), 0.9f, 0);
        double sum = 0;
        for (float action : actions) {
            assertThat(action).isBetween(-1f, 1f);
            sum += action < 0.9f ? 1 : 0;
        }
        assertThat(actions).contains(1f);
        assertThat(sum / actions.length).isBetween(0.42, 0.58); // a half, deviation 0.016; five of them
        assertThat(explored(new Exploration.Gaussian(0), Box.of(1, -2, 2), 0.9f, 0))
                .containsOnly(0.9f);
        assertThat(explored(new Exploration.None(), Box.of(1, -2, 2), 0.9f, 0)).containsOnly(0.9f);
    }

    @Test
    void randomActionsReachTheWholeSpace() {
        float[] actions = new float[1000];
        Exploration.randomActions(new Discrete(3), actions, new float[0], 1000, Pcg64.of(1));
        assertThat(actions).contains(0, 1, 2).doesNotContain(3);
        Exploration.randomActions(Box.of(1, -2, 2), actions, new float[0], 1000, Pcg64.of(1));
        for (float action : actions) {
            assertThat(action).isBetween(-1f, 1f); // of a policy's own range, which is fitted to the box later
        }
    }

    @Test
    void onlyAllowedActionsAreDrawnEachAsOften() {
        float[] actions = new float[3000];
        float[] masks = new float[3 * actions.length];
        for (int row = 0; row < actions.length; row++) {
            masks[3 * row + row % 3] = 1;
            masks[3 * row + 2] = 1;
        }
        int[] last = new int[3];
        for (boolean isExploring : new boolean[] {true, false}) {
            if (isExploring) {
                new Exploration.Epsilon(1, 1, 1).explore(new Discrete(3), actions, masks, 3000, 0, Pcg64.of(3));
            } else {
                Exploration.randomActions(new Discrete(3), actions, masks, 3000, Pcg64.of(3));
            }
            for (int row = 0; row < actions.length; row++) {
                assertThat(masks[3 * row + (int) actions[row]]).isEqualTo(1);
                last[row % 3] += actions[row] == 2 ? 1 : 0;
            }
        }
        assertThat(last[2]).isEqualTo(2000);
        assertThat(last[0]).isBetween(888, 1112); // of 2000 draws, deviation 22; five of them
        assertThat(last[1]).isBetween(888, 1112);
    }

    @Test
    void sharesOutsideZeroToOneAreRefused() {
        assertThatThrownBy(() -> new Exploration.Epsilon(1.5, 0, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 to 1")
                .hasMessageContaining("1.5");
        assertThatThrownBy(() -> new Exploration.Gaussian(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("exploration noise must be at least 0, was -1.0");
    }
}
