/**
 * The loops that dense programs are made of, plain and vectorised, which give the same bits.
 */
@NullMarked
package hocket.programs.jvm.kernels;

import org.jspecify.annotations.NullMarked;
