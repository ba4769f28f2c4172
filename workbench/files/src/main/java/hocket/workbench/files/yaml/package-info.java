/**
 * Reads and writes YAML trees with the position of each node. {@link hocket.workbench.files.forms} gives the keys their
 * meaning. Only this package uses the YAML library.
 */
@NullMarked
package hocket.workbench.files.yaml;

import org.jspecify.annotations.NullMarked;
