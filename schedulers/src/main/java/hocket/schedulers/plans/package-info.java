/**
 * The kinds of plans, such as sequences and repeats, and the walk that interprets them for training, dry runs, warnings
 * and resume.
 */
@NullMarked
package hocket.schedulers.plans;

import org.jspecify.annotations.NullMarked;
