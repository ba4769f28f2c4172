/**
 * Aggregates of the scores of several algorithms on several tasks, each with several seeds. The package reads scores from folders
 * of seeds and from files, and writes a table, a document and a picture. The mathematics is in {@code hocket.schedulers.stats}.
 */
@NullMarked
package hocket.workbench.sweeps.aggregates;

import org.jspecify.annotations.NullMarked;
