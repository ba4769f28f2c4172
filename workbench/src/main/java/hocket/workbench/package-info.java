/**
 * The {@code hocket} command: what a person starts, watches and looks at afterwards. Commands, run folders, progress and
 * plans as text live here; how anything is trained does not.
 */
@NullMarked
package hocket.workbench;

import org.jspecify.annotations.NullMarked;
