/** What {@code hocket sample} draws: single samples, or strips of images for each of them. */
@NullMarked
package hocket.workbench.command.samples;

import org.jspecify.annotations.NullMarked;
