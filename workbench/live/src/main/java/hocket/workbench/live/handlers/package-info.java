/**
 * The handlers of HTTP requests and WebSocket messages, one for each subject.
 */
@NullMarked
package hocket.workbench.live.handlers;

import org.jspecify.annotations.NullMarked;
