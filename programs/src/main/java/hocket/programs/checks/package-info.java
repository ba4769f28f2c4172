/**
 * Checks of gradients by finite differences, and the search for the first number that is not finite.
 */
@NullMarked
package hocket.programs.checks;

import org.jspecify.annotations.NullMarked;
