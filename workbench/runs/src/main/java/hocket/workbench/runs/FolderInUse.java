package hocket.workbench.runs;

import hocket.workbench.files.UserError;

/** A folder that belongs to another run, or to something else; another folder may be free. */
final class FolderInUse extends UserError {
    FolderInUse(String message) {
        super(message);
    }
}
