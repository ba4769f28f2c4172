/**
 * Trees of YAML that know where each part stands in its file. Reads and writes text; what the keys mean is said in
 * {@link hocket.workbench.forms}. The only package that names the YAML library.
 */
@NullMarked
package hocket.workbench.files.yaml;

import org.jspecify.annotations.NullMarked;
