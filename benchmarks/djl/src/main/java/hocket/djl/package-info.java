/** A training step of DJL without Hocket, for {@code benchmarks/run}: its blocks, its optimizer and its trainer. */
@NullMarked
package hocket.djl;

import org.jspecify.annotations.NullMarked;
