package hocket.rl.settings;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Checks settings from Java by the bounds of each {@link Setting}, as for files. A record's constructor cannot do so,
 * because its components have no values yet, so copies and setups are checked.
 */
public final class AlgorithmSettings {
    private AlgorithmSettings() {}

    /**
     * Checks each number, also those in lists and in nested settings.
     *
     * @throws IllegalArgumentException if one is outside its bounds or not finite, named as in a file:
     *     {@code gamma must be 0 to 1, was 1.5}
     */
    public static void check(Record settings) {
        check("", settings);
    }

    /**
     * Returns the actions of environments that must be discrete.
     *
     * @param algorithm needs them, for the message
     * @throws IllegalArgumentException if they are not
     */
    public static Discrete discreteActions(TrainingEnvironments all, String algorithm) {
        if (all.actionSpace() instanceof Discrete actions) {
            return actions;
        }
        throw new IllegalArgumentException(
                "environment: " + algorithm + " needs discrete actions, these are " + all.actionSpace());
    }

    /**
     * Returns the actions of environments that must be discrete, and all allowed at all times.
     *
     * @param algorithm needs them, for the message
     * @throws IllegalArgumentException if they are not
     */
    public static Discrete unmaskedActions(TrainingEnvironments all, String algorithm) {
        Discrete actions = discreteActions(all, algorithm);
        if (all.isMasked()) {
            throw new IllegalArgumentException("environment: " + algorithm
                    + " needs actions that are all allowed, these have a mask, which DQN, Rainbow and PPO read;"
                    + " environments.wrappers [unmasked] hides it");
        }
        return actions;
    }

    /**
     * Returns the observations of environments that must be numbers of a box, also pictures.
     *
     * @param algorithm needs them, for the message
     * @throws IllegalArgumentException if they are not
     */
    public static Box boxedObservations(TrainingEnvironments all, String algorithm) {
        if (all.observationSpace() instanceof Box box) {
            return box;
        }
        throw new IllegalArgumentException(
                "environment: " + algorithm + " needs observations in a box, these are " + all.observationSpace());
    }

    /**
     * Returns the actions of environments that must be in a box with finite bounds.
     *
     * @param algorithm needs them, for the message
     * @throws IllegalArgumentException if they are not
     */
    public static Box boundedActions(TrainingEnvironments all, String algorithm) {
        if (all.actionSpace() instanceof Box actions && actions.bounded()) {
            return actions;
        }
        throw new IllegalArgumentException("environment: " + algorithm
                + " needs actions in a box with finite bounds, these are " + all.actionSpace());
    }

    /**
     * Returns the actions of environments; those of a box must have finite bounds.
     *
     * @throws IllegalArgumentException if they have not
     */
    public static Space searchedActions(TrainingEnvironments all) {
        return all.actionSpace() instanceof Box ? boundedActions(all, "a deterministic policy") : all.actionSpace();
    }

    private static void check(String path, Record settings) {
        Map<String, Object> values = Keys.values(settings);
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Setting setting = component.getAnnotation(Setting.class);
            String key = Keys.of(component);
            if (setting != null) {
                check(path + key, setting, Objects.requireNonNull(values.get(key)));
            } else if (component.isAnnotationPresent(SettingGroup.class)) {
                check(path, (Record) Objects.requireNonNull(values.get(key)));
            }
        }
    }

    private static void check(String name, Setting setting, Object value) {
        if (value instanceof Record record) {
            check(name + ".", record);
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                check(name + "[" + i + "]", setting, list.get(i));
            }
        } else if (value instanceof Number number) {
            double given = number.doubleValue();
            if (!Double.isFinite(given) || given < setting.least() || given > setting.most()) {
                throw new IllegalArgumentException(name + " must be " + range(setting) + ", was " + value);
            }
        }
    }

    private static String range(Setting setting) {
        boolean from = Double.isFinite(setting.least());
        boolean to = Double.isFinite(setting.most());
        if (from && to) {
            return text(setting.least()) + " to " + text(setting.most());
        }
        return from ? "at least " + text(setting.least()) : to ? "at most " + text(setting.most()) : "finite";
    }

    private static String text(double bound) {
        return bound == (long) bound ? Long.toString((long) bound) : Double.toString(bound);
    }
}
