package hocket.workbench.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.schedulers.Command;
import hocket.schedulers.Event;
import hocket.schedulers.Steering;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Commands as JSON objects: {@code {"command": "set", "setting": "d/rate", "value": 1e-4}}. What comes from outside is read
 * strictly: no other keys, no key twice, no deep nesting, nothing that is no number.
 */
public final class CommandLines {
    private static final Map<String, Set<String>> KEYS = Map.of(
            "pause", Set.of(),
            "resume", Set.of(),
            "step", Set.of("unit"),
            "save", Set.of(),
            "stop", Set.of(),
            "start", Set.of(),
            "set", Set.of("setting", "value"),
            "plan", Set.of("plan"),
            "fork", Set.of("into", "checkpoint", "name", "start"));

    private CommandLines() {}

    /**
     * What came from outside.
     *
     * @param id told apart from all others by who sends it; empty without
     * @param checkpoint that a fork begins at; empty for where the run is
     * @param name of a fork; empty where one is found for it
     * @param start whether a fork is to be trained at once
     */
    public record Asked(String id, Command command, OptionalLong checkpoint, String name, boolean start) {}

    /**
     * Reads a command.
     *
     * @throws IllegalArgumentException if it is none, saying why
     */
    public static Asked read(String text) {
        JsonNode node = StrictJson.object(text, "a command", "{\"command\": \"pause\"}");
        requireAskable(node);
        Command command = command(node, Set.of("id"));
        JsonNode checkpoint = node.path("checkpoint");
        boolean isGiven = !checkpoint.isMissingNode() && !checkpoint.isNull();
        if (isGiven && (!checkpoint.isIntegralNumber() || !checkpoint.canConvertToLong() || checkpoint.asLong() < 0)) {
            throw new IllegalArgumentException(
                    "checkpoint: must be a turn's number, was " + StrictJson.shown(checkpoint));
        }
        return new Asked(
                StrictJson.optional(node, "id"),
                command,
                isGiven ? OptionalLong.of(checkpoint.asLong()) : OptionalLong.empty(),
                StrictJson.optional(node, "name"),
                StrictJson.truth(node, "start"));
    }

    /** Refuses what stands in journals only. */
    private static void requireAskable(JsonNode node) {
        JsonNode name = node.path("command");
        if (name.asText().equals("start") || node.has("into")) {
            throw new IllegalArgumentException(
                    node.has("into")
                            ? "into: is for journals; a fork is given a name"
                            : "command: was \"start\", which is"
                                    + " for journals; resume goes on after a pause, hocket run --resume after a stop");
        }
    }

    private static Command command(JsonNode node, Set<String> alsoAllowed) {
        String name = StrictJson.text(node, "command");
        Set<String> keys = KEYS.get(name);
        if (keys == null) {
            throw new IllegalArgumentException("command: must be one of " + new TreeSet<>(KEYS.keySet()) + ", was "
                    + StrictJson.shown(node.path("command")));
        }
        node.fieldNames().forEachRemaining(key -> {
            if (!key.equals("command") && !keys.contains(key) && !alsoAllowed.contains(key)) {
                throw new IllegalArgumentException("command " + name + " has no key " + StrictJson.cut(key)
                        + (keys.isEmpty() ? "" : "; it has " + new TreeSet<>(keys)));
            }
        });
        return switch (name) {
            case "pause" -> new Command.Pause();
            case "resume" -> new Command.Resume();
            case "step" -> new Command.Step(unit(node));
            case "save" -> new Command.Save();
            case "stop" -> new Command.Stop();
            case "start" -> new Command.Start();
            case "set" ->
                new Command.Change(
                        StrictJson.text(node, "setting").replace('.', '/'), StrictJson.number(node, "value"));
            case "plan" -> new Command.Replan(plan(node));
            default -> new Command.Fork(node.path("into").asText(""));
        };
    }

    private static Command.Unit unit(JsonNode node) {
        return switch (StrictJson.text(node, "unit")) {
            case "turn" -> Command.Unit.TURN;
            case "round" -> Command.Unit.ROUND;
            default ->
                throw new IllegalArgumentException(
                        "unit: must be turn or round, was " + StrictJson.shown(node.path("unit")));
        };
    }

