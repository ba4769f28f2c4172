package hocket.workbench.online;

/**
 * An observer of a source that waits for rows from outside; by default it waits forever. Called by the training thread.
 */
public interface RowsObserver {
    /** Returns whether the run is to end without waiting for further rows. */
    default boolean isAskedToEnd() {
        return false;
    }

    /**
     * Called several times a second while the run waits for rows.
     *
     * @param source the source's name
     * @param there waiting rows
     * @param wanted rows of a batch
     */
    default void waits(String source, long there, int wanted) {}

    /** Rows are there again. */
    default void continues(String source) {}

    /** Called with a remark for a person. */
    default void says(String line) {}

    /** An observer that waits forever and reports nothing. */
    RowsObserver NOBODY = new RowsObserver() {};
}
