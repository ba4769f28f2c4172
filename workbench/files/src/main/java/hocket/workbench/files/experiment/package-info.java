/** Experiment files: their content, how they are found, read and changed, and what is built from them. */
@NullMarked
package hocket.workbench.files.experiment;

import org.jspecify.annotations.NullMarked;
