package hocket.workbench.live.json;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.workbench.files.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads requests to start runs, as JSON objects: {@code {"experiment": "digits-gan", "seed": 3, "settings": {"epochs":
 * 12}}}. Settings are numbers and booleans only: names of classes and files need access to the machine.
 */
public final class StartLines {
    private static final Set<String> KEYS = new TreeSet<>(Set.of("experiment", "name", "seed", "settings"));
    private static final Pattern SETTING = Pattern.compile("[A-Za-z_][A-Za-z0-9_./*-]{0,199}");
    private static final int MOST_SETTINGS = 100;

    private StartLines() {}

    /**
     * A request to start a run.
     *
     * @param experiment a built-in name, or a file
     * @param name name of the run's folder; empty to choose one
     * @param changes overrides of the experiment, each {@code key=value}
     */
    public record Asked(String experiment, String name, List<String> changes) {}

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it is not such a request, saying why
     */
    public static Asked read(String text) {
        JsonNode node = StrictJson.object(text, "a run to be started", "{\"experiment\": \"digits-gan\"}");
        node.fieldNames().forEachRemaining(key -> {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException("there is no key " + StrictJson.cut(key) + "; there is " + KEYS);
            }
        });
        List<String> changes = new ArrayList<>();
        JsonNode seed = node.path("seed");
        if (!seed.isMissingNode() && !seed.isNull()) {
            if (!seed.isIntegralNumber() || !seed.canConvertToLong()) {
                throw new IllegalArgumentException("seed: must be a whole number, was " + StrictJson.shown(seed));
            }
            changes.add("seed=" + seed.asLong());
        }
        changes.addAll(settings(node.path("settings")));
        return new Asked(StrictJson.text(node, "experiment"), StrictJson.optional(node, "name"), changes);
    }

    private static List<String> settings(JsonNode settings) {
        List<String> changes = new ArrayList<>();
        if (settings.isMissingNode() || settings.isNull()) {
            return changes;
        }
        if (!settings.isObject() || settings.size() > MOST_SETTINGS) {
            throw new IllegalArgumentException("settings: must be an object of at most " + MOST_SETTINGS
                    + " numbers and booleans, was " + StrictJson.shown(settings));
        }
        settings.properties().forEach(setting -> {
            String key = setting.getKey();
            JsonNode value = setting.getValue();
            if (!SETTING.matcher(key).matches()) {
                throw new IllegalArgumentException("settings: " + StrictJson.cut(key) + " is not a name of a setting");
            }
            if (!value.isNumber() && !value.isBoolean()) {
                throw new IllegalArgumentException("settings: " + key + " must be a number, true or false, was "
                        + StrictJson.shown(value) + "; others stand in a file");
            }
            changes.add(key + "=" + value.asText());
        });
        return changes;
    }
}
