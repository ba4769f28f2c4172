package hocket.workbench;

import hocket.schedulers.Experiment;
import hocket.schedulers.PresetExperiment;
import hocket.schedulers.Settings;
import hocket.scopes.Nearest;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * An experiment and how it is set.
 *
 * @param definition which
 * @param settings how
 */
record Choice(PresetExperiment definition, Settings settings) {
    /** All experiments there are, in name order. */
    static List<PresetExperiment> all() {
        return ServiceLoader.load(PresetExperiment.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(PresetExperiment::name))
                .toList();
    }

    /**
     * The experiment of a name, with its usual settings.
     *
     * @throws Refusal if there is none, naming the nearest
     */
    static Choice of(String name) {
        for (PresetExperiment definition : all()) {
            if (definition.name().equals(name)) {
                return new Choice(definition, definition.settings());
            }
        }
        throw new Refusal("there is no experiment " + name
                + Nearest.among(name, all().stream().map(PresetExperiment::name).toList()));
    }

    /**
     * This with settings changed.
     *
     * @param changes each {@code key=value}
     * @throws Refusal if one is malformed, unknown (naming the nearest) or not of its type
     */
    Choice with(List<String> changes) {
        Settings changed = settings;
        for (String change : changes) {
            int equals = change.indexOf('=');
            if (equals < 1) {
                throw new Refusal("--set needs key=value, was \"" + change + "\"");
            }
            Settings before = changed;
            changed = Refusal.unless(() -> before.set(change.substring(0, equals), change.substring(equals + 1)));
        }
        return new Choice(definition, changed);
    }

    /**
     * The experiment. Reads its data.
     *
     * @throws Refusal if a setting is out of its range, or data cannot be read
     */
    Experiment build() {
        return Refusal.unless(() -> definition.build(settings));
    }

    String name() {
        return definition.name();
    }

    long seed() {
        return settings.whole("seed");
    }

    /** What differs from the usual, by key. */
    Map<String, Object> changed() {
        Map<String, Object> changed = values(settings);
        changed.entrySet().removeAll(values(definition.settings()).entrySet());
        return changed;
    }

    /** The values of settings, a Long, Double or String by key. */
    static Map<String, Object> values(Settings settings) {
        Map<String, Object> values = new LinkedHashMap<>();
        settings.all().forEach((key, setting) -> values.put(key, setting.value()));
        return values;
    }
}
