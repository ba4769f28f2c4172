/**
 * The flow of data from sources into the inputs of programs: tables, batches, checks, and the fingerprint of what was
 * read.
 */
@NullMarked
package hocket.schedulers.feeds;

import org.jspecify.annotations.NullMarked;
