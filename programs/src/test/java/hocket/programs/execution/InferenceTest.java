package hocket.programs.execution;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One module out of a graph, fed from outside. */
class InferenceTest {
    private record Heads(Value mean, Value deviation) {}

    private final Graph graph = new Graph();

    private static List<String> inputs(Program program) {
        return program.inputs().stream().map(Value::toString).toList();
    }

    private static List<String> targets(Program program) {
        return program.targets().stream().map(Value::toString).toList();
    }

    /** A generator in a scope, a discriminator that is called, in both modes. */
    private List<Program> gan() {
        Value z = graph.noise("noise", Shape.of(6));
        Value real = graph.input("image", Shape.of(1, 4, 4));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            Value h = dropout("dropout", relu(batchNorm("norm", dense("project", z, 16))), 0.5);
            fake = graph.name("image", Operators.reshape(tanh(h), 1, 4, 4));
        }
        Network<Value, Value> discriminator =
                graph.module("discriminator", x -> dense("logit", flatten(relu(conv("c", x, 2, kernel(2)))), 1));
        Value judged = discriminator.apply(fake);
        Value both = add(mean(discriminator.apply(stopGradient(real))), mean(judged));
        Value penalty =
                mean(square(Gradients.of(mean(discriminator.apply(real)), real).get(0)));
        return List.of(
                Program.compile("d", Mode.TRAIN, add(both, penalty)),
                Program.compile("g", Mode.TRAIN, mean(judged)),
                Program.compile("draw", Mode.EVAL, fake));
    }

    @Test
    void aGeneratorIsFedItsNoiseAndGivesWhatIsDrawn() {
        Program program = Inference.of("generator", graph, Path.of("generator"), gan());
        assertThat(program.mode()).isEqualTo(Mode.EVAL);
        assertThat(inputs(program)).containsExactly("noise (batch,6)");
        assertThat(program.noises()).isEmpty();
        assertThat(targets(program)).containsExactly("generator/image (batch,1,4,4)");
        assertThat(program.parameters().keySet()).allMatch(path -> path.module().equals("generator"));
    }

    @Test
    void aDiscriminatorIsThatOfRealImagesNotOfTheGenerators() {
        Program program = Inference.of("discriminator", graph, Path.of("discriminator"), gan());
        assertThat(inputs(program)).containsExactly("image (batch,1,4,4)");
        assertThat(targets(program)).containsExactly("discriminator#2/logit (batch,1)");
    }

    @Test
    void aModuleThatReadsAnotherIsFedWhatThatGives() {
        Value x = graph.input("x", Shape.of(3));
        Network<Value, Value> encoder = graph.module("encoder", v -> dense("code", v, 2));
        Network<Value, Value> decoder = graph.module("decoder", v -> dense("out", v, 3));
        Program loss = Program.compile("loss", Mode.TRAIN, mean(decoder.apply(encoder.apply(x))));
        Program program = Inference.of("decoder", graph, Path.of("decoder"), List.of(loss));
        assertThat(inputs(program)).containsExactly("code (batch,2)");
        assertThat(program.parameters().keySet()).allMatch(path -> path.module().equals("decoder"));
    }

    @Test
    void aValueOutsideOfModulesKeepsItsNameAsAnInput() {
        Value code = graph.name("code", tanh(graph.input("x", Shape.of(3))));
        Network<Value, Value> decoder = graph.module("decoder", v -> dense("out", v, 3));
        Program loss = Program.compile("loss", Mode.TRAIN, mean(decoder.apply(code)));
        Program program = Inference.of("decoder", graph, Path.of("decoder"), List.of(loss));
        assertThat(inputs(program)).containsExactly("code (batch,3)");
    }

    @Test
    void aModuleHasTheModulesThatItCallsInside() {
        Value x = graph.input("x", Shape.of(3));
        Network<Value, Value> trunk = graph.module("trunk", v -> tanh(dense("h", v, 4)));
        Network<Value, Heads> actor = graph.module("actor", v -> {
            Value h = trunk.apply(v);
            return new Heads(dense("mean", h, 2), dense("deviation", h, 2));
        });
        Heads heads = actor.apply(x);
        Program act = Program.compile("act", Mode.EVAL, concat(0, heads.mean(), heads.deviation()));
        Program program = Inference.of("actor", graph, Path.of("actor"), List.of(act));
        assertThat(inputs(program)).containsExactly("x (batch,3)");
        assertThat(targets(program)).containsExactly("actor#1/mean (batch,2)", "actor#1/deviation (batch,2)");
        assertThat(program.parameters()).containsKey(Path.of("trunk/h/weight"));
    }

    @Test
    void ofSeveralCallsThatIsTakenWhichAnEvalProgramShows() {
        Value next = graph.input("next", Shape.of(3));
        Value now = graph.input("now", Shape.of(3));
        Network<Value, Value> actor = graph.module("actor", v -> dense("out", v, 2));
        Program critic = Program.compile("critic", Mode.TRAIN, mean(actor.apply(next)));
        Program act = Program.compile("act", Mode.EVAL, actor.apply(now));
        assertThat(inputs(Inference.of("actor", graph, Path.of("actor"), List.of(critic, act))))
                .containsExactly("now (batch,3)");
    }

    @Test
    void aProgramReadsNoiseAsAnInputAndOtherParametersAsItDid() {
        Program draw = gan().get(2).reading("generator", "ema/generator");
        Program program = Inference.of(draw);
        assertThat(inputs(program)).containsExactly("noise (batch,6)");
        assertThat(program.parameters()).containsKey(Path.of("ema/generator/project/weight"));
    }

    @Test
    void amongModulesThatThereAreTheNearestIsNamed() {
        List<Program> programs = gan();
        assertThat(Inference.modules(graph, programs).toString()).isEqualTo("[discriminator, generator]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Inference.of("m", graph, Path.of("genrator"), programs))
                .withMessage("there is no module genrator; did you mean generator?");
    }
}
