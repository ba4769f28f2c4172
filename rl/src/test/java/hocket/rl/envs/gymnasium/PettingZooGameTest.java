package hocket.rl.envs.gymnasium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.games.LineGame;
import hocket.rl.envs.games.MultiAgentEnvironment;
import hocket.rl.envs.games.RandomPlayer;
import hocket.rl.envs.games.Seat;
import hocket.rl.random.Pcg64;
import hocket.schedulers.state.State;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PettingZooGameTest {
    private static final String PARALLEL = "zoo:src.test.python.zoo";
    private static final String TURNS = "zoo:src.test.python.zoo_turns";

    @BeforeAll
    static void needsGymnasium() {
        Gymnasium.require();
    }

    private static MultiAgentEnvironment game(String id) {
        return Seat.of("environment", new GymnasiumEnvironments(id).get()).game();
    }

    private static float[] seen(MultiAgentEnvironment game, int agent) {
        float[] seen = new float[game.observations(agent).width()];
        game.observe(agent, seen, 0);
        return seen;
    }

    private static float[] mask(MultiAgentEnvironment game, int agent) {
        float[] mask = new float[game.actions(agent).maskWidth()];
        game.mask(agent, mask, 0);
        return mask;
    }

    @Test
    void agentsThatActAtOnceHaveTheirOwnSpacesAndLeaveWhenTheyEnd() {
        MultiAgentEnvironment game = game(PARALLEL);
        assertThat(game.agents()).containsExactly("short", "long");
        assertThat(game.observations(0).width()).isEqualTo(2);
        assertThat(game.observations(1).width()).isEqualTo(10); // one-hot
        Pcg64 random = Pcg64.of(5);
        game.reset(random);
        int start = (int) seen(game, 0)[0];
        assertThat(seen(game, 1)).containsExactly(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        game.step(new float[][] {{2}, {0.5f}}, random);
        assertThat(seen(game, 0)).containsExactly(start + 2, 2);
        assertThat(game.reward(0)).isEqualTo(2);
        assertThat(game.reward(1)).isEqualTo(start + 2);
        assertThatThrownBy(() -> game.step(new float[][] {{0}, {0}}, random))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(PARALLEL + ": an action of short must be of ");
        game.step(new float[][] {{1}, {-0.5f}}, random);
        assertThat(game.reward(0)).isEqualTo(3); // of the step that it ended in
        assertThat(game.acts(0)).isFalse();
        assertThat(game.acts(1)).isTrue();
        assertThat(game.terminated()).isFalse();
        game.step(new float[][] {{7}, {1}}, random); // whatever an agent that has left does
        assertThat(game.reward(0)).isZero();
        assertThat(seen(game, 0)).containsExactly(0, 0);
        game.step(new float[][] {{0}, {1}}, random);
        assertThat(game.terminated()).isTrue();
        assertThat(game.acts(1)).isFalse();
    }

    @Test
    void anAgentIsTruncatedThoughTheOtherTerminates() {
        MultiAgentEnvironment game = played("('long',)");
        assertThat(game.terminated()).isTrue();
        assertThat(game.truncated()).isFalse();
        assertThat(List.of(game.terminated(0), game.terminated(1))).containsExactly(true, false);
    }

    @Test
    void anAgentThatALimitTruncatesEarlyKeepsItsLastObservation() {
        MultiAgentEnvironment game = played("('short',)");
        assertThat(List.of(game.terminated(0), game.terminated(1))).containsExactly(false, true);
        assertThat(seen(game, 0)[1]).isEqualTo(2); // the other was there when it left
        MultiAgentEnvironment both = played("('short', 'long')");
        assertThat(List.of(both.terminated(), both.truncated())).containsExactly(false, true);
        assertThat(List.of(both.terminated(0), both.terminated(1))).containsExactly(false, false);
    }

    @Test
    void aSeatEndsAsItsAgentDoes() {
        GymnasiumEnvironments limited =
                new GymnasiumEnvironments(PARALLEL, Map.of("limited", "('short',)"), PythonSettings.usual());
        Environment seat = limited.get(); // of the first agent
        seat.reset(Pcg64.of(5));
        seat.step(new float[] {1}, 0);
        assertThat(seat.terminated() || seat.truncated()).isFalse();
        seat.step(new float[] {1}, 0);
        assertThat(List.of(seat.terminated(), seat.truncated())).containsExactly(false, true);
    }

    private static MultiAgentEnvironment played(String limited) {
        GymnasiumEnvironments made =
                new GymnasiumEnvironments(PARALLEL, Map.of("limited", limited), PythonSettings.usual());
        MultiAgentEnvironment game = Seat.of("environment", made.get()).game();
        Pcg64 random = Pcg64.of(5);
        game.reset(random);
        for (int step = 0; step < 4; step++) {
            assertThat(game.terminated() || game.truncated() || game.terminated(0))
                    .isFalse();
            game.step(new float[][] {{1}, {0}}, random);
        }
        return game;
    }

    @Test
    void aRewardThatIsNoNumberIsNamedAndAnObservationMayLeaveItsBounds() {
        Environment seat = faulty("reward").get();
        seat.reset(Pcg64.of(5));
        assertThatThrownBy(() -> seat.step(new float[] {1}, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        PARALLEL + ", episode 1, step 1, agent short: the reward must be finite, was NaN");
        GymnasiumEnvironments outside = faulty("outside");
        Environment other = outside.get();
        other.reset(Pcg64.of(5));
        assertThat(outside.hasNoticedBounds()).isFalse();
        other.step(new float[] {1}, 0);
        assertThat(outside.hasNoticedBounds()).isTrue();
    }

    private static GymnasiumEnvironments faulty(String fault) {
        return new GymnasiumEnvironments(PARALLEL, Map.of("fault", fault), PythonSettings.usual());
    }

    @Test
    void agentsThatActInTurnHaveMasks() {
        MultiAgentEnvironment game = game(TURNS);
        Pcg64 random = Pcg64.of(5);
        game.reset(random);
        assertThat(List.of(game.acts(0), game.acts(1), game.acts(2))).containsExactly(true, false, false);
        game.step(new float[][] {{2}, {0}, {0}}, random);
        assertThat(List.of(game.reward(0), game.reward(1))).containsExactly(-2.0, 1.0);
        assertThat(mask(game, 0)).containsExactly(1, 1, 1); // any action, since it does not act
        assertThat(game.acts(1)).isTrue();
        game.step(new float[][] {{0}, {1}, {0}}, random);
        game.step(new float[][] {{0}, {0}, {1}}, random);
        assertThat(mask(game, 0)).containsExactly(1, 1, 0);
        game.step(new float[][] {{1}, {0}, {0}}, random);
        assertThat(game.acts(0)).isFalse(); // it has left, and Python's turn of a dead agent is taken for it
        assertThat(game.acts(1)).isTrue();
        assertThat(mask(game, 0)).containsExactly(1, 1, 1);
        game.step(new float[][] {{0}, {2}, {0}}, random);
        game.step(new float[][] {{0}, {0}, {2}}, random);
        assertThat(game.terminated()).isTrue();
    }

    @Test
    void inTurnsALimitTruncatesAnAgentToo() {
        MultiAgentEnvironment game = Seat.of(
                        "environment",
                        new GymnasiumEnvironments(TURNS, Map.of("limited", "true"), PythonSettings.usual()).get())
                .game();
        Pcg64 random = Pcg64.of(5);
        game.reset(random);
        game.step(new float[][] {{2}, {0}, {0}}, random);
        assertThat(game.acts(0)).isFalse();
        assertThat(seen(game, 0)).containsExactly(1);
        game.step(new float[][] {{0}, {1}, {0}}, random);
        game.step(new float[][] {{0}, {0}, {2}}, random);
        assertThat(seen(game, 0)).containsExactly(1); // also after the others have moved
        assertThat(game.terminated() || game.truncated()).isFalse();
        game.step(new float[][] {{0}, {2}, {0}}, random);
        assertThat(List.of(game.terminated(0), game.terminated(1), game.terminated(2)))
                .containsExactly(false, true, false);
    }

    @Test
    void aGameIsContinuedFromItsSavedState() {
        for (String id : List.of(PARALLEL, TURNS)) {
            MultiAgentEnvironment game = game(id);
            Pcg64 random = Pcg64.of(8);
            game.reset(random);
            step(game, Pcg64.of(1));
            State saved = game.save();
            step(game, Pcg64.of(2));
            MultiAgentEnvironment other = game(id);
            other.restore(saved);
            step(other, Pcg64.of(2));
            for (int agent = 0; agent < game.agents().size(); agent++) {
                assertThat(seen(other, agent)).containsExactly(seen(game, agent));
                assertThat(other.reward(agent)).isEqualTo(game.reward(agent));
                assertThat(other.acts(agent)).isEqualTo(game.acts(agent));
            }
        }
    }

    private static void step(MultiAgentEnvironment game, Pcg64 random) {
        float[][] actions = new float[game.agents().size()][];
        for (int agent = 0; agent < actions.length; agent++) {
            actions[agent] = new float[game.actions(agent).width()];
            if (game.acts(agent)) {
                new RandomPlayer().choose(game, agent, random, actions[agent]);
            }
        }
        game.step(actions, random);
    }

    @Test
    void anEnvironmentOfSeveralAgentsKeepsAllPromises() {
        assertThat(EnvironmentChecker.check(new GymnasiumEnvironments(TURNS))).isEmpty();
        assertThat(EnvironmentChecker.check(new GymnasiumEnvironments(PARALLEL)))
                .isEmpty();
    }

    @Test
    void aFaultOfAGameOfPythonIsFoundBeforeARun() {
        assertThat(EnvironmentChecker.checkUnlessBuiltIn(faulty("reward")))
                .singleElement()
                .asString()
                .contains("agent short: the reward must be finite, was NaN");
    }

    @Test
    void ticTacToeOfPettingZooIsHocketsOwn() {
        String id = "zoo:pettingzoo.classic.tictactoe_v3";
        MultiAgentEnvironment python;
        try {
            python = game(id);
        } catch (IllegalArgumentException e) {
            abort(e.getMessage());
            return;
        }
        MultiAgentEnvironment own = LineGame.ticTacToe();
        Pcg64 random = Pcg64.of(11);
        for (int episode = 0; episode < 20; episode++) {
            python.reset(random);
            own.reset(random);
            while (!own.terminated()) {
                int agent = own.acts(0) ? 0 : 1;
                assertThat(python.acts(agent)).isTrue();
                assertThat(python.acts(1 - agent)).isFalse();
                assertThat(mask(python, agent)).containsExactly(mask(own, agent));
                float[][] actions = {{0}, {0}};
                new RandomPlayer().choose(own, agent, random, actions[agent]);
                own.step(actions, random);
                python.step(actions, random);
                assertThat(python.terminated()).isEqualTo(own.terminated());
                assertThat(python.reward(0)).isEqualTo(own.reward(0));
                assertThat(python.reward(1)).isEqualTo(own.reward(1));
            }
        }
    }

    @Test
    void whatIsNoModuleOfPettingZooIsRefusedByName() {
        refused("zoo:src.test.python.worlds", Map.of(), "has neither parallel_env nor env");
        refused("zoo:src.test.python.nowhere", Map.of(), "No module named");
        refused(PARALLEL, Map.of("paid", "3"), "unexpected keyword argument 'paid'");
        refused(PARALLEL, Map.of("masked", "true"), "long has a mask of actions, but its actions are of Box");
    }

    private static void refused(String id, Map<String, String> options, String message) {
        assertThatThrownBy(() -> new GymnasiumEnvironments(id, options, PythonSettings.usual()).get())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(id)
                .hasMessageContaining(message);
    }
}
