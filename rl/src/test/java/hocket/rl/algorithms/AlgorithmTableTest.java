package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.offline.StepArrays;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiBinary;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Setup;
import hocket.schedulers.formats.Npz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of {@code docs/agents.md} says which actions each algorithm takes. */
class AlgorithmTableTest {
    private static final Path PAGE =
            Path.of(System.getProperty("hocket.root", "..")).resolve("docs/agents.md");

    @TempDir
    Path folder;

    private static Map<String, BiFunction<String, Path, EnvironmentDefinition>> algorithms() {
        Map<String, BiFunction<String, Path, EnvironmentDefinition>> all = new LinkedHashMap<>();
        all.put("`Ppo`", (name, steps) -> Ppo.usual(name));
        all.put("`A2c`", (name, steps) -> A2c.usual(name));
        all.put("`Impala`", (name, steps) -> Impala.usual(name));
        all.put("`Reinforce`", (name, steps) -> Reinforce.usual(name));
        all.put("`Dqn`", (name, steps) -> Dqn.usual(name));
        all.put("`QrDqn`", (name, steps) -> QrDqn.usual(name));
        all.put("`Rainbow`", (name, steps) -> Rainbow.usual(name));
        all.put("`R2d2`", (name, steps) -> R2d2.usual(name));
        all.put("`Sac`", (name, steps) -> Sac.usual(name));
        all.put("`DiscreteSac`", (name, steps) -> DiscreteSac.usual(name));
        all.put("`Td3`", (name, steps) -> Td3.usual(name));
        all.put("`Ddpg`", (name, steps) -> Ddpg.usual(name));
        all.put("`Dreamer`", (name, steps) -> Dreamer.usual(name));
        all.put("`CrossEntropy`", (name, steps) -> CrossEntropy.usual(name));
        all.put("`EvolutionStrategies`", (name, steps) -> EvolutionStrategies.usual(name));
        all.put("`OfflineCloning`", OfflineCloning::usual);
        all.put("`Iql`", Iql::usual);
        all.put("`Cql`", Cql::usual);
        all.put("`DiscreteCql`", DiscreteCql::usual);
        return all;
    }

    private static Environment of(Space actions) {
        return new Lamps(actions);
    }

    /** Allows all discrete actions, by a mask. */
    private static Environment masked() {
        return new ForwardingEnvironment(of(new Discrete(3))) {
            @Override
            public boolean masks() {
                return true;
            }
        };
    }

    private Path steps(Space actions) throws IOException {
        StepArrays arrays = new StepArrays(Box.of(2, 0, 1), actions);
        for (int i = 0; i < 10; i++) {
            arrays.add(new float[2], actions.sample(Pcg64.of(i)), 0, new float[2], i % 5 == 4, false);
        }
        Path file = Files.createTempFile(folder, "steps", ".npz");
        Npz.write(file, arrays.arrays(0, 1));
        return file;
    }

    @Test
    void thePageSaysWhichActionsEachAlgorithmTakes() throws IOException {
        List<String> rows = new ArrayList<>();
        for (var each : algorithms().entrySet()) {
            var made = each.getValue();
            String name = "Lamps";
            Space box = Box.of(1, -1, 1);
            Space unbounded = Box.of(1, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY);
            EnvironmentDefinition any = made.apply(name, folder);
            String boxes = accepts(made, unbounded) ? "yes" : accepts(made, box) ? "bounded" : "no";
            rows.add("| " + each.getKey()
                    + " | " + said(accepts(made, new Discrete(3)))
                    + " | " + said(accepts(made, MultiDiscrete.of(3, 2)))
                    + " | " + said(accepts(made, new MultiBinary(2)))
                    + " | " + boxes
                    + " | " + masks(made)
                    + " | "
                    + said(UsualTest.settings(any.getClass())
                            .anyMatch(part -> part.getName().equals("memory")))
                    + " |");
        }
        assertThat(Files.readString(PAGE)).contains(String.join("\n", rows));
    }

    private static String said(boolean does) {
        return does ? "yes" : "no";
    }

    private boolean accepts(BiFunction<String, Path, EnvironmentDefinition> made, Space actions) throws IOException {
        try {
            made.apply("Lamps", steps(actions)).in(() -> of(actions));
            return true;
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("actions");
            return false;
        }
    }

    private String masks(BiFunction<String, Path, EnvironmentDefinition> made) throws IOException {
        if (!accepts(made, new Discrete(3))) {
            return "";
        }
        try {
            Setup setup = made.apply("Lamps", steps(new Discrete(3))).in(AlgorithmTableTest::masked);
            boolean isRead = setup.networks().programs().stream()
                    .flatMap(program -> program.inputs().stream())
                    .anyMatch(input -> input.path().text().contains("mask"));
            return isRead ? "read" : "ignored";
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("mask");
            return "refused";
        }
    }
}
