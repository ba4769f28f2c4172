package hocket.workbench.command.bench;

/**
 * One measured number.
 *
 * @param name of the benchmark, such as {@code dcgan/16}
 * @param value in that unit
 * @param unit {@code it/s}, {@code us}, {@code ms}, {@code steps/s}, {@code rows/s}, {@code %}, {@code MiB} or {@code bytes}
 * @param threads how many were allowed
 */
public record Measurement(String name, double value, String unit, int threads) {}
