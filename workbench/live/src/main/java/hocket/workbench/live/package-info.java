/**
 * The live server: it shows and steers a run over HTTP and WebSocket while it trains, serves the page, and shows the
 * runs of a folder, which it starts in processes of their own. Training never waits for the server: metrics are left in
 * slots of which it reads the newest, and commands are queued in {@link hocket.schedulers.commands.Steering}. Package
 * {@code runs} writes run folders.
 */
@NullMarked
package hocket.workbench.live;

import org.jspecify.annotations.NullMarked;
