package hocket.schedulers.optimizers.updates;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Names and settings of gradient transformations. */
public final class GradientTransformations {
    private GradientTransformations() {}

    /** Returns a transformation's short name: {@code adam}. */
    public static String key(GradientTransformation gradientTransformation) {
        return Keys.of(gradientTransformation.getClass(), GradientTransformation.class);
    }

    /**
     * Returns the names of a chain's transformations, numbered from a kind's second on: {@code adam}, {@code adam2}.
     */
    static List<String> labels(List<GradientTransformation> gradientTransformations) {
        Map<String, Integer> counts = new HashMap<>();
        List<String> labels = new ArrayList<>();
        for (GradientTransformation gradientTransformation : gradientTransformations) {
            int number = counts.merge(key(gradientTransformation), 1, Integer::sum);
            labels.add(key(gradientTransformation) + (number == 1 ? "" : number));
        }
        return labels;
    }

    /**
     * The shortest names that tell things apart: for each thing the first of its candidates that no other thing has.
     *
     * @param candidates of each thing, as many for each, the last unlike all others
     */
    static <T> Map<String, T> shortest(List<T> things, List<Function<T, String>> candidates) {
        Map<String, T> named = new HashMap<>();
        List<T> left = new ArrayList<>(things);
        for (Function<T, String> candidate : candidates) {
            Set<String> once = new HashSet<>();
            Set<String> twice = new HashSet<>();
            for (T thing : things) {
                String name = candidate.apply(thing);
                if (!once.add(name)) {
                    twice.add(name);
                }
            }
            List<T> still = new ArrayList<>();
            for (T thing : left) {
                String name = candidate.apply(thing);
                if (twice.contains(name)) {
                    still.add(thing);
                } else {
                    named.put(name, thing);
                }
            }
            left = still;
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("two settings or slots are called " + left.get(0));
        }
        return named;
    }

    /** Returns a transformation's rate; null without one. */
    static @org.jspecify.annotations.Nullable public Rate rate(GradientTransformation gradientTransformation) {
        Rate found = null;
        for (Object value : Keys.values(gradientTransformation).values()) {
            if (value instanceof Rate rate) {
                if (found != null) {
                    throw new IllegalArgumentException(key(gradientTransformation) + ": a link has one rate at most");
                }
                found = rate;
            }
        }
        return found;
    }

    /** Returns the settings of a transformation that are numbers or rates. */
    static List<String> settings(GradientTransformation gradientTransformation) {
        List<String> names = new ArrayList<>();
        Keys.values(gradientTransformation).forEach((name, value) -> {
            if (value instanceof Number || value instanceof Rate) {
                names.add(name);
            }
        });
        return names;
    }
}
