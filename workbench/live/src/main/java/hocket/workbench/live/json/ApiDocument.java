package hocket.workbench.live.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.schedulers.commands.CommandForm;
import hocket.schedulers.commands.CommandForm.Argument;
import hocket.workbench.files.json.StrictJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAPI document, with which a server routes requests and checks their parameters. The schemas of commands are not
 * part of it: they follow from their {@link CommandForm}s.
 */
public final class ApiDocument {
    private static final int LONGEST_TEXT = 20_000;
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[a-z]+}");

    private final ObjectNode document;
    private final List<Operation> operations;

    private ApiDocument(ObjectNode document) {
        this.document = document;
        addCommands();
        addEntry();
        List<Operation> found = new ArrayList<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> found.add(operation(path.getKey(), method.getKey(), method.getValue()))));
        operations = List.copyOf(found);
    }

    /**
     * Reads a document.
     *
     * @throws IllegalArgumentException if it is not JSON
     */
    public static ApiDocument of(String text) {
        try {
            return new ApiDocument((ObjectNode) StrictJson.MAPPER.readTree(text));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this is not a document: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * A method of a path.
     *
     * @param id its name in code
     * @param method such as {@code GET}
     * @param path with its parameters in braces
     * @param requests matches the paths of its requests
     * @param isOpen whether it needs no token, and accepts any query
     * @param query its query's parameters by name
     * @param bodies media types of its body; none without a body
     * @param needsBody whether a request without a body is rejected
     */
    public record Operation(
            String id,
            String method,
            String path,
            Pattern requests,
            boolean isOpen,
            Map<String, QueryParameter> query,
            Set<String> bodies,
            boolean needsBody) {}

    /**
     * A parameter of a query.
     *
     * @param least the smallest number
     * @param most the largest number
     * @param usually its default; null if there is none
     * @param words the allowed values; none if any other is allowed
     * @param mostItems how often it may be given
     */
    public record QueryParameter(
            double least, double most, @Nullable Double usually, List<String> words, int mostItems) {}

    public List<Operation> operations() {
        return operations;
    }

    /** Returns the complete document. */
    public String text() {
        return document.toPrettyString();
    }

    private static Operation operation(String path, String method, JsonNode node) {
        String requests = path;
        Map<String, QueryParameter> query = new LinkedHashMap<>();
        for (JsonNode each : node.path("parameters")) {
            JsonNode schema = each.path("schema");
            if (each.path("in").asText().equals("query")) {
                query.put(each.path("name").asText(), parameter(schema));
            } else if (schema.has("pattern")) {
                String plain = schema.path("pattern").asText().replaceAll("^\\^|\\$$", "");
                requests = requests.replace("{" + each.path("name").asText() + "}", "(" + plain + ")");
            }
        }
        Set<String> bodies = new LinkedHashSet<>();
        node.at("/requestBody/content").fieldNames().forEachRemaining(bodies::add);
        return new Operation(
                node.path("operationId").asText(),
                method.toUpperCase(Locale.ROOT),
                path,
                Pattern.compile(PLACEHOLDER.matcher(requests).replaceAll("[^/]+")),
                node.has("security") && node.path("security").isEmpty(),
                query,
                bodies,
                node.at("/requestBody/required").asBoolean());
    }

    private static QueryParameter parameter(JsonNode schema) {
        List<String> words = new ArrayList<>();
        schema.path("enum").forEach(word -> words.add(word.asText()));
        return new QueryParameter(
                schema.path("minimum").asDouble(Double.NEGATIVE_INFINITY),
                schema.path("maximum").asDouble(Double.POSITIVE_INFINITY),
                schema.has("default") ? schema.path("default").asDouble() : null,
                words,
                schema.path("maxItems").asInt(1));
    }

    private ObjectNode schemas() {
        return document.withObject("/components/schemas");
    }

    /** Returns schemas of the commands of the API, each as an object. */
    private void addCommands() {
        ArrayNode commands = schemas().withObject("/Command").putArray("oneOf");
        for (CommandForm form : CommandForm.asked()) {
            ObjectNode schema = commands.addObject()
                    .put("title", form.name())
                    .put("description", form.help())
                    .put("x-of-one-process", form.isOfOneProcess())
                    .put("type", "object")
                    .put("additionalProperties", false);
            ArrayNode required = schema.putArray("required").add("id").add("command");
            ObjectNode properties = schema.putObject("properties");
            properties.putObject("id").put("$ref", "#/components/schemas/CommandId");
            properties.putObject("command").put("const", form.name());
            for (Argument argument : form.arguments()) {
                if (argument.isAsked()) {
                    boolean isOptional = argument.says().optional();
                    if (!isOptional) {
                        required.add(argument.name());
                    }
                    properties.set(argument.name(), schema(argument, isOptional));
                }
            }
        }
    }

    /** Returns the schema of a command in a journal: with the arguments of all commands. */
    private void addEntry() {
        ObjectNode entry = schemas().withObject("/Entry");
        ObjectNode properties = entry.withObject("/properties");
        Collection<CommandForm> forms = CommandForm.all();
        ArrayNode names = properties.putObject("command").put("type", "string").putArray("enum");
        for (CommandForm form : forms) {
            names.add(form.name());
            form.arguments().stream().filter(Argument::isJournalled).forEach(argument -> {
                entry.withArray("/required").add(argument.name());
                properties.set(argument.name(), schema(argument, true));
            });
        }
    }

    private static ObjectNode schema(Argument argument, boolean orNull) {
        ObjectNode schema = StrictJson.MAPPER.createObjectNode();
        schema.put("description", argument.says().value());
        ArrayNode any = schema.putArray("anyOf");
        ObjectNode first = any.addObject();
        if (argument.type() == double.class) {
            first.put("type", "number").put("minimum", -Double.MAX_VALUE).put("maximum", Double.MAX_VALUE);
        } else if (argument.type() == boolean.class) {
            first.put("type", "boolean");
        } else if (argument.type() == OptionalLong.class) {
            first.put("type", "integer")
                    .put("format", "int64")
                    .put("minimum", 0)
                    .put("maximum", Long.MAX_VALUE);
        } else if (argument.type().isEnum()) {
            ArrayNode words = first.put("type", "string").putArray("enum");
            argument.words().forEach(words::add);
        } else {
            first.put("type", "string").put("maxLength", LONGEST_TEXT);
            if (!argument.says().pattern().isEmpty()) {
                first.put("pattern", argument.says().pattern());
            }
            if (argument.says().anyValue()) {
                any.addObject().put("type", "object");
                any.addObject().put("type", "array");
            }
        }
        if (orNull) {
            any.addObject().put("type", "null");
        }
        return schema;
    }
}
