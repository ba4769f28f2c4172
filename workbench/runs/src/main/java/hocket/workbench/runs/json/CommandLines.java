package hocket.workbench.runs.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.schedulers.Event;
import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.CommandForm;
import hocket.schedulers.commands.CommandForm.Argument;
import hocket.schedulers.commands.Steering;
import hocket.workbench.files.json.StrictJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Commands as JSON objects: {@code {"command": "set", "setting": "d/rate", "value": 1e-4}}. Input from outside is read
 * strictly: no unknown keys, no key twice, no deep nesting, only finite numbers.
 */
public final class CommandLines {
    private static final Set<String> OF_REQUESTS = Set.of("id");
    private static final Set<String> OF_JOURNALS = Set.of("number", "step", "round", "epoch", "by", "time");

    private CommandLines() {}

    /**
     * A command from outside.
     *
     * @param id unique identifier chosen by the client; empty if there is none
     */
    public record Asked(String id, Command command) {}

    /**
     * Reads a command.
     *
     * @throws IllegalArgumentException if it is not a command, saying why
     */
    public static Asked read(String text) {
        JsonNode node = object(text);
        requireAskable(node);
        CommandForm form = form(node);
        requireKeys(node, form, OF_REQUESTS);
        Command command = form.make(each -> each.isAsked() ? value(node, each) : each.missing());
        return new Asked(StrictJson.optional(node, "id"), command);
    }

    private static JsonNode object(String text) {
        return StrictJson.object(text, "a command", "{\"command\": \"pause\"}");
    }

    /** Rejects commands that occur in journals only. */
    private static void requireAskable(JsonNode node) {
        String name = node.path("command").asText();
        for (CommandForm form : CommandForm.all()) {
            for (Argument argument : form.arguments()) {
                if (!argument.isAsked() && node.has(argument.name())) {
                    throw new IllegalArgumentException(argument.name() + ": is for journals; "
                            + argument.says().onlyJournalled());
                }
            }
            if (!form.isAsked() && form.name().equals(name)) {
                throw new IllegalArgumentException(
                        "command: was \"" + name + "\", which is for journals; " + form.onlyJournalled());
            }
        }
    }

    private static CommandForm form(JsonNode node) {
        String name = StrictJson.text(node, "command");
        return CommandForm.all().stream()
                .filter(form -> form.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("command: must be one of "
                        + new TreeSet<>(CommandForm.all().stream()
                                .map(CommandForm::name)
                                .toList()) + ", was "
                        + StrictJson.shown(node.path("command"))));
    }

    private static void requireKeys(JsonNode node, CommandForm form, Set<String> alsoAllowed) {
        Set<String> keys = form.arguments().stream().map(Argument::name).collect(Collectors.toCollection(TreeSet::new));
        node.fieldNames().forEachRemaining(key -> {
            if (!key.equals("command") && !keys.contains(key) && !alsoAllowed.contains(key)) {
                throw new IllegalArgumentException("command " + form.name() + " has no key " + StrictJson.cut(key)
                        + (keys.isEmpty() ? "" : "; it has " + keys));
            }
        });
    }

