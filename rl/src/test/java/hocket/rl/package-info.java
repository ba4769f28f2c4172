/** What the tests of this module share. */
@NullMarked
package hocket.rl;

import org.jspecify.annotations.NullMarked;
