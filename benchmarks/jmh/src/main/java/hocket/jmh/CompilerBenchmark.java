package hocket.jmh;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;

import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.json.ProgramJson;
import hocket.scopes.Shape;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A graph of twenty dense layers: built and compiled, differentiated, written and read. */
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
public class CompilerBenchmark {
    private static final int LAYERS = 20;

    private final Program program = program();
    private final String text = ProgramJson.write(program);

    private static Value loss(Graph graph) {
        Value h = graph.input("x", Shape.of(16));
        try (var module = graph.module("net")) {
            for (int layer = 0; layer < LAYERS; layer++) {
                h = tanh(dense("layer" + layer, h, 16));
            }
        }
        return mean(square(h));
    }

    private static Program program() {
        return Program.compile("program", Mode.TRAIN, loss(new Graph()));
    }

    @Benchmark
    public Program compile() {
        return program();
    }

    /** A gradient as values of the graph, as a penalty needs it. */
    @Benchmark
    public Program differentiate() {
        Graph graph = new Graph();
        Value loss = loss(graph);
        return Program.compile("penalty", Mode.TRAIN, mean(square(Gradients.of(loss, graph.value("x")).get(0))));
    }

    @Benchmark
    public String write() {
        return ProgramJson.write(program);
    }

    @Benchmark
    public Program read() {
        return ProgramJson.read(text);
    }
}
