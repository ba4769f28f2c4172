/** Parts of tests of several modules. */
@NullMarked
package hocket.workbench.testing;

import org.jspecify.annotations.NullMarked;
