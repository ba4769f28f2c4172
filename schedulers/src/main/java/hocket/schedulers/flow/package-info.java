/**
 * The five steps of a run: its identity, its networks, its initial parameters, the training, and the use of the result.
 * Each can be replaced by a class that an experiment file names.
 */
@NullMarked
package hocket.schedulers.flow;

import org.jspecify.annotations.NullMarked;
