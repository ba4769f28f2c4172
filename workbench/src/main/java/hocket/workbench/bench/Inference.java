package hocket.workbench.bench;

import hocket.programs.BoundProgram;
import hocket.programs.Lowering;
import hocket.programs.Program;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.TreeSet;

/** A program on a few rows: written, computed, read. */
final class Inference implements Work {
    private static final int ROWS = 8;

    private final Parameters parameters;
    private final BoundProgram program;
    private final Tensor rows = Workload.uniform("x", ROWS, 4);
    private final int input;
    private double sum;

    Inference(int threads) {
        Program unbound = Workload.inference();
        parameters = Parameters.initialise(unbound.graph().declarations(), Streams.seed(0));
        program = new BoundProgram(unbound, parameters, Lowering.best(), threads, new TreeSet<>(), "");
        input = program.position("x");
    }

    @Override
    public void run(int times) {
        for (int i = 0; i < times; i++) {
            program.feed(input, ROWS).put(rows.buffer());
            program.run(ROWS, 0, 0);
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
