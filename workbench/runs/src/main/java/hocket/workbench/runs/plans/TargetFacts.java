package hocket.workbench.runs.plans;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A target of a program.
 *
 * @param role {@code loss}, the name of a metric, or empty
 * @param text both, without a name that an operator chose for its result
 */
public record TargetFacts(String role, ValueFacts value, String text) {
    /** Returns all targets of a program. */
    static List<TargetFacts> of(Program program) {
        Map<Value, String> roles = new HashMap<>();
        program.metrics().forEach((metric, value) -> roles.putIfAbsent(value, metric));
        if (program.mode() == Mode.TRAIN) {
            roles.put(program.targets().get(0), "loss");
        }
        return program.targets().stream()
                .map(target -> of(roles.getOrDefault(target, ""), target))
                .toList();
    }

    /** Returns this target with the name that the operators of a program list it by. */
    String named() {
        return (role + " " + value.text()).strip();
    }

    private static TargetFacts of(String role, Value target) {
        ValueFacts value = ValueFacts.of(target);
        String kind = target.operator().kind();
        boolean isNumbered = target.path().name().matches(Pattern.quote(kind) + "(_\\d+)?");
        boolean isNumber = !value.batched() && value.shape().isEmpty();
        String shown = isNumber && isNumbered && !role.isEmpty()
                ? ""
                : isNumbered ? value.text().substring(value.path().length() + 1) + " by " + kind : value.text();
        return new TargetFacts(role, value, (role + " " + shown).strip());
    }
}
