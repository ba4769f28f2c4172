package hocket.rl.algorithms;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.actors.CartPoleBalancer;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OwnershipTest {
    private static final Setup SAC =
            Sac.usual("Pendulum-v1").hidden(List.of(8)).replay(256).setup();
    private static final Setup DISCRETE_SAC =
            DiscreteSac.usual("CartPole-v1").hidden(List.of(8)).replay(256).setup();
    private static final Setup DDPG =
            Ddpg.usual("Pendulum-v1").hidden(List.of(8)).replay(256).setup();
    private static final Setup TD3 =
            Td3.usual("Pendulum-v1").hidden(List.of(8)).replay(256).setup();

    /** The modules that a turn writes. */
    private static SortedSet<String> modules(Setup setup, String turn) {
        SortedSet<String> modules = new TreeSet<>();
        for (Path path : setup.check().paths(turn)) {
            String text = path.text();
            int end = text.indexOf('/', text.startsWith("target/") ? "target/".length() : 0);
            modules.add(text.substring(0, end));
        }
        return modules;
    }

    @Test
    void eachTurnOfSacWritesItsOwn() {
        for (Setup setup : List.of(SAC, DISCRETE_SAC)) {
            assertThat(modules(setup, "critics")).containsExactly("critic");
            assertThat(modules(setup, "actor")).containsExactly("actor");
            assertThat(modules(setup, "temperature")).containsExactly("temperature");
            assertThat(modules(setup, "target")).containsExactly("target/critic");
            assertThat(setup.check().paths("collect")).isEmpty();
            assertEachParameterHasOneOwner(setup);
        }
    }

    @Test
    void eachTurnOfTd3WritesItsOwn() {
        for (Setup setup : List.of(TD3, DDPG)) {
            assertThat(modules(setup, "critics")).containsExactly("critic");
            assertThat(modules(setup, "actor")).containsExactly("actor");
            assertThat(modules(setup, "target-critic")).containsExactly("target/critic");
            assertThat(modules(setup, "target-actor")).containsExactly("target/actor");
            assertEachParameterHasOneOwner(setup);
        }
    }

    @Test
    void searchesWriteWhatTheyDeclare() {
        Setup crossEntropy = CrossEntropy.usual("CartPole-v1").setup();
        assertThat(modules(crossEntropy, "search")).containsExactly("actor", "candidate");
        assertEachParameterHasOneOwner(crossEntropy);
        Setup strategies = EvolutionStrategies.usual("CartPole-v1").setup();
        assertThat(modules(strategies, "search")).containsExactly("candidate");
        assertThat(modules(strategies, "update")).containsExactly("actor");
        assertEachParameterHasOneOwner(strategies);
    }

    @Test
    void actorAndCriticOfAWorldModelLearnInItWithoutChangingIt() {
        Setup dreamer = Dreamer.usual("CartPole-v1").hidden(List.of(8)).setup();
        assertThat(modules(dreamer, "model")).containsExactly("model");
        assertThat(modules(dreamer, "behaviour")).containsExactly("actor", "critic");
        assertThat(modules(dreamer, "scale")).containsExactly("returns");
        assertThat(modules(dreamer, "target")).containsExactly("target/critic");
        assertEachParameterHasOneOwner(dreamer);
        assertThatThrownBy(() -> Writes.of(with(dreamer, "behaviour", "model/cell/**"), dreamer.declarations()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("behaviour")
                .hasMessageContaining("model/cell/gates/bias");
    }

    @Test
    void theDiscriminatorOfGailIsItsOwnTurnsAlone() {
        Setup gail = Gail.usual(Ppo.usual("CartPole-v1"), CartPoleBalancer.class.getName())
                .setup();
        assertThat(modules(gail, "discriminator")).containsExactly("discriminator");
        assertThat(modules(gail, "update")).containsExactly("actor", "critic");
        assertEachParameterHasOneOwner(gail);
    }

    private static void assertEachParameterHasOneOwner(Setup setup) {
        Writes writes = setup.check();
        setup.declarations()
                .forEach(declaration -> assertThat(writes.byPath().getOrDefault(declaration.path(), List.of()))
                        .as(declaration.path().text())
                        .hasSize(1));
    }

    @Test
    void criticsThatWouldMoveTheActorTooAreRefused() {
        for (Setup setup : List.of(SAC, DISCRETE_SAC, TD3, DDPG)) {
            assertThatThrownBy(() -> Writes.of(with(setup, "critics", "actor/**"), setup.declarations()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("critics")
                    .hasMessageContaining("actor/hidden0/bias")
                    .hasMessageContaining("does not reach");
        }
    }

    @Test
    void anActorThatWouldMoveTheCriticsTooIsRefusedForBothWriteThem() {
        for (Setup setup : List.of(SAC, TD3, DDPG)) {
            assertThatThrownBy(() -> Writes.of(with(setup, "actor", "critic/q1/**"), setup.declarations()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("critics and actor both write critic/q1/hidden0/bias");
        }
    }

    /** The turns, one of them selecting more. */
    private static List<Turn> with(Setup setup, String greedy, String more) {
        List<Turn> turns = new ArrayList<>();
        for (Map.Entry<String, Turn> each : setup.turnsByName().entrySet()) {
            Turn turn = each.getValue();
            turns.add(each.getKey().equals(greedy) ? ((Turn.Descend) turn).updates(more, adam(1e-3)) : turn);
        }
        return turns;
    }
}
