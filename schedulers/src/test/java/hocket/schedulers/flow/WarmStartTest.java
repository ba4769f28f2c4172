package hocket.schedulers.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.flow.WarmStart.Filling;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WarmStartTest {
    /** A store of actor/hidden/weight (2,1) and actor/hidden/bias (2). */
    private static Setup actor() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(1));
        Value y;
        try (var actor = graph.module("actor")) {
            y = Layers.dense("hidden", x, 2);
        }
        return Setup.of(graph, Plan.sequence(Turn.evaluate("e", Program.compile("p", Mode.EVAL, y))), Budget.rounds(1));
    }

    private static Tensor bias(float value) {
        return Tensor.of(Shape.of(2), value, value);
    }

    private static SortedMap<String, Tensor> biases(String... names) {
        return Arrays.stream(names)
                .collect(Collectors.toMap(
                        name -> name, name -> bias(Arrays.asList(names).indexOf(name)), (a, b) -> a, TreeMap::new));
    }

    private static Filling filling(String origin, Map<String, String> map, boolean strict, String... names) {
        return new WarmStart(origin, biases(names), map, strict).filling(actor());
    }

    @Test
    void aNameThatIsNoPathIsMeantByAScopeTooAndSaysWhatItWouldBecome() {
        Map<String, String> map = Map.of("dense/**", "actor/hidden/**");
        Filling filling = filling(WarmStart.FILE, map, false, "dense/bias", "dense/kernel:0");
        assertThat(filling.tensors()).containsOnlyKeys(hocket.scopes.Path.of("actor/hidden/bias"));
        assertThat(filling.left().get(0))
                .startsWith("dense/kernel:0 would become actor/hidden/kernel:0: this experiment has no such parameter");
    }

    @Test
    void twoOfARunThatBecomeOneAreRefused() {
        Map<String, String> map = Map.of("a/bias", "actor/hidden/bias", "b/bias", "actor/hidden/bias");
        assertThatThrownBy(() -> filling(WarmStart.RUN, map, true, "a/bias", "b/bias"))
                .hasMessageContaining("startup/from: b/bias: becomes actor/hidden/bias, as a/bias does");
    }

    @Test
    void whatDoesNotFitOfARunThatIsMappedIsLeftWhereThatIsAskedFor() {
        Map<String, String> map =
                Map.of("a/bias", "actor/hidden/bias", "a/other", "actor/hidden/weight", "c/**", "actor/**");
        Filling filling = filling(WarmStart.RUN, map, false, "a/bias", "a/other", "b/bias");
        assertThat(filling.tensors()).containsOnlyKeys(hocket.scopes.Path.of("actor/hidden/bias"));
        assertThat(filling.left())
                .hasSize(2)
                .anyMatch(
                        line -> line.startsWith("that run has a/other (2) FLOAT32, this one needs actor/hidden/weight"))
                .anyMatch(line -> line.startsWith("c/** matches no array of the run"));
        assertThatThrownBy(() -> filling(WarmStart.RUN, map, true, "a/bias", "a/other", "b/bias"))
                .hasMessageContainingAll(
                        "startup/from: that run has a/other",
                        "startup/map: c/** matches no array of the run",
                        "startup/strict: false takes what fits");
    }

    @Test
    void whatANameWithoutStarsLeavesOutOfARunIsNotTakenByOneWithStars() {
        Map<String, String> map = Map.of("a/**", "actor/hidden/**", "a/weight", "");
        assertThat(filling(WarmStart.RUN, map, true, "a/bias", "a/weight").tensors())
                .containsOnlyKeys(hocket.scopes.Path.of("actor/hidden/bias"));
    }

    @Test
    void ofTwoThatAreAsExactTheFirstByTextIsMeant() {
        Map<String, String> map = Map.of("abia*", "actor/hidden/bia*", "*bias", "actor/hidden/bias*");
        assertThatThrownBy(() -> filling(WarmStart.FILE, map, true, "abias"))
                .hasMessageContaining("abias would become actor/hidden/biasa: ");
    }

    @Test
    void aMapIsInOneOrderInEveryProcess() {
        List<String> names = List.of("bn0.bias", "conv1.weight", "embed", "mu", "out.weight", "project", "sigma");
        Map<String, String> map =
                names.stream().collect(Collectors.toUnmodifiableMap(name -> name, name -> "a/" + name));
        Startup startup = new Startup(Optional.of(Path.of("run")), map, true);
        assertThat(startup.map().keySet()).containsExactlyElementsOf(names);
        assertThatThrownBy(() -> startup.map().put("z", "a/z")).isInstanceOf(UnsupportedOperationException.class);
    }
}
