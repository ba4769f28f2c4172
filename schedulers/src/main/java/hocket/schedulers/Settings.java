package hocket.schedulers;

import hocket.scopes.Nearest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What can be set in an experiment: keys with a value of one type and a line of help each, in the order of their making.
 * Immutable.
 */
public final class Settings {
    /**
     * One setting.
     *
     * @param value a Long, a Double or a String
     * @param help one line for people
     */
    public record Setting(Object value, String help) {}

    private final Map<String, Setting> settings;

    private Settings(Map<String, Setting> settings) {
        this.settings = Collections.unmodifiableMap(settings);
    }

    /** No settings. */
    public static Settings none() {
        return new Settings(new LinkedHashMap<>());
    }

    /** These and a whole number. */
    public Settings and(String key, long value, String help) {
        return with(key, new Setting(value, help));
    }

    /** These and a real number. */
    public Settings and(String key, double value, String help) {
        return with(key, new Setting(value, help));
    }

    /** These and a text. */
    public Settings and(String key, String value, String help) {
        return with(key, new Setting(value, help));
    }

    private Settings with(String key, Setting setting) {
        Map<String, Setting> more = new LinkedHashMap<>(settings);
        more.put(key, setting);
        return new Settings(more);
    }

    /**
     * These with one value changed, given as text.
     *
     * @throws IllegalArgumentException if there is no such key, naming the nearest, or the text is not of its type
     */
    public Settings set(String key, String text) {
        Setting setting = setting(key);
        try {
            Object value;
            if (setting.value() instanceof Long) {
                value = Long.valueOf(text.strip());
            } else if (setting.value() instanceof Double) {
                value = Double.valueOf(text.strip());
                if (!Double.isFinite((Double) value)) {
                    throw new NumberFormatException(text);
                }
            } else {
                value = text;
            }
            return with(key, new Setting(value, setting.help()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "setting " + key + " must be " + (setting.value() instanceof Long ? "a whole number" : "a number")
                            + " such as " + setting.value() + ", was \"" + text + "\"",
                    e);
        }
    }

    /** A whole number. */
    public long whole(String key) {
        return (Long) setting(key).value();
    }

    /**
     * A whole number of at least {@code least}.
     *
     * @throws IllegalArgumentException if it is below
     */
    public int wholeFrom(int least, String key) {
        long value = whole(key);
        if (value < least || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "setting %s must be a whole number of at least %d, was %d", key, least, value));
        }
        return (int) value;
    }

    /** A real number. */
    public double real(String key) {
        return (Double) setting(key).value();
    }

    /** A text. */
    public String text(String key) {
        return (String) setting(key).value();
    }

    /** All settings by key. */
    public Map<String, Setting> all() {
        return settings;
    }

    private Setting setting(String key) {
        Setting setting = settings.get(key);
        if (setting == null) {
            throw new IllegalArgumentException("there is no setting " + key + Nearest.among(key, settings.keySet()));
        }
        return setting;
    }
}
