package hocket.workbench.training.reports;

import hocket.workbench.terminal.Terminal;

/** A display of a run's progress. */
public interface Display {
    /** Returns whether a line replaces the one before: then it may be updated several times a second. */
    boolean inPlace();

    /** Returns the width of a line. */
    int columns();

    /**
     * Shows it.
     *
     * @param done the fraction of its budget, from 0 to 1
     * @param line the same with more detail, for people
     */
    void show(double done, String line);

    /** Before a person. */
    static Display on(Terminal terminal) {
        return new Display() {
            @Override
            public boolean inPlace() {
                return terminal.inPlace();
            }

            @Override
            public int columns() {
                return terminal.lineColumns();
            }

            @Override
            public void show(double done, String line) {
                if (inPlace()) {
                    terminal.redraw(line);
                } else {
                    terminal.remark(line);
                }
            }
        };
    }
}
