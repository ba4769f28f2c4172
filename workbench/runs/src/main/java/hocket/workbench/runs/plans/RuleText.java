package hocket.workbench.runs.plans;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Lazy;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.rates.ConstantRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Keys;
import hocket.workbench.terminal.NumberFormats;
import java.util.ArrayList;
import java.util.List;

/** Prints update rules in a line, with all settings that have an effect: {@code adam, rate 8e-4, beta1 0.5}. */
public final class RuleText {
    private RuleText() {}

    static String line(UpdateRule rule) {
        return (rule instanceof Lazy ? "lazy: " : "")
                + String.join("; ", rule.links().stream().map(RuleText::line).toList());
    }

    private static String line(GradientTransformation gradientTransformation) {
        String name = Keys.of(gradientTransformation.getClass(), GradientTransformation.class);
        List<String> words = new ArrayList<>(List.of(name));
        Keys.values(gradientTransformation).forEach((key, value) -> {
            String text = text(value);
            if (!text.isEmpty()) {
                String inWords = key.replace('_', ' ');
                words.add(key.equals(name) ? text : value.equals(true) ? inWords : inWords + " " + text);
            }
        });
        return String.join(", ", words);
    }

    /** Returns an empty text for 0, false and a selection of everything. */
    private static String text(Object value) {
        if (value instanceof ConstantRate rate) {
            return NumberFormats.exactly(rate.value());
        } else if (value instanceof Rate rate) {
            return rate.describe();
        } else if (value instanceof Number number) {
            return number.doubleValue() == 0 ? "" : NumberFormats.exactly(number.doubleValue());
        }
        return value.equals(false) || value.equals("**") ? "" : value.toString();
    }
}
