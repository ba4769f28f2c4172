package hocket.workbench.files.forms;

import hocket.schedulers.settings.FormerName;
import hocket.scopes.Initialiser;
import hocket.workbench.files.yaml.YamlNode;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The form of a number, boolean, text, path, enum constant, or initialiser by its name. */
final class ScalarForm extends Form {
    private static final String DECIMAL = "[-+]?(\\d+(\\.\\d*)?|\\.\\d+)";
    private static final String WHOLE = "[-+]?\\d+";
    private static final String SCIENTIFIC = DECIMAL + "[eE][-+]?\\d+";
    private static final String REAL = DECIMAL + "([eE][-+]?\\d+)?";

    private final Class<?> type;
    private final double least;
    private final double most;

    /**
     * @param type int, long, double, boolean, String, Path, Initialiser or an enum
     * @param least the smallest number allowed
     * @param most the largest
     */
    ScalarForm(Class<?> type, double least, double most) {
        this.type = type;
        this.least = least;
        this.most = most;
    }

    static boolean takes(Class<?> type) {
        return type == int.class
                || type == Integer.class
                || type == long.class
                || type == Long.class
                || type == double.class
                || type == Double.class
                || type == boolean.class
                || type == Boolean.class
                || type == String.class
                || type == Path.class
                || type == Initialiser.class
                || type.isEnum();
    }

