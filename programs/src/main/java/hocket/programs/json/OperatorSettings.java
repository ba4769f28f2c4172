package hocket.programs.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Operator;
import hocket.scopes.ElementType;
import hocket.scopes.FormerClasses;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import hocket.scopes.Tensor;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Settings as JSON, by the components of their records: a record is an object, one of several that an interface permits an
 * object of one member, its name: {@code {"leaky_relu": {"slope": 0.2}}}. A composed operator is known by its class: {@code
 * {"my.package.Swish": {"slope": 1.5}}}. New operators and settings need nothing here.
 */
final class OperatorSettings {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private OperatorSettings() {}

    /** {@code output_pad} for {@code outputPad}, {@code leaky_relu} for {@code LeakyRelu}. */
    static String name(String java) {
        StringBuilder name = new StringBuilder(); // by hand: texts of programs are full of names
        for (int i = 0; i < java.length(); i++) {
            if (i > 0 && Character.isUpperCase(java.charAt(i)) && !Character.isUpperCase(java.charAt(i - 1))) {
                name.append('_');
            }
            name.append(Character.toLowerCase(java.charAt(i)));
        }
        return name.toString();
    }

    private static String name(Object value) {
        return value instanceof Composed
                ? value.getClass().getName()
                : name(value.getClass().getSimpleName());
    }

    static JsonNode written(Object value, Class<?> declared) {
        if (declared.isSealed()) {
            ObjectNode one = JSON.objectNode();
            one.set(name(value), record((Record) value));
            return one;
        } else if (value instanceof Record && !(value instanceof Path)) {
            return record((Record) value);
        } else if (value instanceof Integer number) {
            return JSON.numberNode(number);
        } else if (value instanceof Long number) {
            return JSON.numberNode(number);
        } else if (value instanceof Double number) {
            return real(number);
        } else if (value instanceof Float number) {
            return real(digits(number));
        } else if (value instanceof String text) {
            return JSON.textNode(text);
        } else if (value instanceof Boolean truth) {
            return JSON.booleanNode(truth);
        } else if (value instanceof Enum<?> constant) {
            return JSON.textNode(constant.name());
        } else if (value instanceof Path path) {
            return JSON.textNode(path.text());
        } else if (value instanceof Shape shape) {
            return list(Arrays.stream(shape.extents()).boxed().toList(), int.class);
        } else if (value instanceof Tensor tensor) {
            return tensor(tensor);
        }
        throw new IllegalArgumentException("a setting of " + value.getClass() + " has no form in JSON: take a number, a"
                + " boolean, a string, an enum, a shape, a tensor or a record of these");
    }

