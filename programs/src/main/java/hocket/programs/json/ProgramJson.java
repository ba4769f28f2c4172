package hocket.programs.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.ProgramListing;
import hocket.programs.ProgramListing.Line;
import hocket.programs.operators.Operator;
import hocket.scopes.ElementType;
import hocket.scopes.Mapping;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Programs as JSON text and back: all that a program is, without the values of its parameters.
 *
 * <p>The document is an object: {@code hocket_program} the version of this form, {@value #VERSION}; {@code name};
 * {@code mode}; {@code float_type}; {@code values}, one a line, each after its inputs; {@code targets} as paths, the
 * loss first; {@code metrics}, paths by name; {@code mappings}. A value is {@code {"path", "operator": {NAME:
 * {settings}}, "inputs": [paths], "shape": ["batch", 64, 4, 4], "type"}}; shape and type follow from the operator,
 * stand there for people, and are checked. Operators are called as their records, in lower case with underscores, and
 * so are settings; numbers that JSON lacks are texts, {@code "NaN"}, {@code "Infinity"}; a NaN loses its payload.
 */
public final class ProgramJson {
    private static final int VERSION = 1;
    private static final String BATCH = "batch";

    /** Repeated names and text after the end are errors. Depth, and lengths of names and numbers, have limits. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private ProgramJson() {}

    /**
     * The text of a program, which {@link #read} takes back.
     *
     * @throws IllegalArgumentException if two of its values have one path, as those of a compiled program may
     */
    public static String write(Program program) {
        ProgramListing listing = ProgramListing.of(program);
        StringBuilder text = new StringBuilder("{\n");
        member(text, "hocket_program", number(VERSION)).append(",\n");
        member(text, "name", text(listing.name())).append(",\n");
        member(text, "mode", text(listing.mode().name())).append(",\n");
        member(text, "float_type", text(listing.floatType().name())).append(",\n");
        text.append("  \"values\": [");
        for (int i = 0; i < listing.lines().size(); i++) {
            text.append(i == 0 ? "\n    " : ",\n    ")
                    .append(json(value(listing.lines().get(i))));
        }
        text.append("\n  ],\n");
        member(text, "targets", paths(listing.targets())).append(",\n");
        ObjectNode metrics = JsonNodeFactory.instance.objectNode();
        listing.metrics().forEach((name, path) -> metrics.put(name, path.text()));
        member(text, "metrics", metrics).append(",\n");
        ArrayNode mappings = JsonNodeFactory.instance.arrayNode();
        for (Mapping mapping : listing.mappings()) {
            mappings.addObject()
                    .put("from", mapping.from().text())
                    .put("to", mapping.to().text());
        }
        member(text, "mappings", mappings).append("\n}\n");
        return text.toString();
    }

    private static StringBuilder member(StringBuilder text, String name, JsonNode value) {
        return text.append("  \"").append(name).append("\": ").append(json(value));
    }

    private static JsonNode number(int number) {
        return JsonNodeFactory.instance.numberNode(number);
    }

    private static JsonNode text(String text) {
        return JsonNodeFactory.instance.textNode(text);
    }

    private static ArrayNode paths(List<Path> paths) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        paths.forEach(path -> array.add(path.text()));
        return array;
    }

    private static String json(JsonNode node) {
        try {
            return MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree is always representable", e);
        }
    }

    private static ObjectNode value(Line line) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("path", line.path().text());
        node.set("operator", OperatorSettings.written(line.operator(), Operator.class));
        node.set("inputs", paths(line.inputs()));
        ArrayNode shape = node.putArray("shape");
        if (line.batched()) {
            shape.add(BATCH);
        }
        for (int extent : line.shape().extents()) {
            shape.add(extent);
        }
        node.put("type", line.type().name());
        return node;
    }

    /**
     * Reads a program into a new graph, in which each value is found by its path. It prints as the one that was
     * written, reads the same parameters and feeds, and computes the same; {@link #write} gives the text again.
     *
     * @throws IllegalArgumentException if the text is not JSON, naming line and column, or no program, naming the value
     *     or the place in the document, the rule, and the text there
     */
    public static Program read(String text) {
        JsonNode root;
        try {
            root = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation(); // null where the text nests too deeply
            throw new IllegalArgumentException(
                    "a program as JSON: "
                            + (at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ")
                            + e.getOriginalMessage(),
                    e);
        }
        try {
            return listing(new Found("document", root)).program();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a program as JSON: " + e.getMessage(), e);
        }
    }

    private static ProgramListing listing(Found document) {
        int version = document.member("hocket_program").whole();
        if (version != VERSION) {
            throw document.member("hocket_program").wrong("version " + VERSION + " of this form");
        }
        document.requireOnly(
                "hocket_program", "name", "mode", "float_type", "values", "targets", "metrics", "mappings");
        List<Line> lines = new ArrayList<>();
        for (Found value : document.member("values").elements()) {
            lines.add(line(value));
        }
        SortedMap<String, Path> metrics = new TreeMap<>();
        Found named = document.member("metrics");
        named.names().forEach(name -> metrics.put(name, named.member(name).path()));
        List<Mapping> mappings = new ArrayList<>();
        for (Found mapping : document.member("mappings").elements()) {
            mapping.requireOnly("from", "to");
            Path from = mapping.member("from").path();
            Path to = mapping.member("to").path();
            mappings.add(mapping.with(() -> new Mapping(from, to)));
        }
        return new ProgramListing(
                document.member("name").text(),
                document.member("mode").constant(Mode.class),
                document.member("float_type").constant(ElementType.class),
                lines,
                document.member("targets").elements().stream().map(Found::path).toList(),
                metrics,
                mappings);
    }

    private static Line line(Found anonymous) {
        Path path = anonymous.member("path").path();
        Found value = anonymous.called("value " + path);
        value.requireOnly("path", "operator", "inputs", "shape", "type");
        Operator operator = OperatorSettings.read(value.member("operator"), Operator.class);
        List<Path> inputs =
                value.member("inputs").elements().stream().map(Found::path).toList();
        Found shape = value.member("shape");
        List<Found> extents = shape.elements();
        boolean batched = !extents.isEmpty() && extents.get(0).is(BATCH);
        int[] row = extents.subList(batched ? 1 : 0, extents.size()).stream()
                .mapToInt(Found::whole)
                .toArray();
        return new Line(
                path,
                operator,
                inputs,
                shape.with(() -> Shape.of(row)),
                batched,
                value.member("type").constant(ElementType.class));
    }
}
