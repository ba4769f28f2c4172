package hocket.schedulers.inference;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Source.Column;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.OptionalLong;

/**
 * The function that a trained model computes for a caller: rows of named columns in, rows of named columns out. It holds no
 * parameters; {@link #bind} joins it to a store. Immutable, so any thread may use it.
 */
public interface InferenceFunction {
    /** The name for messages, such as {@code draw} or {@code policy}. */
    String name();

    /** Returns the programs that it runs, whose parameters it reads. */
    List<Program> programs();

    /** Returns the columns that every call gives. */
    List<Column> inputs();

    /** The noise that a call may give, and that is drawn from the call's seed otherwise. */
    List<Column> noises();

    /** Returns the columns of the result, the main one first. */
    List<Column> outputs();

    /**
     * This function on a store that holds what its {@link #programs} read.
     *
     * @param threads that compute one call
     * @throws IllegalArgumentException if the store lacks a parameter, or has it in another shape
     */
    Bound bind(Parameters parameters, int threads);

    /** A function on a store. Only the thread that owns the store uses it; closing frees compiled programs. */
    interface Bound extends AutoCloseable {
        /**
         * Computes the {@link #outputs} for some rows. The same rows and seed give the same bits.
         *
         * @param seed of everything random; without one, an agent takes its most probable action, and noise is drawn by seed 0
         * @throws IllegalArgumentException if an input is missing, unknown, misshapen, mistyped or out of its range
         */
        List<Tensor> infer(Feeds rows, OptionalLong seed);

        @Override
        void close();
    }
}
