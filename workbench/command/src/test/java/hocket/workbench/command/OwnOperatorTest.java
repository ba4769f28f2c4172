package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator of a user's own, in a user's jar: one file. */
class OwnOperatorTest {
    private static final String OPERATOR = """
            package own;

            import static hocket.programs.Operators.*;

            import hocket.programs.Value;
            import hocket.programs.operators.Composed;
            import java.util.List;

            /** {@code x · sigmoid(slope · x)} (Ramachandran et al. 2017). */
            public record Swish(double slope) implements Composed {
                @Override
                public Value composed(List<Value> inputs) {
                    Value x = inputs.get(0);
                    return multiply(x, sigmoid(scale(x, slope)));
                }
            }
            """;

    private static final String NETWORKS = """
            package own;

            import static hocket.programs.Layers.dense;

            import hocket.gan.losses.GanLoss;
            import hocket.programs.*;
            import hocket.schedulers.Columns;
            import hocket.schedulers.settings.*;
            import hocket.scopes.Shape;

            /** Two small networks. */
            public record Smooth(@Setting(usually = "8", least = 1, help = "units") int width)
                    implements NetworkDefinition {
                @Override
                public Networks build(Columns columns) {
                    Graph graph = new Graph();
                    Value noise = graph.noise("noise", Shape.of(4));
                    Value real = graph.input("point", columns.shape("point"));
                    Network<Value, Value> generator = graph.module("generator", in ->
                            dense("out", new Swish(1.5).of(dense("hidden", in, width)), 2));
                    Network<Value, Value> discriminator = graph.module("discriminator", in ->
                            dense("score", new Swish(1).of(dense("hidden", in, width)), 1));
                    Value fake = generator.apply(noise);
                    GanLoss loss = GanLoss.nonSaturating();
                    return Networks.of(
                            graph,
                            Program.compile("discriminator", Mode.TRAIN, loss.discriminator(discriminator, real, fake)),
                            Program.compile("generator", Mode.TRAIN, loss.generator(discriminator, fake)),
                            Program.compile("draw", Mode.EVAL, fake));
                }
            }
            """;

    @TempDir
    Path here = Path.of("");

    private Ran fine(String... args) {
        Ran ran = Ran.hocket(here, args);
        assertThat(ran.status()).as(ran.err()).isZero();
        return ran;
    }

    @Test
    void isExplainedWrittenAndTrained() throws IOException {
        String jar = OwnClasses.jar(here, OPERATOR, NETWORKS).toString();
        Files.writeString(here.resolve("own.yaml"), OwnClasses.ringWith("network: {class: own.Smooth, width: 8}"));
        assertThat(fine("explain", "own.yaml", "--classpath", jar, "--program", "draw")
                        .out())
                .containsPattern("swish +swish +\\(8\\)");
        fine("explain", "own.yaml", "--classpath", jar, "--program", "draw", "--write", "draw.json");
        assertThat(Files.readString(here.resolve("draw.json"))).contains("own.Swish", "1.5");
        fine("run", "own.yaml", "--classpath", jar, "--out", "a");
        fine("run", "own.yaml", "--classpath", jar, "--out", "b");
        assertThat(fine("digest", "a", "--all").out())
                .isEqualTo(fine("digest", "b", "--all").out());
    }
}
