package hocket.workbench.runs;

import hocket.workbench.terminal.Refusal;

/** A folder belongs to another run, or to something else: another folder may be free. */
final class Taken extends Refusal {
    Taken(String message) {
        super(message);
    }
}
