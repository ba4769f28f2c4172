package hocket.workbench.plans;

import hocket.schedulers.Keys;
import hocket.schedulers.optimizers.ConstantRate;
import hocket.schedulers.optimizers.Link;
import hocket.schedulers.optimizers.Rate;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.workbench.terminal.Figures;
import java.util.ArrayList;
import java.util.List;

/** Update rules in a line, by the settings of their links that are not nothing: {@code adam, rate 8e-4, beta1 0.5}. */
public final class RuleText {
    private RuleText() {}

    static String line(UpdateRule rule) {
        return String.join("; ", rule.links().stream().map(RuleText::line).toList());
    }

    private static String line(Link link) {
        String name = Keys.of(link.getClass(), Link.class);
        List<String> words = new ArrayList<>(List.of(name));
        Keys.values(link).forEach((key, value) -> {
            String text = text(value);
            if (!text.isEmpty()) {
                String inWords = key.replace('_', ' ');
                words.add(key.equals(name) ? text : value.equals(true) ? inWords : inWords + " " + text);
            }
        });
        return String.join(", ", words);
    }

    /** Nothing for 0, false and what means everything. */
    private static String text(Object value) {
        if (value instanceof ConstantRate rate) {
            return Figures.exactly(rate.value());
        } else if (value instanceof Rate rate) {
            return rate.describe();
        } else if (value instanceof Number number) {
            return number.doubleValue() == 0 ? "" : Figures.exactly(number.doubleValue());
        }
        return value.equals(false) || value.equals("**") ? "" : value.toString();
    }
}
