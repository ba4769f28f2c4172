/**
 * Extensions of the {@code hocket} command: {@code hocket launch} with its processes on this machine or over ssh, the
 * roles that the environment gives to {@code hocket run}, and the options for actors.
 */
@NullMarked
package hocket.distributed.launch;

import org.jspecify.annotations.NullMarked;
