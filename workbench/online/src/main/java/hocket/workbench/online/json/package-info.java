/** JSON of rows that arrive. */
@NullMarked
package hocket.workbench.online.json;

import org.jspecify.annotations.NullMarked;
