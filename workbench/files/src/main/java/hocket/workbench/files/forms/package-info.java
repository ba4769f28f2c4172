/**
 * The forms of Java types in a file: records are keys and values, sealed interfaces are one of their records,
 * interfaces marked as keyed are a listed class by its key, other interfaces are classes by name. One description reads
 * the file, completes it, resolves {@code --set}, makes the JSON schema, and lists the parts that a file can name. The package does not depend on the meaning
 * of the values.
 */
@NullMarked
package hocket.workbench.files.forms;

import org.jspecify.annotations.NullMarked;
