package hocket.workbench.online;

/** Who watches over a run whose rows come from outside. Called by the training thread. */
public interface Watch {
    /** Whether the run was asked to end, and rows are not to be waited for any longer. */
    boolean isAskedToEnd();

    /**
     * The run waits for rows; said several times a second.
     *
     * @param source the source's name
     * @param there rows that wait
     * @param wanted rows that a draw takes
     */
    void waits(String source, long there, int wanted);

    /** Rows are there again. */
    void goesOn(String source);

    /** Something that a person should know of. */
    void says(String line);

    /** Waits for ever, and tells nobody. */
    Watch NOBODY = new Watch() {
        @Override
        public boolean isAskedToEnd() {
            return false;
        }

        @Override
        public void waits(String source, long there, int wanted) {}

        @Override
        public void goesOn(String source) {}

        @Override
        public void says(String line) {}
    };
}
