package hocket.workbench.command.bench;

import hocket.programs.Program;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.TreeSet;

/** Inference on some rows: inputs written, outputs computed and read. */
final class InferenceWork implements Work {
    private final int count;
    private final Parameters parameters;
    private final BoundProgram program;
    private final Tensor rows;
    private final int input;
    private double sum;

    /** @param unbound the program, with an input {@code x} */
    InferenceWork(Program unbound, int count, int threads) {
        this.count = count;
        Shape row = unbound.input("x").orElseThrow().shape();
        rows = Workload.uniform("x", row.prepend(count).extents());
        parameters = Parameters.initialise(unbound.graph().declarations(), Streams.seed(0));
        program = new BoundProgram(unbound, parameters, Lowering.of(unbound), threads, new TreeSet<>(), "");
        input = program.position("x");
    }

    @Override
    public void run(int times) {
        for (int i = 0; i < times; i++) {
            program.feed(input, count).put(rows.buffer());
            program.run(count, 0, 0);
            sum += program.target(0).get(0);
        }
        if (!Double.isFinite(sum)) {
            throw new IllegalStateException("the measured answers are not finite");
        }
    }

    @Override
    public void close() {
        program.close();
        parameters.close();
    }
}
