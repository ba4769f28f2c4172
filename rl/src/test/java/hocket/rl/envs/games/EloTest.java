package hocket.rl.envs.games;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.Golden;
import hocket.rl.random.Pcg64;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EloTest {
    private static final double ROUNDING = 1e-9; // of sums in another order, of ratings near 1500

    @Test
    @Tag("golden")
    void aGameMovesBothRatings() {
        JsonNode golden = Golden.read("losses/rl2.json").get("elo");
        double k = golden.get("k").asDouble();
        double[] ratings = new double[Golden.numbers(golden.get("events").get(0).get("ratings_after")).length];
        Arrays.fill(ratings, golden.get("start").asDouble());
        for (JsonNode event : golden.get("events")) {
            int a = event.get("a").asInt();
            int b = event.get("b").asInt();
            double score = event.get("score_a").asDouble();
            assertThat(Elo.expected(ratings[a], ratings[b]))
                    .isCloseTo(event.get("expected_a").asDouble(), within(1e-12));
            double after = Elo.updated(ratings[a], k, List.of(new Elo.Games(ratings[b], 1, score)));
            ratings[b] = Elo.updated(ratings[b], k, List.of(new Elo.Games(ratings[a], 1, 1 - score)));
            ratings[a] = after;
            Golden.assertNear("ratings", ratings, Golden.numbers(event.get("ratings_after")), ROUNDING);
        }
    }

    @Test
    @Tag("golden")
    void theGamesOfAPeriodCountTogether() {
        JsonNode golden = Golden.read("losses/rl2.json").get("elo");
        JsonNode period = golden.get("period");
        double[] opponents = Golden.numbers(period.get("opponents"));
        double[] scores = Golden.numbers(period.get("scores"));
        double after = Elo.updated(
                period.get("rating").asDouble(),
                golden.get("k").asDouble(),
                IntStream.range(0, scores.length)
                        .mapToObj(i -> new Elo.Games(opponents[i], 1, scores[i]))
                        .toList());
        assertThat(after).isCloseTo(period.get("after").asDouble(), within(ROUNDING));
    }

    /** At the rating of maximum likelihood the expected sum of scores is the one that was reached. */
    @Test
    void theLikeliestRatingExpectsWhatHappened() {
        Elo elo = Elo.of(List.of(new Elo.Games(0, 99, 74.5), new Elo.Games(400, 19, 9.5)));
        double expected = 100 * Elo.expected(elo.rating(), 0) + 20 * Elo.expected(elo.rating(), 400);
        assertThat(expected).isCloseTo(75 + 10, within(1e-9));
        assertThat(Elo.of(List.of(new Elo.Games(0, 99, 74.5))).rating())
                .isCloseTo(400 * Math.log10(3), within(1e-6)); // three to one
    }

    /** The interval of 95 % holds the true rating in about 95 % of the draws: of 400 more than 360. */
    @Test
    void theIntervalHoldsTheTrueRating() {
        Pcg64 random = Pcg64.of(3);
        int held = 0;
        for (int i = 0; i < 400; i++) {
            int won = 0;
            for (int game = 0; game < 100; game++) {
                won += random.random() < Elo.expected(150, 0) ? 1 : 0;
            }
            Elo elo = Elo.of(List.of(new Elo.Games(0, 100, won)));
            held += Math.abs(elo.rating() - 150) < 1.96 * elo.deviation() ? 1 : 0;
        }
        assertThat(held).isBetween(361, 395);
    }
}
