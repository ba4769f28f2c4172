/**
 * Plots of a run for papers and reports: curves of its metrics, a film of its samples, points over a field. XChart
 * draws the charts, and Batik writes SVG.
 */
@NullMarked
package hocket.workbench.pictures.plot;

import org.jspecify.annotations.NullMarked;
