/**
 * The state of a run as an immutable tree, and the things that are saved in it.
 */
@NullMarked
package hocket.schedulers.state;

import org.jspecify.annotations.NullMarked;
