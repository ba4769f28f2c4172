package hocket.workbench.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import hocket.scopes.Nearest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code experiment.yaml} of a run folder: all that is needed to repeat the run.
 *
 * @param experiment its name
 * @param hocket the version that ran it
 * @param lowering what ran the programs
 * @param kernels what ran the optimizers: {@code vector} or {@code plain}
 * @param threads how many threads; results may depend on their number
 * @param settings all of them, the seed too: Long, Double or String by key; read back, each as text
 */
public record RunFile(
        String experiment, String hocket, String lowering, String kernels, int threads, Map<String, Object> settings) {
    private static final List<String> KEYS =
            List.of("experiment", "hocket", "lowering", "kernels", "threads", "settings");
    private static final YAMLMapper MAPPER = new YAMLMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build());

    public RunFile {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /**
     * Writes the file, whole or not at all.
     *
     * @throws UncheckedIOException if the disk refuses
     */
    public void write(Path file) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("experiment", experiment);
        root.put("hocket", hocket);
        root.put("lowering", lowering);
        root.put("kernels", kernels);
        root.put("threads", threads);
        ObjectNode values = root.putObject("settings");
        settings.forEach((key, value) -> values.set(key, MAPPER.valueToTree(value)));
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        try {
            Files.write(unfinished, MAPPER.writeValueAsBytes(root));
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be written: " + e.getMessage(), e);
        }
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it is malformed, naming the file and the rule
     * @throws UncheckedIOException if it cannot be read
     */
    public static RunFile read(Path file) {
        JsonNode root;
        try {
            root = MAPPER.readTree(Files.readAllBytes(file));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(
                    file + ":" + (e.getLocation() == null ? 1 : e.getLocation().getLineNr()) + ": is no YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + e.getMessage(), e);
        }
        if (!root.isObject()) {
            throw new IllegalArgumentException(file + ": must hold keys and values such as experiment: digits-gan");
        }
        root.fieldNames().forEachRemaining(key -> {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException(file + ": there is no key " + key + Nearest.among(key, KEYS));
            }
        });
        if (!root.path("settings").isObject()) {
            throw new IllegalArgumentException(file + ": settings must be keys and values such as seed: 7");
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        root.get("settings").properties().forEach(entry -> {
            if (!entry.getValue().isValueNode()) {
                throw new IllegalArgumentException(file + ": settings/" + entry.getKey() + " must be a single value");
            }
            settings.put(entry.getKey(), entry.getValue().asText());
        });
        return new RunFile(
                text(file, root, "experiment"),
                text(file, root, "hocket"),
                text(file, root, "lowering"),
                text(file, root, "kernels"),
                threads(file, root),
                settings);
    }

    private static String text(Path file, JsonNode root, String key) {
        if (!root.path(key).isTextual()) {
            throw new IllegalArgumentException(file + ": " + key + " must be a text, was " + root.path(key));
        }
        return root.path(key).textValue();
    }

    private static int threads(Path file, JsonNode root) {
        int threads = root.path("threads").asInt(0);
        if (threads < 1) {
            throw new IllegalArgumentException(
                    file + ": threads must be a whole number of at least 1, was " + root.path("threads"));
        }
        return threads;
    }
}
