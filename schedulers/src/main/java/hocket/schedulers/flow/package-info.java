/**
 * The five steps of a run: who it is, what it computes, what it starts from, how it runs, and what is made of it in the end.
 * Each can be replaced by a class that an experiment file names.
 */
@NullMarked
package hocket.schedulers.flow;

import org.jspecify.annotations.NullMarked;
