/**
 * Annotation processors for the other modules: {@link CopiesProcessor} generates copy methods, defaults and range
 * checks for records of settings, {@link SummariesProcessor} their summaries, {@link DoubleTwinProcessor} code for double
 * from code for float. Hocket does not need them at run time. A further processor is a line in {@code
 * META-INF/services/javax.annotation.processing.Processor}.
 */
@NullMarked
package hocket.settings;

import org.jspecify.annotations.NullMarked;