    /** Returns a constant as files write it: {@code each-turn} for {@code EACH_TURN}. */
    static String written(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean isNumber() {
        return isWhole() || isReal();
    }

    private boolean isWhole() {
        return type == int.class || type == Integer.class || type == long.class || type == Long.class;
    }

    private boolean isReal() {
        return type == double.class || type == Double.class;
    }

    @Override
    public Optional<Object> read(YamlNode yamlNode, String path, ReadingContext readingContext) {
        if (!(yamlNode instanceof YamlNode.Scalar scalar)) {
            return wrong(yamlNode, path, readingContext, rule());
        }
        if (type == Initialiser.class) {
            try {
                return Optional.of(Initialiser.named(scalar.text()));
            } catch (IllegalArgumentException e) {
                readingContext.problems().add(yamlNode.spot(), path, rule() + ": " + e.getMessage());
                return Optional.empty();
            }
        }
        Optional<Object> value = value(scalar, readingContext);
        if (value.isEmpty()) {
            List<String> words = type.isEnum() && !scalar.isNothing() ? constants() : List.of();
            return wrong(yamlNode, path, readingContext, rule() + widest(scalar), words);
        }
        return value;
    }

    private Optional<Object> value(YamlNode.Scalar scalar, ReadingContext readingContext) {
        String text = scalar.text();
        if (type == String.class) {
            return scalar.isNothing() ? Optional.empty() : Optional.of(text);
        } else if (type == Path.class) {
            return scalar.isNothing() || text.isBlank() ? Optional.empty() : path(text, readingContext);
        } else if (type.isEnum()) {
            return Stream.<Object>of(type.getEnumConstants())
                    .filter(constant -> written(constant).equals(text))
                    .findFirst();
        } else if (scalar.quoted()) {
            return Optional.empty();
        } else if (isWhole()) {
            return whole(text);
        } else if (isReal()) {
            return real(text);
        }
        return text.equals("true") || text.equals("false") ? Optional.of(Boolean.valueOf(text)) : Optional.empty();
    }

    private Optional<Object> whole(String text) {
        try {
            if (!text.matches(SCIENTIFIC) && !text.matches(WHOLE)) {
                return Optional.empty();
            }
            long value = new BigDecimal(text).longValueExact();
            if (value < least || value > most || (isInt() && value != (int) value)) {
                return Optional.empty();
            }
            return Optional.of(isInt() ? (Object) (int) value : (Object) value);
        } catch (NumberFormatException e) {
            return Optional.empty();
        } catch (ArithmeticException e) {
            return Optional.empty(); // it has a fraction, or is too large
        }
    }

    private Optional<Object> real(String text) {
        if (!text.matches(REAL)) {
            return Optional.empty();
        }
        double value = Double.parseDouble(text);
        return Double.isFinite(value) && value >= least && value <= most ? Optional.of(value) : Optional.empty();
    }

    private static Optional<Object> path(String text, ReadingContext readingContext) {
        try {
            return Optional.of(readingContext.here().resolve(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private List<String> constants() {
        List<String> constants = new ArrayList<>();
        for (Object constant : type.getEnumConstants()) {
            constants.add(written(constant));
        }
        return constants;
    }

    /** Returns the present text of a constant that has a former one. */
    private Optional<String> renamed(String former) {
        return Stream.of(type.getFields())
                .filter(Field::isEnumConstant)
                .filter(field -> field.isAnnotationPresent(FormerName.class)
                        && List.of(field.getAnnotation(FormerName.class).value())
                                .contains(former))
                .map(field -> written(Enum.valueOf(type.asSubclass(Enum.class), field.getName())))
                .findFirst();
    }

    private String rule() {
        return "must be " + values();
    }

    @Override
    String values() {
        if (isWhole()) {
            return "a whole number" + range("%.0f");
        } else if (isReal()) {
            return "a finite number" + range("%s");
        } else if (type.isEnum()) {
            return String.join(" or ", constants());
        } else if (type == Path.class) {
            return "a path";
        } else if (type == Initialiser.class) {
            return "an initialiser, such as orthogonal or normal(0.02)";
        } else if (type == String.class) {
            return "a text";
        }
        return "true or false";
    }

    @Override
    void visit(KindVisitor.Taker taker, KindVisitor visitor) {}

    /** Returns the range of the type itself, if that rejects a number. */
    private String widest(YamlNode.Scalar scalar) {
        boolean isTooLarge = isWhole()
                && !scalar.quoted()
                && Double.isInfinite(most)
                && scalar.text().matches(WHOLE)
                && new BigInteger(scalar.text()).bitLength() >= (isInt() ? Integer.SIZE : Long.SIZE)
                && new BigDecimal(scalar.text()).doubleValue() >= least;
        if (!isTooLarge) {
            return "";
        }
        String size = isInt() ? "2^31" : "2^63";
        return (Double.isInfinite(least) ? " from -" + size + " to " : " and at most ") + size + " - 1";
    }

    private boolean isInt() {
        return type == int.class || type == Integer.class;
    }

    private String range(String format) {
        String from = String.format(Locale.ROOT, format, least).replaceFirst("\\.0$", "");
        String to = String.format(Locale.ROOT, format, most).replaceFirst("\\.0$", "");
        if (Double.isInfinite(least)) {
            return Double.isInfinite(most) ? "" : " of at most " + to;
        }
        return Double.isInfinite(most) ? " of at least " + from : " from " + from + " to " + to;
    }

    @Override
    public YamlNode complete(YamlNode yamlNode, ReadingContext readingContext) {
        if (type == Path.class
                && yamlNode instanceof YamlNode.Scalar scalar
                && !scalar.text().isBlank()) {
            Path path = readingContext
                    .here()
                    .resolve(scalar.text())
                    .toAbsolutePath()
                    .normalize();
            return new YamlNode.Scalar(yamlNode.spot(), path.toString(), true);
        }
        if (isWhole()
                && yamlNode instanceof YamlNode.Scalar scalar
                && scalar.text().matches(SCIENTIFIC)) {
            return whole(scalar.text())
                    .<YamlNode>map(value -> new YamlNode.Scalar(yamlNode.spot(), value.toString(), false))
                    .orElse(yamlNode);
        }
        return yamlNode;
    }

    @Override
    public YamlNode renewed(YamlNode yamlNode, String path, ReadingContext readingContext) {
        if (!(yamlNode instanceof YamlNode.Scalar scalar)) {
            return yamlNode;
        }
        Optional<String> present = type == String.class
                ? readingContext.classes().renamedInFull(scalar.text())
                : type.isEnum() ? renamed(scalar.text()) : Optional.empty();
        present.ifPresent(now -> readingContext.problems().renamed(yamlNode.spot(), path, scalar.text(), now));
        return present.<YamlNode>map(now -> new YamlNode.Scalar(yamlNode.spot(), now, scalar.quoted()))
                .orElse(yamlNode);
    }

    @Override
    public void addresses(Optional<YamlNode> yamlNode, List<String> path, Classes classes, SettingPathVisitor to) {
        to.accept(path);
    }

    @Override
    public Map<String, Object> schema(Schemas schemas) {
        Map<String, Object> schema = new LinkedHashMap<>();
        if (type.isEnum()) {
            schema.put("enum", constants());
        } else if (type == boolean.class || type == Boolean.class) {
            schema.put("type", "boolean");
        } else if (isWhole() || isReal()) {
            schema.put("type", isWhole() ? "integer" : "number");
            if (Double.isFinite(least)) {
                schema.put("minimum", isWhole() ? (Object) (long) least : (Object) least);
            }
            if (Double.isFinite(most)) {
                schema.put("maximum", isWhole() ? (Object) (long) most : (Object) most);
            }
            return schemas.orPlaceholder(schema);
        } else if (type == Initialiser.class) {
            schema.put("type", "string");
            schema.put("pattern", "^\\s*(" + String.join("|", Initialiser.names()) + ")\\s*(\\([^()]*\\))?\\s*$");
            return schemas.orPlaceholder(schema);
        } else {
            schema.put("type", List.of("string", "number", "boolean"));
        }
        return schema;
    }
}
