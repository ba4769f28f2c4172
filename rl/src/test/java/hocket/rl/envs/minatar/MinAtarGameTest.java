package hocket.rl.envs.minatar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.Environments;
import hocket.rl.envs.RandomPlay;
import hocket.rl.random.Pcg64;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what MinAtar's games promise beyond the package: seeds, saved states, options, text. */
class MinAtarGameTest {
    static List<String> names() {
        return Environments.names().stream()
                .filter(name -> name.startsWith("MinAtar/"))
                .toList();
    }

    private static MinAtarGame made(String name) {
        return (MinAtarGame) Environments.make(name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void theCheckerFindsNothing(String name) {
        assertThat(EnvironmentChecker.check(() -> Environments.make(name))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aStateOfAnyStepContinuesBitForBit(String name) {
        MinAtarGame game = made(name);
        game.reset(Pcg64.of(5));
        Pcg64 chooser = Pcg64.of(6);
        MinAtarGame other = made(name);
        for (int step = 0; step < 1500; step++) {
            other.restore(game.save());
            float[] action = game.actions().sample(chooser);
            game.step(action, 0);
            other.step(action, 0);
            assertThat(other.save()).isEqualTo(game.save());
            assertThat(RandomPlay.observed(other)).isEqualTo(RandomPlay.observed(game));
            if (game.terminated()) {
                game.reset();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void theFirstNumberOfTheGeneratorIsTheSeed(String name) {
        MinAtarGame byGenerator = made(name);
        byGenerator.reset(Pcg64.of(9));
        MinAtarGame bySeed = made(name);
        bySeed.reset(Pcg64.of(9).nextInt() & Integer.MAX_VALUE);
        assertThat(bySeed.save().state("world")).isEqualTo(byGenerator.save().state("world"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aDamagedStateIsRefusedAndChangesNothing(String name) {
        MinAtarGame game = made(name);
        game.reset(3);
        State before = game.save();
        State world = before.state("world");
        State saved = world.state("game");
        for (String item : saved.items().keySet()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> game.restore(before.with("world", world.with("game", saved.without(item)))));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> game.restore(before.with("world", world.with("lastAction", 6))))
                .withMessage(name + ": the saved lastAction must be whole numbers of 0 to 5, has 6.0");
        assertThat(game.save()).isEqualTo(before);
    }

    @Test
    void aStateOutsideOfTheBoardIsRefused() {
        assertRefused("MinAtar/Breakout-v1", "x", 10);
        assertRefused("MinAtar/Asterix-v1", "playerY", 0);
        assertRefused("MinAtar/Asterix-v1", "xs", 0, 0, 0, 0, 0, 0, 0, 10);
        assertRefused("MinAtar/Freeway-v1", "waits", 1, 1, 1, 1, 1, 1, 1, 6);
        assertRefused("MinAtar/Freeway-v1", "waits", 1, 1, 1, 1, 1, 1, 1);
        assertRefused("MinAtar/SpaceInvaders-v1", "aliens", 0, 0, 0, 0, 0, 0, 0, 0, 0, 1024);
        assertRefused("MinAtar/Seaquest-v1", "divers", 1, 0, 10, 0, 0, 0);
        assertRefused("MinAtar/Seaquest-v1", "divers", 2, 0, 1, 0, 0, 0);
    }

    private static void assertRefused(String name, String item, long... numbers) {
        MinAtarGame game = made(name);
        game.reset(3);
        State before = game.save();
        State world = before.state("world");
        State saved = numbers.length == 1
                ? world.state("game").with(item, numbers[0])
                : world.state("game").with(item, Tensor.of(Shape.of(numbers.length), numbers));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> game.restore(before.with("world", world.with("game", saved))));
        assertThat(game.save()).isEqualTo(before);
    }

    @Test
    void anOptionOfNoEffectOrARateThatIsNoneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("MinAtar/Freeway-v1", Map.of("difficulty_ramping", false)))
                .withMessageStartingWith("MinAtar/Freeway-v1: it has no option difficulty_ramping");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("MinAtar/Freeway-v1", Map.of("sticky_action_prob", 2)))
                .withMessage("MinAtar/Freeway-v1: the sticky probability must be 0 to 1, was 2.0");
    }

    @Test
    void aBoardIsTextOfOneLetterACell() {
        Environment game = new Breakout(true, 0);
        game.reset(Pcg64.of(3));
        assertThat(game.text().lines()).hasSize(10).allMatch(line -> line.length() == 10);
        assertThat(game.text()).contains("##########").endsWith("....=.....");
        assertThat(game.observations()).hasToString("Box(4,10,10) of whole numbers 0.0 to 1.0");
    }
}
