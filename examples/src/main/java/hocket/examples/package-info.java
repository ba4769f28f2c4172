/** Examples, one file each; the first comment has the result and the duration. */
@NullMarked
package hocket.examples;

import org.jspecify.annotations.NullMarked;
