/** Experiment files: trees of YAML, forms of types, and what they make; the error that names a place in them. */
@NullMarked
package hocket.workbench.files;

import org.jspecify.annotations.NullMarked;
