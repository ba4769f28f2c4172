package hocket.rl.envs;

import hocket.scopes.SimilarNames;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The options given to an environment, read by name and type; {@link #requireKnown} rejects those that were never read.
 */
final class EnvironmentOptions {
    private final String environment;
    private final Map<String, ?> given;
    private final TreeSet<String> known = new TreeSet<>();

    EnvironmentOptions(String environment, Map<String, ?> given) {
        this.environment = environment;
        this.given = given;
    }

    boolean flag(String name, boolean otherwise) {
        return of(name, otherwise, Boolean.class, "true or false");
    }

    double real(String name, double otherwise) {
        Number usual = otherwise;
        return of(name, usual, Number.class, "a number").doubleValue();
    }

    int whole(String name, int otherwise) {
        Number usual = otherwise;
        Number number = of(name, usual, Number.class, "a whole number");
        if (number.doubleValue() != number.intValue()) {
            throw refused(name, "a whole number", number);
        }
        return number.intValue();
    }

    String text(String name, String otherwise) {
        return of(name, otherwise, String.class, "a text");
    }

    List<String> texts(String name, List<String> otherwise) {
        List<?> texts = of(name, otherwise, List.class, "a list of texts");
        return texts.stream().map(String::valueOf).toList();
    }

    private <T> T of(String name, T otherwise, Class<? super T> kind, String rule) {
        known.add(name);
        Object value = given.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!kind.isInstance(value)) {
            throw refused(name, rule, value);
        }
        @SuppressWarnings("unchecked") // it is of T's kind; callers name the two alike
        T checked = (T) value;
        return checked;
    }

    private IllegalArgumentException refused(String name, String rule, Object value) {
        return new IllegalArgumentException(environment + ": " + name + " must be " + rule + ", was " + value);
    }

    /** @throws IllegalArgumentException if an option was given that was never asked for */
    void requireKnown() {
        for (String name : given.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        environment + ": it has no option " + name + SimilarNames.among(name, known));
            }
        }
    }
}
