/**
 * Runs that train in other processes: finding, starting, asking and showing them.
 */
@NullMarked
package hocket.workbench.live.peers;

import org.jspecify.annotations.NullMarked;
