/**
 * Data that comes while a run trains: rows from outside wait in a durable queue in the run's folder, and a source takes them
 * from there, so that each trains once. Here are the queue, its files, the source, its setting in experiment files and the
 * reader of NumPy's arrays. How rows arrive is not here: who listens decodes them ({@link
 * hocket.workbench.json.RowLines} for JSON lines), appends and answers.
 */
@NullMarked
package hocket.workbench.online;

import org.jspecify.annotations.NullMarked;
