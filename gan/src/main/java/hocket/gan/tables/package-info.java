/**
 * Tables of numbers and categories, and the parts of a GAN that generates them, as in CTGAN (Xu et al., "Modeling Tabular Data
 * using Conditional GAN", 2019): reading and encoding of CSV files, the generator, the condition, and scores.
 */
@NullMarked
package hocket.gan.tables;

import org.jspecify.annotations.NullMarked;
