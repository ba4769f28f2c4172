package hocket.programs;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A loss that a turn descends, with metrics to report.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Value logits = discriminator.apply(real);
 * Loss loss = Loss.of(mean(softplus(negate(logits)))).metric("logit", mean(logits));
 * }</pre>
 *
 * @param value one number
 * @param metrics further single numbers by name, such as {@code error_rate}; nothing descends them
 */
public record Loss(Value value, Map<String, Value> metrics) {
    public Loss {
        metrics = Collections.unmodifiableMap(new TreeMap<>(metrics));
    }

    /** A loss without metrics. */
    public static Loss of(Value value) {
        return new Loss(value, Map.of());
    }

    /**
     * Returns this loss with one more metric.
     *
     * @throws IllegalArgumentException if it has one of that name
     */
    public Loss metric(String name, Value metric) {
        Map<String, Value> more = new TreeMap<>(metrics);
        if (more.put(name, metric) != null) {
            throw new IllegalArgumentException("a loss has one metric of a name, was given a second " + name);
        }
        return new Loss(value, more);
    }
}
