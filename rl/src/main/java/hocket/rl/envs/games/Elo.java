package hocket.rl.envs.games;

import java.util.List;

/**
 * Ratings of players by Elo (1978): a rating that is 400 larger has odds of 10 to 1.
 *
 * @param rating by the games, which decides the expected score against another
 * @param deviation the standard error of the rating
 */
public record Elo(double rating, double deviation) {
    private static final double SCALE = 400 / Math.log(10);

    /**
     * The games against one opponent.
     *
     * @param rating of the opponent
     * @param games their number
     * @param score the sum of their scores: 1 for a win, 0.5 for a draw, 0 for a loss
     */
    public record Games(double rating, int games, double score) {}

    /** Returns the expected score of a game: {@code 1 / (1 + 10^((other - rating) / 400))}. */
    public static double expected(double rating, double other) {
        return 1 / (1 + Math.exp((other - rating) / SCALE));
    }

    /** Returns the rating after games that all are scored against the ratings before them, each with a factor K. */
    public static double updated(double rating, double k, List<Games> played) {
        return rating
                + k
                        * played.stream()
                                .mapToDouble(of -> of.score() - of.games() * expected(rating, of.rating()))
                                .sum();
    }

    /**
     * Returns the rating of maximum likelihood by games against opponents whose ratings are known. One draw with each is added,
     * so it is finite when all games are won. The standard error is that of games that are won or lost; draws make it smaller.
     */
    public static Elo of(List<Games> played) {
        List<Games> all = played.stream()
                .map(of -> new Games(of.rating(), of.games() + 1, of.score() + 0.5))
                .toList();
        double low = all.stream().mapToDouble(Games::rating).min().orElse(0) - 4000;
        double high = all.stream().mapToDouble(Games::rating).max().orElse(0) + 4000;
        for (int i = 0; i < 60; i++) { // the score that is expected increases with the rating
            double middle = (low + high) / 2;
            if (updated(middle, 1, all) > middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double rating = (low + high) / 2;
        double information = all.stream()
                .mapToDouble(of -> {
                    double expected = expected(rating, of.rating());
                    return of.games() * expected * (1 - expected);
                })
                .sum();
        return new Elo(rating, SCALE / Math.sqrt(information));
    }
}
