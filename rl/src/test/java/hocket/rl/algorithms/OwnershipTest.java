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
        assertThat(modules(SAC, "critics")).containsExactly("critic");
        assertThat(modules(SAC, "actor")).containsExactly("actor");
        assertThat(modules(SAC, "temperature")).containsExactly("temperature");
        assertThat(modules(SAC, "target")).containsExactly("target/critic");
        assertThat(SAC.check().paths("collect")).isEmpty();
        assertEachParameterHasOneOwner(SAC);
    }

    @Test
    void eachTurnOfTd3WritesItsOwn() {
        assertThat(modules(TD3, "critics")).containsExactly("critic");
        assertThat(modules(TD3, "actor")).containsExactly("actor");
        assertThat(modules(TD3, "target-critic")).containsExactly("target/critic");
        assertThat(modules(TD3, "target-actor")).containsExactly("target/actor");
        assertEachParameterHasOneOwner(TD3);
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
        for (Setup setup : List.of(SAC, TD3)) {
            assertThatThrownBy(() -> Writes.of(with(setup, "critics", "actor/**"), setup.declarations()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("critics")
                    .hasMessageContaining("actor/hidden0/bias")
                    .hasMessageContaining("does not reach");
        }
    }

    @Test
    void anActorThatWouldMoveTheCriticsTooIsRefusedForBothWriteThem() {
        for (Setup setup : List.of(SAC, TD3)) {
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
