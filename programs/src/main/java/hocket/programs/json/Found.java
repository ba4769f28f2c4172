package hocket.programs.json;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.scopes.Path;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * A part of a document, and its place, for messages.
 *
 * @param place for example {@code value generator/conv1: operator: conv: kernel}
 */
record Found(String place, JsonNode node) {
    private static final int SHOWN = 60;

    IllegalArgumentException wrong(String rule) {
        String is = node.isMissingNode() ? "nothing" : node.toString();
        return new IllegalArgumentException(
                place + ": must be " + rule + ", was " + (is.length() > SHOWN ? is.substring(0, SHOWN) + "…" : is));
    }

    /** Returns this part under another name. */
    Found called(String other) {
        return new Found(other, node);
    }

    private Found in(String name, JsonNode part) {
        return new Found(place.equals("document") ? name : place + ": " + name, part);
    }

    Found member(String name) {
        if (!node.isObject()) {
            throw wrong("an object");
        }
        JsonNode part = node.get(name);
        if (part == null) {
            throw new IllegalArgumentException(place + ": lacks " + name);
        }
        return in(name, part);
    }

    List<String> names() {
        if (!node.isObject()) {
            throw wrong("an object");
        }
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** @throws IllegalArgumentException if there is a member of another name, naming the nearest */
    void requireOnly(String... known) {
        for (String name : names()) {
            SimilarNames.require(Arrays.asList(known), name, place + ": has nothing called ");
        }
    }

    List<Found> elements() {
        if (!node.isArray()) {
            throw wrong("an array");
        }
        List<Found> elements = new ArrayList<>();
        for (JsonNode element : node) {
            elements.add(in("[" + elements.size() + "]", element));
        }
        return elements;
    }

    boolean is(String text) {
        return node.isTextual() && node.textValue().equals(text);
    }

    String text() {
        if (!node.isTextual()) {
            throw wrong("a text");
        }
        return node.textValue();
    }

    Path path() {
        String text = text();
        return with(() -> Path.of(text));
    }

    int whole() {
        if (!node.isIntegralNumber() || !node.canConvertToInt()) {
            throw wrong("a whole number of at most 2147483647 in size");
        }
        return node.intValue();
    }

    long longWhole() {
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw wrong("a whole number of 64 bits");
        }
        return node.longValue();
    }

    /** A number, or a text for one that JSON lacks. */
    double real() {
        for (double lacked : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            if (is(Double.toString(lacked))) {
                return lacked;
            }
        }
        if (!node.isNumber() || !Double.isFinite(node.doubleValue())) {
            throw wrong("a finite number, \"NaN\", \"Infinity\" or \"-Infinity\"");
        }
        return node.doubleValue();
    }

    boolean truth() {
        if (!node.isBoolean()) {
            throw wrong("true or false");
        }
        return node.booleanValue();
    }

    <E extends Enum<E>> E constant(Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            if (is(constant.name())) {
                return constant;
            }
        }
        throw wrong("one of " + Arrays.toString(type.getEnumConstants()));
    }

    /** Makes an object; its refusals are rethrown with this place. */
    <T> T with(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
        }
    }
}
