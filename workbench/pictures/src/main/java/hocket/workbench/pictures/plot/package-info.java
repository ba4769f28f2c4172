/**
 * Pictures of a run for papers and reports: curves of what it reported, its samples as they came to be, points over a
 * field. What is drawn is decided here; how charts are drawn is XChart's business, and SVG is Batik's.
 */
@NullMarked
package hocket.workbench.pictures.plot;

import org.jspecify.annotations.NullMarked;
