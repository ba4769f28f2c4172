package hocket.workbench.files.forms;

import hocket.workbench.files.yaml.FileProblems;
import java.nio.file.Path;

/**
 * The context in which a file is read.
 *
 * @param problems receives errors
 * @param classes finds classes by name
 * @param here the folder to which relative paths are relative
 */
public record ReadingContext(FileProblems problems, Classes classes, Path here) {}
