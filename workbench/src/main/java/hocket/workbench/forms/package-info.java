/**
 * How values of Java types are written in a file: records are keys and values, sealed interfaces are one of their records,
 * interfaces marked as
 * keyed are a listed class by its key, other interfaces are classes by name. One description reads the file, completes it, finds what {@code --set} means, and
 * makes the JSON schema. Knows nothing of what the values are for.
 */
@NullMarked
package hocket.workbench.forms;

import org.jspecify.annotations.NullMarked;
