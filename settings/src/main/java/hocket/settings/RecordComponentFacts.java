package hocket.settings;

import static hocket.settings.CopiesProcessor.refuse;
import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/**
 * A component of a record and its {@code @Setting} or {@code @SettingGroup}.
 *
 * @param key its name in files
 * @param type its type, in Java syntax
 * @param help a line of help; may be empty
 * @param isSetting whether it has a {@code @Setting} or {@code @SettingGroup}
 * @param literal its default as a Java literal; empty if there is none, or no literal can express it
 * @param least the smallest number allowed; of lists and maps, of each
 * @param most the largest
 * @param group the components of a group's record; empty if it is no group
 */
record RecordComponentFacts(
        String name,
        String key,
        String type,
        String help,
        boolean isSetting,
        String literal,
        double least,
        double most,
        List<RecordComponentFacts> group) {
    private static final String SETTING = "hocket.schedulers.settings.Setting";
    private static final String GROUP = "hocket.schedulers.settings.SettingGroup";
    private static final String LIMITS = "hocket.schedulers.settings.Limits";
    private static final Map<String, String> NUMBERS = Map.of(
            "int", "whole",
            "long", "whole",
            "double", "real",
            "java.lang.Integer", "whole",
            "java.lang.Long", "whole",
            "java.lang.Double", "real");

    /** @throws IllegalArgumentException if its {@code @Setting} or {@code @SettingGroup} is invalid for its type */
    static RecordComponentFacts of(RecordComponentElement element, Elements elements) {
        Map<String, Object> group = annotation(element, GROUP);
        return group == null ? single(element, null, elements) : group(element, group, elements);
    }

    /** @param otherUsually a default in place of that of its {@code @Setting}; null for that one */
    private static RecordComponentFacts single(
            RecordComponentElement element, @Nullable String otherUsually, Elements elements) {
        Map<String, Object> setting = annotation(element, SETTING);
        Map<String, Object> said = setting == null ? Map.of() : setting;
        RecordComponentFacts plain = new RecordComponentFacts(
                element.getSimpleName().toString(),
                key(element),
                text(element.asType()),
                (String) said.getOrDefault("help", ""),
                setting != null,
                "",
                (Double) said.getOrDefault("least", Double.NEGATIVE_INFINITY),
                (Double) said.getOrDefault("most", Double.POSITIVE_INFINITY),
                List.of());
        refuse(
                plain.least > plain.most,
                plain.name + " has a least of " + plain.least + " and a most of " + plain.most);
        refuse(
                plain.hasRange() && !NUMBERS.containsKey(plain.each()),
                plain.name + " has a range, but is not a number, and no list or map of numbers: " + plain.type);
        Object usual = otherUsually == null ? said.get("usually") : otherUsually;
        return usual == null ? plain : plain.withUsual((String) usual, element.asType(), elements);
    }

    private static RecordComponentFacts group(
            RecordComponentElement element, Map<String, Object> said, Elements elements) {
        String name = element.getSimpleName().toString();
        boolean isRecord = element.asType() instanceof DeclaredType declared
                && declared.asElement().getKind() == ElementKind.RECORD;
        refuse(!isRecord, "the group " + name + " must be a record of settings, is " + element.asType());
        Map<String, String> usually = usually(name, (List<?>) said.getOrDefault("usually", List.of()));
        List<RecordComponentFacts> group = new ArrayList<>();
        for (RecordComponentElement each :
                ((TypeElement) ((DeclaredType) element.asType()).asElement()).getRecordComponents()) {
            refuse(
                    annotation(each, SETTING) == null,
                    "the group " + name + " must be a record of settings, its " + each.getSimpleName()
                            + " has no @Setting");
            group.add(single(each, usually.remove(key(each)), elements));
        }
        refuse(!usually.isEmpty(), "the group " + name + " has no settings " + usually.keySet());
        return new RecordComponentFacts(
                name,
                "",
                text(element.asType()),
                "",
                true,
                "",
                Double.NEGATIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                List.copyOf(group));
    }

    private static Map<String, String> usually(String name, List<?> defaults) {
        Map<String, String> usually = new TreeMap<>();
        for (Object each : defaults) {
            String text = (String) ((AnnotationValue) each).getValue();
            int colon = text.indexOf(": ");
            refuse(colon < 1, "the group " + name + " needs defaults as \"key: value\", has \"" + text + "\"");
            usually.put(text.substring(0, colon), text.substring(colon + 2));
        }
        return usually;
    }

    /** Returns its name in files. */
    private static String key(RecordComponentElement element) {
        Map<String, Object> setting = annotation(element, SETTING);
        String given = setting == null ? "" : (String) setting.getOrDefault("name", "");
        return given.isEmpty()
                ? element.getSimpleName()
                        .toString()
                        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                        .toLowerCase(Locale.ROOT)
                : given;
    }

    /** Returns the values of an annotation by name; null if it is not there. */
    private static @Nullable Map<String, Object> annotation(RecordComponentElement element, String type) {
        for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
            if (mirror.getAnnotationType().toString().equals(type)) {
                Map<String, Object> values = new HashMap<>();
                mirror.getElementValues()
                        .forEach((key, value) -> values.put(key.getSimpleName().toString(), value.getValue()));
                return values;
            }
        }
        return null;
    }

    /** Returns its own settings: itself, or those of the group. */
    Stream<RecordComponentFacts> settings() {
        return group.isEmpty() ? Stream.of(this) : group.stream();
    }

    /** Returns the expression of its value by default; a setting without a default is a variable of its name. */
    String usual() {
        return group.isEmpty() ? literal.isEmpty() ? name : literal : made(each -> each.usual());
    }

    /** Returns the expression that creates a group's record. */
    String made(Function<RecordComponentFacts, String> value) {
        return "new " + type + "(" + group.stream().map(value).collect(joining(", ")) + ")";
    }

    /** Returns a type in Java syntax, in which annotations are before the simple name. */
    static String text(TypeMirror type) {
        return type.toString().replaceFirst("^(@[\\w.]+ )((?:\\w+\\.)+)", "$2$1");
    }

    private RecordComponentFacts withUsual(String text, TypeMirror type, Elements elements) {
        try {
            return new RecordComponentFacts(
                    name, key, this.type, help, isSetting, literal(text, type, elements), least, most, group);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "the usual value of " + name + " must be of type " + this.type + " and in its range, was " + text,
                    e);
        }
    }

    private String literal(String text, TypeMirror type, Elements elements) {
        if (NUMBERS.containsKey(this.type)) {
            return number(text);
        } else if (type instanceof DeclaredType declared) {
            return literal(text, (TypeElement) declared.asElement(), elements);
        }
        refuse(!text.equals("true") && !text.equals("false"), text);
        return text;
    }

    private String literal(String text, TypeElement type, Elements elements) {
        if (this.type.equals("java.lang.String")) {
            return elements.getConstantExpression(text.replaceAll("^\"(.*)\"$", "$1"));
        } else if (this.type.equals("hocket.scopes.Initialiser")) {
            return this.type + ".named(" + elements.getConstantExpression(text) + ")";
        } else if (type.getKind() == ElementKind.ENUM) {
            String constant = text.toUpperCase(Locale.ROOT).replace('-', '_');
            refuse(
                    type.getEnclosedElements().stream()
                            .noneMatch(each -> each.getKind() == ElementKind.ENUM_CONSTANT
                                    && each.getSimpleName().contentEquals(constant)),
                    text);
            return this.type + "." + constant;
        } else if (type.getKind() == ElementKind.INTERFACE && hasFactory(type, camelCase(text))) {
            return this.type + "." + camelCase(text) + "()";
        } else if (text.equals("{}")) {
            boolean isMap = type.getQualifiedName().contentEquals("java.util.Map");
            return isMap
                    ? "java.util.Map.of()"
                    : CopiesProcessor.hasCopies(type) ? CopiesProcessor.copies(type, elements) + ".usual()" : "";
        } else if (text.equals("[]")) {
            return "java.util.List.of()";
        }
        return NUMBERS.containsKey(each())
                ? Arrays.stream(text.replaceAll("[\\[\\] ]", "").split(","))
                        .map(this::number)
                        .collect(joining(", ", "java.util.List.of(", ")"))
                : "";
    }

    /** Returns whether an interface has a static method of a name that takes nothing. */
    private static boolean hasFactory(TypeElement type, String name) {
        return ElementFilter.methodsIn(type.getEnclosedElements()).stream()
                .anyMatch(each -> each.getSimpleName().contentEquals(name)
                        && each.getModifiers().contains(Modifier.STATIC)
                        && each.getParameters().isEmpty());
    }

    private static String camelCase(String key) {
        return Pattern.compile("_([a-z])")
                .matcher(key)
                .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    private String number(String text) {
        BigDecimal value = new BigDecimal(text);
        refuse(value.doubleValue() < least || value.doubleValue() > most, text);
        return switch (each()) {
            case "int", "java.lang.Integer" -> Integer.toString(value.intValueExact());
            case "long", "java.lang.Long" -> value.longValueExact() + "L";
            default -> Double.toString(value.doubleValue());
        };
    }

    boolean hasRange() {
        return !Double.isInfinite(least) || !Double.isInfinite(most);
    }

    /** Returns its type, or the element type of a list or map. */
    private String each() {
        return type.replaceFirst("^java\\.util\\.(List<|Map<.*,)(.*)>$", "$2");
    }

    /** Returns the statement that checks its range. */
    String check() {
        String loop = type.startsWith("java.util.") ? "for (var each : " + name : "";
        return (loop.isEmpty() ? "" : loop + (type.startsWith("java.util.Map<") ? ".values()) " : ") "))
                + LIMITS + "." + NUMBERS.get(each()) + "(\"" + name + "\", " + (loop.isEmpty() ? name : "each") + ", "
                + java(least) + ", " + java(most) + ");";
    }

    private static String java(double bound) {
        return Double.isInfinite(bound) ? (bound > 0 ? "" : "-") + "Double.POSITIVE_INFINITY" : Double.toString(bound);
    }
}
