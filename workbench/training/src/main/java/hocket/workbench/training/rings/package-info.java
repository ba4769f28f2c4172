/**
 * The rings around a whole run: its lock, records, queues, provenance, page and failures.
 */
@NullMarked
package hocket.workbench.training.rings;

import org.jspecify.annotations.NullMarked;
