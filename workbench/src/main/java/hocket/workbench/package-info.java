/**
 * The {@code hocket} command: what a person starts, watches and looks at afterwards; how anything is trained is not here.
 * Its rooms, of which each knows those to the left only: {@code terminal}, {@code plans}, {@code runs}, {@code training},
 * {@code commands}; beside them {@code yaml}, {@code forms} and {@code experiment} read files, {@code json},
 * {@code plot} and {@code bench} serve whoever asks.
 */
@NullMarked
package hocket.workbench;

import org.jspecify.annotations.NullMarked;
