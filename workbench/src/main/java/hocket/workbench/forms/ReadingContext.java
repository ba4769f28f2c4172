package hocket.workbench.forms;

import hocket.workbench.yaml.FileProblems;
import java.nio.file.Path;

/**
 * What reading a file needs beside the file.
 *
 * @param problems takes what is wrong
 * @param classes finds classes by name
 * @param here what relative paths are relative to
 */
public record ReadingContext(FileProblems problems, Classes classes, Path here) {}
