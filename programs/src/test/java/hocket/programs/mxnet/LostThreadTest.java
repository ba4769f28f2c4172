package hocket.programs.mxnet;

import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering.Binding;
import hocket.programs.execution.ProgramException;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** After an error inside a kernel the engine fails on that thread for good: another one goes on. */
@Tag("engine")
class LostThreadTest {
    private final Program program = program();

    private static Program program() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            return Program.compile(
                    "p",
                    Mode.TRAIN,
                    sum(square(graph.parameter(
                            "w",
                            (path, type) -> new Declaration(
                                    path, Shape.of(2), type, Initialiser.constant(3), Fan.NONE, Kind.WEIGHT)))));
        }
    }

    private BoundProgram bind(Parameters parameters) {
        return new BoundProgram(program, parameters, new MxLowering(), 1, program.reached(), "");
    }

    private Parameters store() {
        return Parameters.initialise(program.graph().declarations(), Streams.seed(1));
    }

    /**
     * Programs check what they are fed, so none makes a kernel fail. Here one gets an executor that does, by looking up
     * an index that is not there.
     */
    private ProgramException failOnThisThread(Parameters parameters) throws ReflectiveOperationException {
        Symbols symbols = new Symbols();
        Ref taken =
                symbols.operator("take", List.of("mode", "raise"), symbols.variable("x"), symbols.variable("index"));
        MxArray index = MxArray.create(Shape.of(1), ElementType.INT64);
        index.buffer().putLong(0, 77);
        MxExecutor failing = MxExecutor.bind(
                symbols.observe(taken).json(),
                Map.of("x", MxArray.create(Shape.of(2, 1), ElementType.FLOAT32), "index", index),
                Map.of(),
                Map.of(),
                null);
        Binding binding = new Binding(program, parameters, program.reached(), 1, 1, 0, null);
        try (MxExecutable executable = MxExecutable.bind(binding)) {
            Field executor = MxExecutable.class.getDeclaredField("executor");
            executor.setAccessible(true);
            ((MxExecutor) executor.get(executable)).close();
            executor.set(executable, failing);
            return catchThrowableOfType(ProgramException.class, executable::run);
        }
    }

    @Test
    void aLostThreadRefusesAndAnotherGoesOn() throws InterruptedException, ExecutionException {
        ExecutorService first = Executors.newSingleThreadExecutor(task -> new Thread(task, "first"));
        ExecutorService second = Executors.newSingleThreadExecutor(task -> new Thread(task, "second"));
        try {
            Parameters parameters = first.submit(this::store).get();
            first.submit(() -> {
                        ProgramException failed = failOnThisThread(parameters);
                        assertThat(failed.threadLost()).isTrue();
                        assertThat(failed).hasMessageStartingWith("program p: engine: forward pass: Check failed");
                        try (BoundProgram bound = bind(parameters)) {
                            assertThatExceptionOfType(ProgramException.class)
                                    .isThrownBy(() -> bound.run(1, 0, 0))
                                    .withMessageContaining("can run nothing more on thread first")
                                    .withMessageContaining("adopt()")
                                    .satisfies(e -> assertThat(e.threadLost()).isTrue());
                        }
                        assertThat(parameters.tensor("m/w").doubles()).containsExactly(3, 3);
                        return true;
                    })
                    .get();
            second.submit(() -> {
                        parameters.adopt();
                        try (BoundProgram bound = bind(parameters)) {
                            bound.run(1, 0, 0);
                            assertThat(bound.loss()).isEqualTo(18);
                        }
                        parameters.close();
                    })
                    .get();
        } finally {
            first.shutdown();
            second.shutdown();
        }
    }
}
