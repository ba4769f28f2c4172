package hocket.schedulers.trainer;

import hocket.schedulers.Source;
import hocket.schedulers.feeds.ForwardingSource;
import java.util.concurrent.atomic.AtomicReference;

/** The current source of a trainer, which each call of train may replace. */
final class SwitchableSource extends ForwardingSource {
    private final AtomicReference<Source> now;

    SwitchableSource(Source first) {
        this(new AtomicReference<>(first));
    }

    private SwitchableSource(AtomicReference<Source> now) {
        super(now::get);
        this.now = now;
    }

    /** @throws IllegalArgumentException if it gives other columns than the first */
    void from(Source next) {
        if (!next.columns().equals(columns())) {
            throw new IllegalArgumentException("source " + next.name() + " gives " + next.columns()
                    + "; this trainer was trained on " + columns() + " before");
        }
        now.set(next);
    }
}
