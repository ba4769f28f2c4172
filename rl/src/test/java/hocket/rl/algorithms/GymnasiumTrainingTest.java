package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.envs.gymnasium.Gymnasium;
import hocket.rl.envs.gymnasium.PythonSettings;
import hocket.rl.envs.wrappers.Wrapper;
import hocket.rl.settings.EnvironmentSettings;
import hocket.schedulers.Definition;
import hocket.schedulers.state.State;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GymnasiumTrainingTest {
    private static final String OWN = "gym:src.test.python.worlds:";
    private static final Ppo PPO = Ppo.usual("gym:CartPole-v1")
            .environments(new EnvironmentSettings(3, true, true, true))
            .rollout(20)
            .minibatch(20)
            .epochs(2)
            .hidden(List.of(8))
            .totalSteps(9 * 60);

    @BeforeAll
    static void needsGymnasium() {
        Gymnasium.require();
    }

    static Stream<Arguments> algorithms() {
        return Stream.of(
                Arguments.of("ppo", PPO),
                Arguments.of(
                        "ppo, dictionaries, among allowed actions",
                        PPO.environment(OWN + "Signals-v0")
                                .environments(EnvironmentSettings.of(3).options(Map.of("where", "observation")))),
                Arguments.of(
                        "sac, wrapped",
                        Sac.usual("gym:Pendulum-v1")
                                .environments(EnvironmentSettings.of(2)
                                        .limit(30)
                                        .wrappers(List.of(new Wrapper.ActionRepeat(2), new Wrapper.FrameStack(2)))
                                        .options(Map.of("g", "9.81")))
                                .hidden(List.of(8))
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .totalSteps(50 + 18)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void aResumedRunEndsBitForBitAsAnUninterruptedOne(String name, Definition definition) {
        State whole = Training.whole(definition.setup(), 5);
        State stopped = Training.stopped(definition.setup(), 5, 4);
        assertThat(stopped.equals(whole)).isFalse();
        assertThat(Training.resumed(definition.setup(), 5, stopped).equals(whole))
                .isTrue();
    }

    @Test
    void theNumberOfProcessesChangesNoBit() {
        State two = Training.whole(PPO.setup(), 5);
        PythonSettings one = PythonSettings.usual().processes(1);
        State other =
                Training.whole(PPO.environments(PPO.environments().python(one)).setup(), 5);
        assertThat(other.state("parameters").equals(two.state("parameters"))).isTrue();
    }

    @Test
    void aFailureOfPythonEndsTheRunWithEnvironmentEpisodeAndStep() {
        Ppo broken = PPO.environment(OWN + "Broken-v0")
                .environments(EnvironmentSettings.of(2).options(Map.of("how", "raises")));
        assertThatThrownBy(() -> Training.whole(broken.setup(), 5))
                .hasStackTraceContaining("Broken-v0, environment 0, episode 1, step 4: ValueError: the wheel came off");
    }

    @Test
    void optionsThatPythonDoesNotTakeAreRefusedBeforeTheRun() {
        assertThatThrownBy(() -> PPO.environments(EnvironmentSettings.of(1).options(Map.of("wheels", "3")))
                        .setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("environment: gym:CartPole-v1 with {wheels=3}: TypeError: ");
        assertThatThrownBy(() -> PPO.environment("gym:CartPoole-v1").setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("environment: gym:CartPoole-v1: ")
                .hasMessageContaining("CartPole");
    }
}
