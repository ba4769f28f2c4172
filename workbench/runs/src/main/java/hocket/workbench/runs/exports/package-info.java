/**
 * What leaves Hocket: a trained network as a model that other programs load, with a page that says what it is. What its
 * files look like is decided here; how the engine's are written is the engine's business.
 */
@NullMarked
package hocket.workbench.runs.exports;

import org.jspecify.annotations.NullMarked;
