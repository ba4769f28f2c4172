package hocket.workbench.files.yaml;

/**
 * A position in a file.
 *
 * @param file the file's name as given, or another origin, such as {@code --set seed=x}
 * @param line the line, from 1; 0 if there are no lines
 * @param column the column, from 1
 */
public record FilePosition(String file, int line, int column) {
    /** Creates a position without lines. */
    public static FilePosition in(String file) {
        return new FilePosition(file, 0, 0);
    }

    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line + ":" + column;
    }
}
