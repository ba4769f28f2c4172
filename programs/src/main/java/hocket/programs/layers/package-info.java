/**
 * What layers are made of: weights and their initialisers, windows, distributions, and the checks of their arguments.
 */
@NullMarked
package hocket.programs.layers;

import org.jspecify.annotations.NullMarked;
