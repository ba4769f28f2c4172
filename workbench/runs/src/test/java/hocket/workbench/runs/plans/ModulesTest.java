package hocket.workbench.runs.plans;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.stopGradient;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.workbench.runs.plans.Modules.Taking;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModulesTest {
    private final Graph graph = new Graph();
    private final Value x = graph.input("x", Shape.of(4));
    private final Network<Value, Value> trunk = graph.module("trunk", in -> relu(dense("a", in, 3)));
    private final Network<Value, Value> actor = graph.module("actor", in -> dense("out", trunk.apply(in), 2));
    private final Network<Value, Value> critic =
            graph.module("critic", in -> dense("out", stopGradient(trunk.apply(in)), 1));

    @Test
    void whoTakesWhoseValuesIsSeenThroughCallsAndWhatIsOutside() {
        Value judged = add(mean(critic.apply(x)), mean(relu(actor.apply(x))));
        Network<Value, Value> score = graph.module("score", in -> dense("out", in, 1));
        Program program = Program.compile("p", Mode.TRAIN, score.apply(add(x, judged)));
        assertThat(modules(program).takings(program))
                .containsExactly(
                        new Taking("actor", "trunk", true),
                        new Taking("critic", "trunk", false),
                        new Taking("score", "actor", true),
                        new Taking("score", "critic", true));
    }

    @Test
    void aStopGradientOutsideOfBothCutsAsWell() {
        Program cut = Program.compile("p", Mode.TRAIN, critic.apply(add(mean(stopGradient(actor.apply(x))), x)));
        assertThat(modules(cut).takings(cut)).contains(new Taking("trunk", "actor", false));
    }

    @Test
    void whatHasNoWeightsGetsNoGradient() {
        Value plain;
        try (Scope<Value> scaling = graph.module("scaling")) {
            plain = relu(x);
        }
        Program program = Program.compile("p", Mode.TRAIN, actor.apply(add(plain, x)));
        assertThat(modules(program).takings(program)).contains(new Taking("trunk", "scaling", false));
    }

    @Test
    void anotherNetworkAtAPathOfItsOwnAndACopyAreModules() {
        Program program =
                Program.compile("p", Mode.TRAIN, add(critic.at("target/critic").apply(x), critic.apply(x)));
        Setup setup = experiment().copy("actor/**", "target/actor/**");
        Modules modules = new Modules(setup, List.of(program));
        assertThat(modules.of(Path.of("target/critic/out/weight"))).hasValue("target/critic");
        assertThat(modules.of(Path.of("target/critic#1/dense"))).hasValue("target/critic");
        assertThat(modules.of(Path.of("target/actor/out/weight"))).hasValue("target/actor");
        assertThat(modules.of(Path.of("target/other/weight"))).hasValue("target");
        assertThat(modules.of(Path.of("critic#2/out"))).hasValue("critic");
        assertThat(modules.of(Path.of("add_2"))).isEmpty();
    }

    @Test
    void aProgramSaysWhoseParametersStandInForOthers() {
        Program program = Program.compile("p", Mode.EVAL, actor.apply(x)).reading("actor", "target/actor");
        Modules modules = new Modules(experiment().copy("actor/**", "target/actor/**"), List.of(program));
        assertThat(modules.readings(program)).containsExactly(new Modules.Reading("actor", "target/actor"));
    }

    private Setup experiment() {
        return Setup.of(graph, Turn.act("nothing", run -> {}), Budget.rounds(1));
    }

    private Modules modules(Program program) {
        return new Modules(experiment(), List.of(program));
    }
}
