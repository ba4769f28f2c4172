package hocket.workbench.command.bench;

import hocket.programs.Program;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.TreeSet;

/** Inference on some rows: inputs written, outputs computed and read. A state is read from the run before. */
final class InferenceWork implements Work {
    private final int count;
    private final Parameters parameters;
    private final BoundProgram program;
    private final Tensor rows;
    private final int input;
    private final int state;
    private double sum;
    private boolean started;

    /** @param unbound the program, with an input {@code x}; an input {@code state} is fed with the second target */
    InferenceWork(Program unbound, int count, int threads) {
        this.count = count;
        Shape row = unbound.input("x").orElseThrow().shape();
        rows = Workload.uniform("x", row.prepend(count).extents());
        parameters = Parameters.initialise(unbound.graph().declarations(), Streams.seed(0));
        program = new BoundProgram(unbound, parameters, Lowering.of(unbound), threads, new TreeSet<>(), "");
        input = program.position("x");
        state = unbound.input("state").isPresent() ? program.position("state") : -1;
    }

    @Override
    public void run(int times) {
        for (int i = 0; i < times; i++) {
            program.feed(input, count).put(rows.buffer());
            if (state >= 0) {
                ByteBuffer to = program.feed(state, count);
                to.put(started ? program.target(1).buffer() : ByteBuffer.allocate(to.remaining()));
                started = true;
            }
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
