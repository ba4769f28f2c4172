package hocket.workbench.runs.plans;

import hocket.programs.Value;
import hocket.scopes.ElementType;
import java.util.Arrays;
import java.util.List;

/**
 * A value, for people and programs.
 *
 * @param path its name
 * @param shape of one row
 * @param batched whether its first axis is rows
 * @param type its element type
 * @param text all of this as {@link Value} prints it
 */
public record ValueFacts(String path, List<Integer> shape, boolean batched, ElementType type, String text) {
    static ValueFacts of(Value value) {
        return new ValueFacts(
                value.path().text(),
                Arrays.stream(value.shape().extents()).boxed().toList(),
                value.batched(),
                value.type(),
                value.toString());
    }
}
