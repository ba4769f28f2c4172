package hocket.workbench.testing;

import hocket.gan.data.ImageGrid;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/** A run folder that was never run. */
public record SyntheticRun(Path folder) {
    public static SyntheticRun in(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("samples"));
        Files.createFile(folder.resolve("metrics.jsonl"));
        return new SyntheticRun(folder);
    }

    /** Reports a value a round, from the first on, ten rounds an epoch. */
    public SyntheticRun reports(String turn, String name, double... values) throws IOException {
        return reports(0.1, turn, name, values);
    }

    /** Reports a value a round, from the first on, with a number of epochs a round. */
    public SyntheticRun reports(double epochs, String turn, String name, double... values) throws IOException {
        return reports(1, i -> epochs * (i + 1), turn, name, values);
    }

    /** Reports a value a round, from a later one on, in a phase in which no epoch goes by. */
    public SyntheticRun reportsLater(long first, double epoch, String turn, String name, double... values)
            throws IOException {
        return reports(first, i -> epoch, turn, name, values);
    }

    private SyntheticRun reports(long first, IntToDoubleFunction epoch, String turn, String name, double... values)
            throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            long round = first + i;
            lines.append(Parsed.line(Map.of(
                            "step",
                            round,
                            "round",
                            round,
                            "epoch",
                            epoch.applyAsDouble(i),
                            "turn",
                            turn,
                            "name",
                            name,
                            "value",
                            values[i],
                            "time",
                            1.0)))
                    .append('\n');
        }
        Files.writeString(folder.resolve("metrics.jsonl"), lines, StandardOpenOption.APPEND);
        return this;
    }

    /** Keeps a grid of one picture of 4 x 4 pixels in one grey, -1 to 1. */
    public SyntheticRun samples(String name, float grey) {
        float[] pixels = new float[16];
        Arrays.fill(pixels, grey);
        new ImageGrid(1, 1, 2).write(folder.resolve("samples").resolve(name), pixels, 1, 4, 4);
        return this;
    }
}
