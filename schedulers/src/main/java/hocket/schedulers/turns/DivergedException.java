package hocket.schedulers.turns;

import hocket.programs.checks.Anomaly;
import hocket.schedulers.Scheduler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A loss or gradient is not finite (the turn wrote nothing then), or, if checked, a written value is not; a turn of Java wrote it
 * then.
 */
public final class DivergedException extends RuntimeException {
    private final transient @Nullable Anomaly anomaly;

    public DivergedException(String message) {
        this(message, Optional.empty());
    }

    /** @param anomaly the anomaly, which is appended to the message */
    public DivergedException(String message, Optional<Anomaly> anomaly) {
        super(message + anomaly.map(found -> "\n" + found).orElse(""));
        this.anomaly = anomaly.orElse(null);
    }

    /** Returns the first non-finite value, if it was searched for: see {@link Scheduler#detectAnomalies}. */
    public Optional<Anomaly> anomaly() {
        return Optional.ofNullable(anomaly);
    }
}
