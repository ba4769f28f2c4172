/** What happens around training. */
@NullMarked
package hocket.workbench.training;

import org.jspecify.annotations.NullMarked;
