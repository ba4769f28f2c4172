package hocket.schedulers.turns;

import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Parameters;
import java.util.Collection;
import java.util.List;

/**
 * The settings that programs read from the store, such as the probability of an augmentation.
 *
 * @param paths their names
 */
public record StoredSettings(List<String> paths) {
    /** The settings among these declarations. */
    public static StoredSettings of(Collection<Declaration> declarations) {
        return new StoredSettings(declarations.stream()
                .filter(declaration -> declaration.kind() == Kind.SETTING)
                .map(declaration -> declaration.path().text())
                .toList());
    }

    /** Returns whether there is a setting of this name. */
    public boolean has(String name) {
        return paths.contains(name);
    }

    /** Writes a setting of these to the store. Throws as {@link #requireFinite} does. */
    void set(Parameters parameters, String name, double value) {
        requireFinite(name, value);
        parameters.set(name, value);
    }

    /** @throws IllegalArgumentException if a value is not finite; any other is allowed */
    public static void requireFinite(String name, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("setting " + name + ": must be a finite number, was " + value);
        }
    }
}
