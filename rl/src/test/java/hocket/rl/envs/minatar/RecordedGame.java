package hocket.rl.envs.minatar;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.Golden;
import hocket.rl.envs.Environments;
import hocket.schedulers.state.State;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The recording of one game of MinAtar, with its states and observations as Hocket has them. */
record RecordedGame(String name, JsonNode golden, List<String> fields) {
    private static final List<String> FILES = List.of("Asterix", "Breakout", "Freeway", "Seaquest", "SpaceInvaders");

    /** Hocket's names of the package's whole numbers and flags; other fields need more than another name. */
    private static final Map<String, Map<String, String>> NAMES = Map.of(
            "Asterix",
            Map.of(
                    "player_x", "playerX",
                    "player_y", "playerY",
                    "spawn_speed", "spawnInterval",
                    "spawn_timer", "spawnTimer",
                    "move_speed", "moveInterval",
                    "move_timer", "moveTimer",
                    "ramp_timer", "rampTimer",
                    "ramp_index", "ramps"),
            "Breakout",
            Map.of(
                    "ball_x", "x",
                    "ball_y", "y",
                    "pos", "paddle",
                    "strike", "hasStruck",
                    "last_x", "trailX",
                    "last_y", "trailY"),
            "Freeway",
            Map.of("pos", "chicken", "move_timer", "moveTimer"),
            "Seaquest",
            Map.ofEntries(
                    Map.entry("oxygen", "oxygen"),
                    Map.entry("diver_count", "aboard"),
                    Map.entry("sub_x", "x"),
                    Map.entry("sub_y", "y"),
                    Map.entry("sub_or", "right"),
                    Map.entry("d_spawn_timer", "diverTimer"),
                    Map.entry("shot_timer", "reload"),
                    Map.entry("surface", "isSurfaced")),
            "SpaceInvaders",
            Map.of(
                    "pos", "cannon",
                    "alien_dir", "direction",
                    "enemy_move_interval", "moveInterval",
                    "alien_move_timer", "moveTimer",
                    "alien_shot_timer", "alienReload",
                    "shot_timer", "reload"));

    static List<RecordedGame> all() {
        return FILES.stream().map(RecordedGame::of).toList();
    }

    private static RecordedGame of(String name) {
        String file = name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
        JsonNode golden = Golden.read("env/minatar-" + file + ".json");
        List<String> fields = new ArrayList<>();
        golden.get("state_fields").forEach(field -> fields.add(field.asText()));
        return new RecordedGame(name, golden, fields);
    }

    /** The game with all actions. */
    MinAtarGame made(double stickyProbability, boolean ramping) {
        boolean hasRamps = golden.get("difficulty_ramping_has_effect").asBoolean();
        return (MinAtarGame) Environments.make(
                "MinAtar/" + name + "-v0",
                hasRamps
                        ? Map.of("sticky_action_prob", stickyProbability, "difficulty_ramping", ramping)
                        : Map.of("sticky_action_prob", stickyProbability));
    }

    private JsonNode field(JsonNode state, String field) {
        return state.get(fields.indexOf(field));
    }

    boolean isTerminal(JsonNode state) {
        return field(state, "terminal").asBoolean();
    }

    /** The state as {@link MinAtarGame#saveGame} saves it. */
    State state(JsonNode recorded) {
        State[] state = {State.empty()};
        Objects.requireNonNull(NAMES.get(name))
                .forEach((field, own) -> state[0] = state[0].with(own, whole(field(recorded, field))));
        return switch (name) {
            case "Asterix" -> asterix(state[0], field(recorded, "entities"));
            case "Breakout" -> {
                int direction = field(recorded, "ball_dir").asInt();
                yield state[0].with("right", direction == 1 || direction == 2 ? 1 : 0)
                        .with("down", direction >= 2 ? 1 : 0)
                        .with("bricks", MinAtarGame.tensor(rows(field(recorded, "brick_map"))));
            }
            case "Freeway" -> {
                JsonNode cars = field(recorded, "cars");
                yield state[0].with(
                                "stepsLeft", field(recorded, "terminate_timer").asInt() + 1)
                        .with("xs", MinAtarGame.tensor(column(cars, 0)))
                        .with("timers", MinAtarGame.tensor(column(cars, 2)))
                        .with("waits", MinAtarGame.tensor(column(cars, 3)));
            }
            case "Seaquest" ->
                state[0].with("shots", swimmers(recorded, "f_bullets"))
                        .with("divers", swimmers(recorded, "divers"))
                        .with("enemies", enemies(recorded));
            default ->
                state[0].with("shots", MinAtarGame.tensor(rows(field(recorded, "f_bullet_map"))))
                        .with("bombs", MinAtarGame.tensor(rows(field(recorded, "e_bullet_map"))))
                        .with("aliens", MinAtarGame.tensor(rows(field(recorded, "alien_map"))));
        };
    }

