/** Descriptions of an experiment before it runs: facts, their text, and warnings. */
@NullMarked
package hocket.workbench.runs.plans;

import org.jspecify.annotations.NullMarked;
