/**
 * Data that arrives while a run trains: rows from outside wait in a durable queue in the run's folder, and a source
 * reads them from there, each once. The package has the queue, its files, the source, its setting in experiment files
 * and the reader of NumPy's files. Servers elsewhere decode rows ({@link hocket.workbench.online.json.RowLines} for JSON
 * lines), append them and answer.
 */
@NullMarked
package hocket.workbench.online;

import org.jspecify.annotations.NullMarked;
