/**
 * Annotation processors, which run while the other modules are compiled: {@link CopiesProcessor} writes the copy methods,
 * usual values and range checks of records of settings, {@link DoubleTwinProcessor} loops for double from those for float. Nothing here is needed when Hocket runs. A further processor is a
 * line in {@code META-INF/services/javax.annotation.processing.Processor}.
 */
@NullMarked
package hocket.settings;

import org.jspecify.annotations.NullMarked;
