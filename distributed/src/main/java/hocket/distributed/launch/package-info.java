/**
 * What the {@code hocket} command gains from this module: {@code hocket launch} with the processes that it starts on this
 * machine or over ssh, the roles that an environment gives a {@code hocket run}, and the options for actors.
 */
@NullMarked
package hocket.distributed.launch;

import org.jspecify.annotations.NullMarked;
