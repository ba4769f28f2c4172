/**
 * Exports trained networks as models that other programs load, with a model card. This package decides which files are
 * written; the engine writes its own format.
 */
@NullMarked
package hocket.workbench.runs.exports;

import org.jspecify.annotations.NullMarked;
