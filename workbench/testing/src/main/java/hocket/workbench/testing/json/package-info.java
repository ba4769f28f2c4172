/** JSON as tests read it. */
@NullMarked
package hocket.workbench.testing.json;

import org.jspecify.annotations.NullMarked;
