package hocket.rl.envs.minatar;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.envs.Environments;
import hocket.rl.envs.RandomPlay;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares MinAtar's games with recordings of the Python package {@code minatar} 1.0.15; all exactly. */
@Tag("golden")
class MinAtarGoldenTest {
    static List<RecordedGame> games() {
        return RecordedGame.all();
    }

    @ParameterizedTest
    @MethodSource("games")
    void aRunFollowsThePackageFromTheSeedAlone(RecordedGame recorded) throws NoSuchAlgorithmException {
        for (JsonNode run : recorded.golden().get("runs")) {
            MinAtarGame game = made(recorded, run);
            boolean isFirst = true;
            for (JsonNode episode : run.get("episodes")) {
                if (isFirst) {
                    game.reset(run.get("seed").asLong());
                } else {
                    game.reset();
                }
                isFirst = false;
                RecordedDraws draws = RecordedDraws.of(episode.get("reset_draws"));
                follow(recorded, game, episode, what(recorded, run), draws, false);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void aRunFollowsThePackageByTheRecordedDraws(RecordedGame recorded) throws NoSuchAlgorithmException {
        for (JsonNode run : recorded.golden().get("runs")) {
            MinAtarGame game = made(recorded, run);
            game.reset(12345);
            giveLastAction(game, 0);
            for (JsonNode episode : run.get("episodes")) {
                RecordedDraws draws = RecordedDraws.of(episode.get("reset_draws"));
                giveDraws(game, draws);
                game.reset();
                follow(recorded, game, episode, what(recorded, run), draws, true);
            }
        }
    }

    /**
     * Plays an episode that has just begun.
     *
     * @param byDraws whether the game gets the recorded draws before each step
     */
    private static void follow(
            RecordedGame recorded,
            MinAtarGame game,
            JsonNode episode,
            String run,
            RecordedDraws resetDraws,
            boolean byDraws)
            throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        assertThat(world(game).whole("lastAction"))
                .as(run)
                .isEqualTo(episode.get("last_action_before").asInt());
        assertState(run + " reset", recorded, game, episode.get("reset_state"));
        assertObserved(run + " reset", recorded, game, episode.get("reset_obs"));
        if (byDraws) {
            assertDrawn(run + " reset", game, resetDraws);
        }
        double total = 0;
        int number = 0;
        for (JsonNode step : episode.get("steps")) {
            number++;
            String what = run + " step " + number;
            RecordedDraws draws = RecordedDraws.of(step.get(4));
            if (byDraws) {
                giveDraws(game, draws);
            }
            game.step(new float[] {step.get(0).asInt()}, 0);
            total += game.reward();
            digest.update(recorded.bytes(RandomPlay.observed(game)));
            assertOutcome(what, recorded, game, step);
            if (byDraws) {
                assertDrawn(what, game, draws);
            }
        }
        assertThat(number).as(run).isEqualTo(episode.get("total_steps").asInt());
        assertThat(total).as(run).isEqualTo(episode.get("total_reward").asInt());
        assertState(run + " end", recorded, game, episode.get("end_state"));
        assertObserved(run + " end", recorded, game, episode.get("end_obs"));
        assertThat(HexFormat.of().formatHex(digest.digest()))
                .as(run)
                .isEqualTo(episode.get("sha256_of_all_obs_bytes").asText());
    }

    @ParameterizedTest
    @MethodSource("games")
    void eachStepIsThePackagesFromTheRecordedStateBeforeIt(RecordedGame recorded) {
        for (JsonNode run : recorded.golden().get("runs")) {
            MinAtarGame game = made(recorded, run);
            game.reset(12345);
            for (JsonNode episode : run.get("episodes")) {
                JsonNode before = episode.get("reset_state");
                int lastAction = episode.get("last_action_before").asInt();
                for (JsonNode step : episode.get("steps")) {
                    JsonNode after = step.get(6);
                    if (before != null && after != null) {
                        String what = what(recorded, run) + " from " + before;
                        RecordedDraws draws = RecordedDraws.of(step.get(4));
                        giveState(game, recorded.state(before));
                        giveLastAction(game, lastAction);
                        giveDraws(game, draws);
                        game.step(new float[] {step.get(0).asInt()}, 0);
                        assertOutcome(what, recorded, game, step);
                        assertDrawn(what, game, draws);
                    }
                    before = after;
                    lastAction = step.get(1).asInt();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void aStepFromAnyStateIsThePackages(RecordedGame recorded) {
        for (JsonNode row : recorded.golden().get("one_step")) {
            MinAtarGame game = recorded.made(0, row.get(0).asBoolean());
            game.reset(12345);
            String what = recorded.name() + " from " + row.get(1) + " by " + row.get(3);
            RecordedDraws draws = new RecordedDraws().rand(0.5).then(RecordedDraws.of(row.get(4)));
            giveState(game, recorded.state(row.get(1)));
            giveDraws(game, draws);
            assertObserved(what + " before", recorded, game, row.get(2));
            game.step(new float[] {row.get(3).asInt()}, 0);
            assertThat(game.reward()).as(what).isEqualTo(row.get(5).asInt());
            assertThat(game.terminated()).as(what).isEqualTo(row.get(6).asBoolean());
            assertState(what, recorded, game, row.get(7));
            assertObserved(what, recorded, game, row.get(8));
            assertDrawn(what, game, draws);
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void aGameHasThePackagesChannelsAndActions(RecordedGame recorded) {
        MinAtarGame all = recorded.made(0, true);
        JsonNode shape = recorded.golden().get("observation_shape");
        assertThat(((Box) all.observations()).shape())
                .isEqualTo(Shape.of(
                        shape.get(2).asInt(), shape.get(0).asInt(), shape.get(1).asInt()));
        assertThat(all.actions())
                .isEqualTo(new Discrete(recorded.golden().get("actions").size()));
        MinAtarGame minimal =
                (MinAtarGame) Environments.make("MinAtar/" + recorded.name() + "-v1", Map.of("sticky_action_prob", 0));
        JsonNode actions = recorded.golden().get("minimal_action_set");
        assertThat(minimal.actions()).isEqualTo(new Discrete(actions.size()));
        minimal.reset(3);
        for (int i = 0; i < actions.size(); i++) {
            minimal.step(new float[] {i}, 0);
            assertThat(world(minimal).whole("lastAction"))
                    .isEqualTo(actions.get(i).asInt());
        }
    }

    private static MinAtarGame made(RecordedGame recorded, JsonNode run) {
        return recorded.made(
                run.get("sticky_action_prob").asDouble(),
                run.get("difficulty_ramping").asBoolean());
    }

    private static String what(RecordedGame recorded, JsonNode run) {
        return recorded.name() + " of seed " + run.get("seed").asText() + ", sticky " + run.get("sticky_action_prob")
                + ", ramping " + run.get("difficulty_ramping");
    }

    private static State world(MinAtarGame game) {
        return game.save().state("world");
    }

    private static void giveState(MinAtarGame game, State state) {
        State saved = game.save();
        game.restore(saved.with("phase", "RUNNING")
                .with("world", saved.state("world").with("game", state)));
    }

    private static void giveLastAction(MinAtarGame game, int action) {
        State saved = game.save();
        game.restore(saved.with("world", saved.state("world").with("lastAction", action)));
    }

    private static void giveDraws(MinAtarGame game, RecordedDraws draws) {
        State saved = game.save();
        game.restore(saved.with("world", saved.state("world").with("twister", draws.state())));
    }

    private static void assertDrawn(String what, MinAtarGame game, RecordedDraws draws) {
        assertThat(world(game).state("twister").whole("position"))
                .as("%s: words drawn", what)
                .isEqualTo(draws.size());
    }

    private static void assertOutcome(String what, RecordedGame recorded, MinAtarGame game, JsonNode step) {
        assertThat(world(game).whole("lastAction"))
                .as(what)
                .isEqualTo(step.get(1).asInt());
        assertThat(game.reward()).as(what).isEqualTo(step.get(2).asInt());
        assertThat(game.terminated()).as(what).isEqualTo(step.get(3).asBoolean());
        if (step.has(6)) {
            assertObserved(what, recorded, game, step.get(5));
            assertState(what, recorded, game, step.get(6));
        }
    }

    private static void assertState(String what, RecordedGame recorded, MinAtarGame game, JsonNode state) {
        assertThat(world(game).state("game")).as(what).isEqualTo(recorded.state(state));
        assertThat(game.terminated()).as(what).isEqualTo(recorded.isTerminal(state));
    }

    private static void assertObserved(String what, RecordedGame recorded, MinAtarGame game, JsonNode observation) {
        assertThat(RandomPlay.observed(game)).as(what).isEqualTo(recorded.observation(observation.asText()));
    }
}
