package hocket.workbench.files.yaml;

/**
 * A place in a file.
 *
 * @param file as a person named it, or what stands for a file, such as {@code --set seed=x}
 * @param line from 1; 0 where there are no lines
 * @param column from 1
 */
public record FilePosition(String file, int line, int column) {
    /** A place without lines. */
    public static FilePosition in(String file) {
        return new FilePosition(file, 0, 0);
    }

    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line + ":" + column;
    }
}
