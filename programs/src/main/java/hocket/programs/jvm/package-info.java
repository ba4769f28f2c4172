/**
 * The second lowering: programs in plain Java, with their gradients written out by {@link hocket.programs.Gradients}.
 * It has two forms: a plain reference of every operator, slow and easy to read, and fast kernels for dense networks.
 * Nothing here is native.
 */
@NullMarked
package hocket.programs.jvm;

import org.jspecify.annotations.NullMarked;
