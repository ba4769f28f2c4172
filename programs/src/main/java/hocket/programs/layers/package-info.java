/** The parts of layers: weights and their initialisers, windows, distributions, and checks of arguments. */
@NullMarked
package hocket.programs.layers;

import org.jspecify.annotations.NullMarked;
