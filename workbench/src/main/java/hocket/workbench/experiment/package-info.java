/** Experiment files: what may stand in one, how one is found, read and changed, and what is built from it. */
@NullMarked
package hocket.workbench.experiment;

import org.jspecify.annotations.NullMarked;
