package hocket.programs.execution;

import hocket.programs.Program;
import hocket.scopes.Device;

/**
 * A program that a lowering has made ready to run for one number of rows. Its arrays are
 * requested again after every run. Used by the thread that owns the store.
 */
public interface Executable extends AutoCloseable {
    /** One of {@link Program#feeds}, in memory that the host sees, to be filled before a run. */
    Device.Array feed(int index);

    /**
     * Locates what the next run reads of the store, on the thread that owns the store. Another thread may run it then, where
     * the lowering {@link Lowering#runsBeside runs beside} others; nobody writes or moves the store until the run ends. The
     * owner may run without it.
     */
    default void prepare() {}

    /**
     * Computes the targets from the feeds, and the gradients if requested.
     *
     * @throws ProgramException if the engine fails
     */
    void run();

    /** The values of one of {@link Program#targets} after a run. */
    Device.Array target(int index);

    /** The gradient by one of the asked-for paths, in path order, after a run: as long as the parameter. */
    Device.Array gradient(int index);

    /**
     * Returns whether executables of the same program, bound with it as their pool, have replaced memory that they shared
     * by larger one. It can run still, but keeps its own until it is closed.
     */
    default boolean outgrown() {
        return false;
    }

    /** Frees its memory; the store keeps its arrays. Closing twice does nothing. */
    @Override
    void close();
}
