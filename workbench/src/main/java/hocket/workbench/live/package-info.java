/**
 * The live server: a run that is watched and steered over HTTP and WebSocket while it trains, the page that shows it, and a
 * workbench over the runs of a folder, which starts them in processes of their own and asks those. Nothing here trains, and nothing here is waited for by what trains: figures come by slots that
 * the newest takes, commands go by {@link hocket.schedulers.commands.Steering}. What is written into run folders is the business of
 * {@code runs}.
 */
@NullMarked
package hocket.workbench.live;

import org.jspecify.annotations.NullMarked;
