/**
 * Runs that train in other processes: how they are found, started, asked and shown.
 */
@NullMarked
package hocket.workbench.live.peers;

import org.jspecify.annotations.NullMarked;