    private static Object value(JsonNode node, Argument argument) {
        String key = argument.name();
        JsonNode value = node.path(key);
        if (argument.says().optional() && (value.isMissingNode() || value.isNull())) {
            return argument.missing();
        } else if (argument.type() == OptionalLong.class) {
            if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 0) {
                throw new IllegalArgumentException(key + ": must be a turn's number, was " + StrictJson.shown(value));
            }
            return OptionalLong.of(value.asLong());
        } else if (argument.type() == boolean.class) {
            return StrictJson.truth(node, key);
        } else if (argument.type() == double.class) {
            return StrictJson.number(node, key);
        } else if (argument.type().isEnum()) {
            return constant(node, argument);
        }
        return argument.says().anyValue() ? anyValue(value, key) : StrictJson.text(node, key);
    }

    private static Object constant(JsonNode node, Argument argument) {
        List<String> words = argument.words();
        int at = words.indexOf(StrictJson.text(node, argument.name()));
        if (at < 0) {
            throw new IllegalArgumentException(argument.name() + ": must be " + String.join(" or ", words) + ", was "
                    + StrictJson.shown(node.path(argument.name())));
        }
        return argument.type().getEnumConstants()[at];
    }

    private static String anyValue(JsonNode value, String key) {
        if (value.isMissingNode() || value.isNull()) {
            throw new IllegalArgumentException(key + ": is missing");
        }
        String text = value.isTextual() ? value.textValue() : value.toString();
        if (text.length() > StrictJson.LONGEST_TEXT) { // a journal is read with this limit
            throw new IllegalArgumentException(
                    key + ": must be at most " + StrictJson.LONGEST_TEXT + " characters long, was " + text.length());
        }
        return text;
    }

    /**
     * Returns an applied command as an object of a journal.
     *
     * @param seconds its time, since 1970
     */
    public static String line(Steering.Applied applied, double seconds) {
        ObjectNode node = StrictJson.MAPPER.createObjectNode();
        node.put("number", applied.number());
        node.put("step", applied.at().step());
        node.put("round", applied.at().round());
        node.put("epoch", applied.at().epoch());
        put(node, applied.command(), Argument::isJournalled);
        node.put("by", applied.by());
        node.put("time", seconds);
        return node.toString();
    }

    /** Returns when a line of a journal was written, in seconds since 1970; 0 if it has no time. */
    public static double time(String line) {
        try {
            return StrictJson.MAPPER.readTree(line).path("time").asDouble(0);
        } catch (JsonProcessingException e) {
            return 0;
        }
    }

    /** Returns a command in words: {@code set d/rate 1.0E-4}. */
    public static String words(Command command) {
        ObjectNode node = StrictJson.MAPPER.createObjectNode();
        put(node, command, Argument::isJournalled);
        StringBuilder words = new StringBuilder();
        node.forEach(value ->
                words.append(words.isEmpty() ? "" : " ").append(value.isTextual() ? value.textValue() : value));
        return words.toString();
    }

    /** Returns the command as a request. */
    public static String request(Command command, String id) {
        ObjectNode node = StrictJson.MAPPER.createObjectNode();
        node.put("id", id);
        put(node, command, Argument::isAsked);
        return node.toString();
    }

    /** Returns an answer's message, or that of its error. */
    public static String message(String answer) {
        try {
            JsonNode node = StrictJson.MAPPER.readTree(answer);
            JsonNode message = node.path("error").path("message");
            return (message.isTextual() ? message : node.path("message")).asText(answer);
        } catch (JsonProcessingException e) {
            return answer;
        }
    }

    private static void put(ObjectNode node, Command command, Predicate<Argument> which) {
        CommandForm form = CommandForm.of(command);
        node.put("command", form.name());
        for (Argument argument : form.arguments()) {
            if (which.test(argument)) {
                put(node, argument.name(), argument.of(command));
            }
        }
    }

    /** Returns the arguments of a command in journals, by name; null for those of other commands. */
    public static Map<String, @Nullable Object> journalled(Command command) {
        Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
        for (CommandForm form : CommandForm.all()) {
            boolean isOf = form.equals(CommandForm.of(command));
            for (Argument each : form.arguments()) {
                if (each.isJournalled() && (isOf || !arguments.containsKey(each.name()))) {
                    Object value = isOf ? each.of(command) : null;
                    arguments.put(each.name(), value instanceof Enum ? Argument.word(value) : value);
                }
            }
        }
        return arguments;
    }

    private static void put(ObjectNode node, String key, Object value) {
        if (value instanceof Double number) {
            node.put(key, number);
        } else if (value instanceof Boolean truth) {
            node.put(key, truth);
        } else if (value instanceof OptionalLong whole) {
            whole.ifPresent(given -> node.put(key, given));
        } else {
            node.put(key, value instanceof Enum ? Argument.word(value) : value.toString());
        }
    }

    /**
     * Reads a line that {@link #line} wrote.
     *
     * @throws IllegalArgumentException if it is not such a line, saying why
     */
    public static Steering.Applied applied(String line) {
        JsonNode node = object(line);
        CommandForm form = form(node);
        requireKeys(node, form, OF_JOURNALS);
        Event.Position at = new Event.Position(
                (long) StrictJson.number(node, "step"),
                (long) StrictJson.number(node, "round"),
                StrictJson.number(node, "epoch"));
        return new Steering.Applied(
                (long) StrictJson.number(node, "number"),
                at,
                form.make(each -> each.isJournalled() ? value(node, each) : each.missing()),
                StrictJson.text(node, "by"));
    }
}
