/**
 * Dense arithmetic in Java: products and elementwise functions over float arrays, as vector loops where the JVM has the
 * Vector API module and as plain loops elsewhere, and the threads that share them. The result's bits depend neither on
 * which loops ran, nor on the machine's vector length, nor on the number of threads. Nothing here knows of graphs.
 */
@NullMarked
package hocket.programs.jvm;

import org.jspecify.annotations.NullMarked;