    private static State asterix(State state, JsonNode entities) {
        int[] kinds = new int[entities.size()];
        int[] xs = new int[kinds.length];
        int[] directions = new int[kinds.length];
        for (int lane = 0; lane < kinds.length; lane++) {
            JsonNode entity = entities.get(lane);
            if (!entity.isNull()) {
                kinds[lane] = entity.get(3).asBoolean() ? 3 : 1;
                xs[lane] = entity.get(0).asInt();
                directions[lane] = entity.get(2).asBoolean() ? 1 : -1;
            }
        }
        return state.with("kinds", MinAtarGame.tensor(kinds))
                .with("xs", MinAtarGame.tensor(xs))
                .with("directions", MinAtarGame.tensor(directions));
    }

    private static int whole(JsonNode number) {
        return number.isBoolean() ? number.asBoolean() ? 1 : 0 : number.asInt();
    }

    private static int[] rows(JsonNode cells) {
        int[] rows = new int[10];
        cells.forEach(cell -> rows[cell.asInt() / 10] |= 1 << cell.asInt() % 10);
        return rows;
    }

    private static int[] column(JsonNode table, int column) {
        int[] numbers = new int[table.size()];
        Arrays.setAll(numbers, i -> table.get(i).get(column).asInt());
        return numbers;
    }

    private State enemies(JsonNode recorded) {
        return State.empty()
                .with("bullets", swimmers(recorded, "e_bullets"))
                .with("fish", swimmers(recorded, "e_fish"))
                .with("submarines", swimmers(recorded, "e_subs"))
                .with("spawnInterval", whole(field(recorded, "e_spawn_speed")))
                .with("spawnTimer", whole(field(recorded, "e_spawn_timer")))
                .with("moveInterval", whole(field(recorded, "move_speed")))
                .with("ramps", whole(field(recorded, "ramp_index")));
    }

    private Tensor swimmers(JsonNode recorded, String field) {
        JsonNode list = field(recorded, field);
        int[] numbers = new int[1 + 5 * list.size()];
        numbers[0] = list.size();
        for (int i = 0; i < list.size(); i++) {
            for (int j = 0; j < list.get(i).size(); j++) {
                numbers[1 + 5 * i + j] = whole(list.get(i).get(j));
            }
        }
        return MinAtarGame.tensor(numbers);
    }

    private int channels() {
        return golden.get("channels").size();
    }

    /** A recorded observation, channel first. */
    float[] observation(String recorded) {
        byte[] bytes = Base64.getDecoder().decode(recorded);
        float[] observation = new float[100 * channels()];
        for (int i = 0; i < observation.length; i++) {
            int cell = i % 100;
            int bit = cell * channels() + i / 100;
            observation[i] = bytes[bit / 8] >> 7 - bit % 8 & 1;
        }
        return observation;
    }

    /** The bytes of an observation as they are recorded. */
    byte[] bytes(float[] observation) {
        byte[] bytes = new byte[(observation.length + 7) / 8];
        for (int i = 0; i < observation.length; i++) {
            int bit = i % 100 * channels() + i / 100;
            bytes[bit / 8] |= (byte) ((int) observation[i] << 7 - bit % 8);
        }
        return bytes;
    }
}