    private static String plan(JsonNode node) {
        JsonNode plan = node.path("plan");
        if (plan.isMissingNode() || plan.isNull()) {
            throw new IllegalArgumentException("plan: is missing");
        }
        return plan.isTextual() ? plan.textValue() : plan.toString();
    }

    /**
     * A command that was applied, as an object of a journal.
     *
     * @param seconds when, since 1970
     */
    public static String line(Steering.Applied applied, double seconds) {
        ObjectNode node = StrictJson.MAPPER.createObjectNode();
        node.put("number", applied.number());
        node.put("step", applied.at().step());
        node.put("round", applied.at().round());
        node.put("epoch", applied.at().epoch());
        put(node, applied.command());
        node.put("by", applied.by());
        node.put("time", seconds);
        return node.toString();
    }

    /** When a line of a journal was written, in seconds since 1970; 0 where it does not say. */
    public static double time(String line) {
        try {
            return StrictJson.MAPPER.readTree(line).path("time").asDouble(0);
        } catch (JsonProcessingException e) {
            return 0;
        }
    }

    /** What a command is called: {@code set}. */
    public static String name(Command command) {
        ObjectNode node = StrictJson.MAPPER.createObjectNode();
        put(node, command);
        return node.path("command").textValue();
    }

    /** A command in words: {@code set d/rate 1.0E-4}. */
    public static String words(Command command) {
        ObjectNode node = StrictJson.MAPPER.createObjectNode();
        put(node, command);
        StringBuilder words = new StringBuilder();
        node.forEach(value ->
                words.append(words.isEmpty() ? "" : " ").append(value.isTextual() ? value.textValue() : value));
        return words.toString();
    }

    /** As a request. */
    public static String request(Command command, String id) {
        ObjectNode node = StrictJson.MAPPER.createObjectNode();
        node.put("id", id);
        put(node, command);
        if (command instanceof Command.Fork fork) {
            node.remove("into");
            node.put("name", fork.into());
        }
        return node.toString();
    }

    /** What an answer says: its message, or that of its error. */
    public static String message(String answer) {
        try {
            JsonNode node = StrictJson.MAPPER.readTree(answer);
            JsonNode message = node.path("error").path("message");
            return (message.isTextual() ? message : node.path("message")).asText(answer);
        } catch (JsonProcessingException e) {
            return answer;
        }
    }

    private static void put(ObjectNode node, Command command) {
        if (command instanceof Command.Pause) {
            node.put("command", "pause");
        } else if (command instanceof Command.Resume) {
            node.put("command", "resume");
        } else if (command instanceof Command.Step step) {
            node.put("command", "step").put("unit", step.unit() == Command.Unit.TURN ? "turn" : "round");
        } else if (command instanceof Command.Save) {
            node.put("command", "save");
        } else if (command instanceof Command.Stop) {
            node.put("command", "stop");
        } else if (command instanceof Command.Start) {
            node.put("command", "start");
        } else if (command instanceof Command.Change change) {
            node.put("command", "set").put("setting", change.setting()).put("value", change.value());
        } else if (command instanceof Command.Replan replan) {
            node.put("command", "plan").put("plan", replan.plan());
        } else if (command instanceof Command.Fork fork) {
            node.put("command", "fork").put("into", fork.into());
        }
    }

    /**
     * Takes back what {@link #line} wrote.
     *
     * @throws IllegalArgumentException if it is no such line, saying why
     */
    public static Steering.Applied applied(String line) {
        JsonNode node = StrictJson.object(line, "a command", "{\"command\": \"pause\"}");
        Event.Position at = new Event.Position(
                (long) StrictJson.number(node, "step"),
                (long) StrictJson.number(node, "round"),
                StrictJson.number(node, "epoch"));
        return new Steering.Applied(
                (long) StrictJson.number(node, "number"),
                at,
                command(node, Set.of("number", "step", "round", "epoch", "by", "time")),
                StrictJson.text(node, "by"));
    }
}
