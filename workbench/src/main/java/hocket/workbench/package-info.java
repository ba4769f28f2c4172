/**
 * The {@code hocket} command, with which a person starts, watches and inspects runs; training itself is in other
 * modules. Its packages depend only on those to the left: {@code terminal}, {@code plans}, {@code runs}, {@code
 * training}, {@code commands}; {@code yaml}, {@code forms} and {@code experiment} read files, {@code json}, {@code
 * plot} and {@code bench} serve all.
 */
@NullMarked
package hocket.workbench;

import org.jspecify.annotations.NullMarked;
