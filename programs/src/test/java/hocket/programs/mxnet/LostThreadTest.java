package hocket.programs.mxnet;

import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;

import hocket.programs.BoundProgram;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.ProgramException;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

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

    /** A kernel's error cannot be provoked through programs, which check what they are fed; so the executor is a mock. */
    private ProgramException failOnThisThread(Parameters parameters) {
        MxExecutor failing = mock(MxExecutor.class);
        doThrow(EngineException.last("forward pass", true)).when(failing).forward(anyBoolean());
        try (BoundProgram bound = bind(parameters)) {
            try (MockedStatic<MxExecutor> executors = mockStatic(MxExecutor.class)) {
                executors
                        .when(() -> MxExecutor.bind(anyString(), anyMap(), anyMap(), anyMap(), any()))
                        .thenReturn(failing);
                return catchThrowableOfType(ProgramException.class, () -> bound.run(1, 0, 0));
            }
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
                        assertThat(failed).hasMessageStartingWith("program p: engine: forward pass");
                        try (BoundProgram bound = bind(parameters)) {
                            assertThatExceptionOfType(ProgramException.class)
                                    .isThrownBy(() -> bound.run(1, 0, 0))
                                    .withMessageContaining("can run nothing more on thread first")
                                    .withMessageContaining("adopt()")
                                    .satisfies(e -> assertThat(e.threadLost()).isTrue());
                        }
                        assertThat(parameters.tensor("m/w").doubles()).containsExactly(3, 3);
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

    /** A program that the engine refuses to read leaves the thread as it was. */
    @Test
    void aRefusedProgramDoesNotLoseTheThread() {
        try (Parameters parameters = store();
                BoundProgram bound = bind(parameters)) {
            try (MockedStatic<MxExecutor> executors = mockStatic(MxExecutor.class)) {
                executors
                        .when(() -> MxExecutor.bind(anyString(), anyMap(), anyMap(), anyMap(), any()))
                        .thenThrow(EngineException.of("no such operator"));
                assertThatExceptionOfType(ProgramException.class)
                        .isThrownBy(() -> bound.run(1, 0, 0))
                        .withMessage("program p: engine: no such operator")
                        .satisfies(e -> assertThat(e.threadLost()).isFalse());
            }
            bound.run(1, 0, 0);
            assertThat(bound.loss()).isEqualTo(18);
        }
    }
}
