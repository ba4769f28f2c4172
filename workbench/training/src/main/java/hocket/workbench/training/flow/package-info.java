/** Steps of a run that need more than a scheduler: what files may name beside those of {@link hocket.schedulers.flow}. */
@NullMarked
package hocket.workbench.training.flow;

import org.jspecify.annotations.NullMarked;
