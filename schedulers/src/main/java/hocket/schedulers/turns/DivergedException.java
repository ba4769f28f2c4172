package hocket.schedulers.turns;

import hocket.programs.checks.Anomaly;
import hocket.schedulers.Scheduler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A loss or gradient is not finite: then the turn wrote nothing. Or, where it is asked for, what a turn wrote is not. */
public final class DivergedException extends RuntimeException {
    private final transient @Nullable Anomaly anomaly;

    public DivergedException(String message) {
        this(message, Optional.empty());
    }

    /** @param anomaly what was found, which goes behind the message */
    public DivergedException(String message, Optional<Anomaly> anomaly) {
        super(message + anomaly.map(found -> "\n" + found).orElse(""));
        this.anomaly = anomaly.orElse(null);
    }

    /** The first value that was not finite, where it was looked for: see {@link Scheduler#detectAnomalies}. */
    public Optional<Anomaly> anomaly() {
        return Optional.ofNullable(anomaly);
    }
}
