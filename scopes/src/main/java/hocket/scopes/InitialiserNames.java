package hocket.scopes;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of initialisers, as texts in settings say them. */
final class InitialiserNames {
    private static final Pattern FORM = Pattern.compile("\\s*(\\w+)\\s*(?:\\(([^()]*)\\))?\\s*");

    /**
     * An initialiser of some numbers.
     *
     * @param least the fewest numbers that it takes
     * @param most the most numbers
     * @param of makes it; a gain that is not given is 1
     */
    private record Form(int least, int most, Function<double[], Initialiser> of) {}

    private static final Map<String, Form> FORMS = forms();

    private InitialiserNames() {}

    private static Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.put("zeros", new Form(0, 0, n -> Initialiser.zeros()));
        forms.put("ones", new Form(0, 0, n -> Initialiser.constant(1)));
        forms.put("constant", new Form(1, 1, n -> Initialiser.constant(n[0])));
        forms.put("normal", new Form(1, 1, n -> Initialiser.normal(n[0])));
        forms.put("uniform", new Form(2, 2, n -> new Initialiser.Uniform(n[0], n[1])));
        Form xavierUniform = new Form(0, 1, n -> new Initialiser.Xavier(gain(n)));
        Form xavierNormal = new Form(0, 1, n -> new Initialiser.XavierNormal(gain(n)));
        Form heUniform = new Form(0, 1, n -> new Initialiser.HeUniform(gain(n)));
        Form heNormal = new Form(0, 1, n -> new Initialiser.He(gain(n)));
        forms.put("xavier_uniform", xavierUniform);
        forms.put("xavier_normal", xavierNormal);
        forms.put("kaiming_uniform", heUniform);
        forms.put("kaiming_normal", heNormal);
        forms.put("orthogonal", new Form(0, 1, n -> Initialiser.orthogonal(gain(n))));
        forms.put("glorot_uniform", xavierUniform);
        forms.put("glorot_normal", xavierNormal);
        forms.put("he_uniform", heUniform);
        forms.put("he_normal", heNormal);
        return forms;
    }

    static List<String> names() {
        return List.copyOf(FORMS.keySet());
    }

    private static double gain(double[] numbers) {
        return numbers.length == 0 ? 1 : numbers[0];
    }

    static Initialiser parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "an initialiser is a name, or a name and numbers as in normal(0.02), got " + text);
        }
        Form form = FORMS.get(matcher.group(1));
        if (form == null) {
            throw new IllegalArgumentException(
                    "no initialiser is called " + matcher.group(1) + "; there is: " + String.join(", ", names()));
        }
        double[] numbers = numbers(text, matcher.group(2));
        if (numbers.length < form.least || numbers.length > form.most) {
            String count = form.least == form.most ? "" + form.most : form.least + " to " + form.most;
            throw new IllegalArgumentException("initialiser " + matcher.group(1) + " takes " + count
                    + (form.most == 1 ? " number" : " numbers") + ", got " + numbers.length + " in " + text);
        }
        return form.of.apply(numbers);
    }

    private static double[] numbers(String text, @Nullable String inside) {
        if (inside == null || inside.isBlank()) {
            return new double[0];
        }
        try {
            double[] numbers = Arrays.stream(inside.split(",", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            if (Arrays.stream(numbers).allMatch(Double::isFinite)) {
                return numbers;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("initialiser " + text + ": needs finite numbers, got " + inside, e);
        }
        throw new IllegalArgumentException("initialiser " + text + ": needs finite numbers, got " + inside);
    }
}
