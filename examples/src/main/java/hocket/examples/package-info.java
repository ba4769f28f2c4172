/** One file an example, to be read from top to bottom; the first comment says what comes out, and in what time. */
@NullMarked
package hocket.examples;

import org.jspecify.annotations.NullMarked;
