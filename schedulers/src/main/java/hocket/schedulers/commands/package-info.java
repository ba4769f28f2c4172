/**
 * The commands that people and programs give to a run while it trains: each is defined once.
 */
@NullMarked
package hocket.schedulers.commands;

import org.jspecify.annotations.NullMarked;
