package hocket.workbench.online;

/** Who watches over a run whose rows come from outside; who says nothing waits for ever, and tells nobody. Called by the training thread. */
public interface RowsObserver {
    /** Whether the run was asked to end, and rows are not to be waited for any longer. */
    default boolean isAskedToEnd() {
        return false;
    }

    /**
     * The run waits for rows; said several times a second.
     *
     * @param source the source's name
     * @param there rows that wait
     * @param wanted rows that a draw takes
     */
    default void waits(String source, long there, int wanted) {}

    /** Rows are there again. */
    default void continues(String source) {}

    /** Something that a person should know of. */
    default void says(String line) {}

    /** Waits for ever, and tells nobody. */
    RowsObserver NOBODY = new RowsObserver() {};
}
