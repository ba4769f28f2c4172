package hocket.gan.parts;

import hocket.programs.Value;
import hocket.scopes.SimilarNames;
import java.util.Map;
import java.util.TreeMap;

/**
 * A discriminator's output for rows.
 *
 * @param logit high for real rows; one number a row, or one for each of a row's patches
 * @param heads further outputs by name, such as {@code class}, {@code code}, {@code features} or {@code embedding}
 */
public record Scored(Value logit, Map<String, Value> heads) {
    /** The head that is the last layer's input, (features). */
    public static final String FEATURES = "features";

    public Scored {
        heads = Map.copyOf(heads);
    }

    /** An output without further heads. */
    public static Scored of(Value logit) {
        return new Scored(logit, Map.of());
    }

    /** Returns this output with one more head. */
    public Scored with(String name, Value head) {
        Map<String, Value> more = new TreeMap<>(heads);
        more.put(name, head);
        return new Scored(logit, more);
    }

    /**
     * Returns a head of a size.
     *
     * @param who needs it, for the message
     * @throws IllegalArgumentException if the discriminator has no such head, or one of another size
     */
    public Value head(String name, int size, String who) {
        Value head = head(name);
        if (head.shape().size() != size) {
            throw new IllegalArgumentException(who + ": head " + name + " has "
                    + head.shape().size() + " outputs, and needs " + size + ": sizes: {" + name + ": " + size + "}");
        }
        return head;
    }

    /**
     * Returns a head.
     *
     * @throws IllegalArgumentException if the discriminator has none of that name; the message names its heads
     */
    public Value head(String name) {
        return SimilarNames.get(heads, name, "the discriminator has no head ");
    }
}
