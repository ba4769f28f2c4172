package hocket.gan.parts;

import hocket.programs.Value;
import java.util.Map;

/**
 * A generator's output.
 *
 * @param rows generated rows
 * @param heads further outputs by name, such as {@code logits}
 */
public record Generated(Value rows, Map<String, Value> heads) {
    /** The head of what one-hot blocks of a row of a table are drawn from, (row). */
    public static final String LOGITS = "logits";

    /** The head of the styles that each row is made from, (styles, width). */
    public static final String STYLES = "styles";

    public Generated {
        heads = Map.copyOf(heads);
    }

    /** An output without further heads. */
    public static Generated of(Value rows) {
        return new Generated(rows, Map.of());
    }
}