    private static ObjectNode record(Record value) {
        ObjectNode node = JSON.objectNode();
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            try {
                component.getAccessor().setAccessible(true); // of a record that only its package knows
                Object part = component.getAccessor().invoke(value);
                node.set(
                        name(component.getName()),
                        part instanceof List<?> list
                                ? list(list, members(component))
                                : written(part, component.getType()));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(component + " of " + value + " cannot be read", e);
            }
        }
        return node;
    }

    private static ArrayNode list(List<?> values, Class<?> declared) {
        ArrayNode array = JSON.arrayNode();
        values.forEach(value -> array.add(written(value, declared)));
        return array;
    }

    /** Returns the type of the members of a list. */
    private static Class<?> members(RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType list
                        && list.getActualTypeArguments()[0] instanceof Class<?> type
                        && type != Integer.class
                ? type
                : int.class;
    }

    private static JsonNode real(double number) {
        return Double.isFinite(number) ? JSON.numberNode(number) : JSON.textNode(Double.toString(number));
    }

    /** A float by its own few digits where they stand for it as a double, too. */
    private static double digits(float number) {
        double few = Double.parseDouble(Float.toString(number));
        return (float) few == number ? few : number;
    }

    private static ObjectNode tensor(Tensor tensor) {
        ObjectNode node = JSON.objectNode();
        node.put("type", tensor.type().name());
        node.set("shape", written(tensor.shape(), Shape.class));
        ArrayNode values = node.putArray("values");
        for (int i = 0; i < tensor.shape().size(); i++) {
            switch (tensor.type()) {
                case INT64 -> values.add(tensor.buffer().getLong(i * Long.BYTES));
                case FLOAT32 -> values.add(real(digits(tensor.buffer().getFloat(i * Float.BYTES))));
                case FLOAT64 -> values.add(real(tensor.get(i)));
            }
        }
        return node;
    }

    /**
     * Reads an operator.
     *
     * @throws IllegalArgumentException naming the place, the rule and the text there
     */
    static <T> T read(Found found, Class<T> declared) {
        return declared.cast(any(found, declared));
    }

    private static Object any(Found found, Class<?> declared) {
        if (declared == Path.class) {
            return found.path();
        } else if (declared.isSealed()) {
            return permitted(found, declared);
        } else if (declared.isRecord()) {
            return record(found, declared);
        } else if (declared == int.class) {
            return found.whole();
        } else if (declared == long.class) {
            return found.longWhole();
        } else if (declared == double.class) {
            return found.real();
        } else if (declared == float.class) {
            return (float) found.real();
        } else if (declared == String.class) {
            return found.text();
        } else if (declared == boolean.class) {
            return found.truth();
        } else if (declared.isEnum()) {
            return found.constant(declared.asSubclass(Enum.class));
        } else if (declared == Shape.class) {
            return shape(found);
        } else if (declared == Tensor.class) {
            return tensor(found);
        }
        throw new IllegalStateException(found.place() + ": " + declared + " has no form in JSON");
    }

    private static Object permitted(Found found, Class<?> declared) {
        List<String> names = found.names();
        if (names.size() != 1) {
            throw found.wrong("an object of one member, its kind");
        }
        List<String> known = new ArrayList<>();
        for (Class<?> type : records(declared)) {
            String name = name(type.getSimpleName());
            known.add(name);
            if (name.equals(names.get(0)) || isFormer(names.get(0), type)) {
                return record(found.member(names.get(0)), type);
            }
        }
        boolean isClass =
                names.get(0).contains(".") || Character.isUpperCase(names.get(0).charAt(0)); // of no package
        if (declared == Operator.class && isClass) {
            return record(found.member(names.get(0)), composed(found, names.get(0)));
        }
        throw new IllegalArgumentException(
                found.place() + ": there is no " + names.get(0) + SimilarNames.among(names.get(0), known));
    }

    /** Returns the records that a sealed interface permits, and those that it permits permit. */
    private static List<Class<?>> records(Class<?> declared) {
        List<Class<?>> records = new ArrayList<>();
        for (Class<?> type : declared.getPermittedSubclasses()) {
            if (type.isSealed()) {
                records.addAll(records(type));
            } else if (type.isRecord()) {
                records.add(type);
            }
        }
        return records;
    }

    /** Returns a composed operator's class, which nothing of is run before it is known to be one. */
    private static Class<?> composed(Found found, String name) {
        try {
            Class<?> type = Class.forName(name, false, Thread.currentThread().getContextClassLoader());
            if (type.isRecord() && Composed.class.isAssignableFrom(type)) {
                return type;
            }
            throw new IllegalArgumentException(
                    found.place() + ": " + name + " is not a record that implements " + Composed.class.getName());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    found.place() + ": there is no class " + name + " on the class path: add the jar of this operator",
                    e);
        }
    }

    private static boolean isFormer(String name, Class<?> type) {
        return FormerClasses.simpleNames(type).stream()
                .map(OperatorSettings::name)
                .anyMatch(name::equals);
    }

    private static Object record(Found found, Class<?> of) {
        RecordComponent[] components = of.getRecordComponents();
        String[] names = Arrays.stream(components)
                .map(component -> name(component.getName()))
                .toArray(String[]::new);
        found.requireOnly(names);
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            Found member = found.member(names[i]);
            Class<?> type = components[i].getType();
            Class<?> members = members(components[i]);
            values[i] = type == List.class
                    ? member.elements().stream().map(one -> any(one, members)).toList()
                    : any(member, type);
        }
        try {
            Constructor<?> constructor = of.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw new IllegalArgumentException(found.place() + ": " + refused.getMessage(), refused);
            }
            throw new IllegalStateException(found.place() + ": " + of + " cannot be made", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(found.place() + ": " + of + " cannot be made", e);
        }
    }

    private static Shape shape(Found found) {
        int[] extents = found.elements().stream().mapToInt(Found::whole).toArray();
        return found.with(() -> Shape.of(extents));
    }

    private static Tensor tensor(Found found) {
        found.requireOnly("type", "shape", "values");
        ElementType type = found.member("type").constant(ElementType.class);
        Shape shape = shape(found.member("shape"));
        List<Found> values = found.member("values").elements();
        if (values.size() != shape.size()) {
            throw new IllegalArgumentException(found.place() + ": shape " + shape + " has " + shape.size()
                    + " elements, there are " + values.size() + " values");
        }
        return switch (type) {
            case INT64 ->
                Tensor.of(shape, values.stream().mapToLong(Found::longWhole).toArray());
            case FLOAT64 ->
                Tensor.of(shape, values.stream().mapToDouble(Found::real).toArray());
            case FLOAT32 -> {
                float[] floats = new float[values.size()];
                for (int i = 0; i < floats.length; i++) {
                    floats[i] = (float) values.get(i).real();
                }
                yield Tensor.of(shape, floats);
            }
        };
    }
}
