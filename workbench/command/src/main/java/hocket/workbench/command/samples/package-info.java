/** The samples that {@code hocket sample} draws: single ones, or strips of images for each of them. */
@NullMarked
package hocket.workbench.command.samples;

import org.jspecify.annotations.NullMarked;
