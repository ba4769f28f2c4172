/**
 * The kinds of plans, such as sequences and repeats, and the walk that reads them: training, dry runs, warnings and resume
 * go by it.
 */
@NullMarked
package hocket.schedulers.plans;

import org.jspecify.annotations.NullMarked;
