package hocket.schedulers;

/** Trains whichever side is losing, at most {@code patience} turns in a row: the schedule of the design. */
public record Balance(double band, int patience) implements Schedule<Balance.Streak> {
    public record Streak(String turn, int length) {}

    @Override
    public Streak start() {
        return new Streak("d", 0);
    }

    @Override
    public Choice<Streak> next(Streak s, ScheduleView view) {
        String want = view.average("d/loss", 50).orElse(Double.POSITIVE_INFINITY) < band ? "g" : "d";
        if (want.equals(s.turn()) && s.length() >= patience) {
            want = want.equals("g") ? "d" : "g";
        }
        return new Choice<>(want, want.equals(s.turn()) ? new Streak(want, s.length() + 1) : new Streak(want, 1));
    }
}
