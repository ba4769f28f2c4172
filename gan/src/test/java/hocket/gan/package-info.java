/** What the tests of this module share. */
@NullMarked
package hocket.gan;

import org.jspecify.annotations.NullMarked;
