package hocket.workbench.command.bench;

/**
 * A measured number.
 *
 * @param name name of the benchmark, such as {@code dcgan/16}
 * @param value the value in the given unit
 * @param unit {@code it/s}, {@code us}, {@code ms}, {@code steps/s}, {@code rows/s}, {@code %}, {@code MiB} or {@code bytes}
 * @param threads number of threads that were allowed
 */
public record Measurement(String name, double value, String unit, int threads) {}
