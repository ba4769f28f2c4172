package hocket.programs.mxnet;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Lowering.Outline;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a program would become, found without the engine. */
class OutlineTest {
    private final Graph graph = new Graph();

    @Test
    void theOperatorsOfTheSymbolAreCountedWithThoseForTargetsAndMoments() {
        Program program = program(3);
        // the layer, the norm, the mean, and the loss handed out
        assertThat(outline(program, new TreeSet<>(), 8).operators()).isEqualTo(4);
        // and the moments of the norm, whose running values the turn moves
        assertThat(outline(program, program.reached(), 8).operators()).isEqualTo(6);
    }

    @Test
    void aSecondThreadIsUsedFromFourMillionMultiplicationsOn() {
        Program program = program(1000);
        assertThat(outline(program, new TreeSet<>(), 999).threads()).isEqualTo(1);
        assertThat(outline(program, new TreeSet<>(), 1000).threads()).isEqualTo(2);
    }

    private Program program(int units) {
        Value x = graph.input("x", Shape.of(4));
        try (var module = graph.module("m")) {
            return Program.compile("p", Mode.TRAIN, mean(batchNorm("norm", dense("layer", x, units))));
        }
    }

    private static Outline outline(Program program, SortedSet<Path> gradients, int batch) {
        return new MxLowering().outline(program, gradients, batch, 2).orElseThrow();
    }
}
