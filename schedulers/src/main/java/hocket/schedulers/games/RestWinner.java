package hocket.schedulers.games;

import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Setting;
import java.util.OptionalDouble;

/**
 * A schedule that alternates two turns and rests the one that wins too clearly. A side wins while its average loss is
 * below the other's by more than the band; then the other takes up to {@code patience} turns in a row, after which the
 * winner takes one and the two are compared again. Before both have reported, and while neither wins, they alternate,
 * the first one first.
 *
 * <p>It is the rule of thumb by which the training of a GAN is kept in balance (Goodfellow 2016, section 4.4, describes
 * and doubts it), with the bound on a rest added: a side that never plays cannot lose its lead.
 *
 * @param first the name of a turn
 * @param second the name of the other
 * @param firstSeries the metric of the first one's success, low for winning: {@code d/loss}
 * @param secondSeries the metric of the second one's: {@code g/loss}
 * @param level difference of the first one's metric and the second's when they are even
 * @param band deviation from the level above which one of them is winning
 * @param window number of last values of each that are averaged
 * @param patience the most turns in a row of the one that is losing
 */
public record RestWinner(
        @Setting(help = "the name of a turn") String first,

        @Setting(help = "the name of the other turn") String second,

        @Setting(help = "the first turn's metric, low if it wins, such as d/loss")
        String firstSeries,

        @Setting(help = "the second turn's metric, low if it wins, such as g/loss")
        String secondSeries,

        @Setting(usually = "0", help = "the first metric minus the second one when both are even")
        double level,

        @Setting(least = 0, help = "the largest difference from the level without a winner")
        double band,

        @Setting(usually = "50", least = 1, most = 1000, help = "number of last values of each that are averaged")
        int window,

        @Setting(usually = "10", least = 1, help = "maximum number of consecutive turns of the losing side")
        int patience)
        implements Schedule<RestWinner.Streak> {
    /**
     * The memory of the schedule.
     *
     * @param turn the last turn; empty before the first
     * @param length its number of consecutive times
     */
    public record Streak(String turn, int length) {}

    /** @throws IllegalArgumentException if both turns are one, or a number is out of its range */
    public RestWinner {
        if (first.equals(second)) {
            throw new IllegalArgumentException("first and second must be two turns, both are " + first);
        }
        if (!Double.isFinite(level)) {
            throw new IllegalArgumentException("level must be a finite number, was " + level);
        }
        if (!(band >= 0)) {
            throw new IllegalArgumentException("band must be at least 0, was " + band);
        }
        if (window < 1 || window > 1000) {
            throw new IllegalArgumentException("window must be 1 to 1000, was " + window);
        }
        if (patience < 1) {
            throw new IllegalArgumentException("patience must be at least 1, was " + patience);
        }
    }

    @Override
    public Streak start() {
        return new Streak("", 0);
    }

    @Override
    public Choice<Streak> next(Streak last, ScheduleView view) {
        String turn = last.turn().equals(first) ? second : first;
        OptionalDouble ofFirst = view.average(firstSeries, window);
        OptionalDouble ofSecond = view.average(secondSeries, window);
        if (ofFirst.isPresent() && ofSecond.isPresent()) {
            double difference = ofFirst.getAsDouble() - ofSecond.getAsDouble() - level;
            if (Math.abs(difference) > band) {
                String loser = difference < 0 ? second : first;
                boolean tired = last.turn().equals(loser) && last.length() >= patience;
                turn = tired ? turn : loser;
            }
        }
        return new Choice<>(turn, new Streak(turn, turn.equals(last.turn()) ? last.length() + 1 : 1));
    }
}
