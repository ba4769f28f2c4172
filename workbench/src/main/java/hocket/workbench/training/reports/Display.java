package hocket.workbench.training.reports;

import hocket.workbench.terminal.Terminal;

/** Where it is shown how far a run is. */
public interface Display {
    /** Whether a line takes the place of the one before: then it may come several times a second. */
    boolean inPlace();

    /** How wide a line may be. */
    int columns();

    /**
     * Shows it.
     *
     * @param done how much of its budget, from 0 to 1
     * @param line the same and more, for people
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
