/** Steps of a run that files can name in addition to those of {@link hocket.schedulers.flow}. */
@NullMarked
package hocket.workbench.training.flow;

import org.jspecify.annotations.NullMarked;
