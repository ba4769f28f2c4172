/** JSON of any file: an object a line, and documents that are read strictly. */
@NullMarked
package hocket.workbench.files.json;

import org.jspecify.annotations.NullMarked;
