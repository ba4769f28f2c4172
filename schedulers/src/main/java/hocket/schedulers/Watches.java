package hocket.schedulers;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What is done beside training, and when it was done last. */
final class Watches {
    private static final class Watch {
        final Trigger trigger;
        final Consumer<Run> action;

        /** Epochs or seconds at the last look, or when it was done last. */
        double last;

        Watch(Trigger trigger, Consumer<Run> action) {
            this.trigger = trigger;
            this.action = action;
        }
    }

    private final Sources sources;
    private final List<Watch> watches = new ArrayList<>();
    private InstantSource clock = InstantSource.system();

    Watches(Sources sources) {
        this.sources = sources;
    }

    /** Sets what {@link Trigger.EverySeconds} reads; nothing else reads a clock. */
    void clock(InstantSource source) {
        clock = source;
        begin();
    }

    void add(Trigger trigger, Consumer<Run> action) {
        Watch watch = new Watch(trigger, action);
        watch.last = now(trigger);
        watches.add(watch);
    }

    /** @throws IllegalArgumentException if a trigger names no source */
    void check() {
        for (Watch watch : watches) {
            if (watch.trigger instanceof Trigger.EveryEpochs epochs) {
                sources.named(epochs.source());
            }
        }
    }

    /** Counts from now: the position changed otherwise than by training. */
    void begin() {
        watches.forEach(watch -> watch.last = now(watch.trigger));
    }

    /** Counts the epochs of a source that came from now. */
    void begin(Feeding feeding) {
        for (Watch watch : watches) {
            if (watch.trigger instanceof Trigger.EveryEpochs epochs && feeding.isCalled(epochs.source())) {
                watch.last = now(epochs);
            }
        }
    }

    /** Does what is due after so many rounds. */
    void roundEnded(long round, Run run) {
        for (int i = 0; i < watches.size(); i++) {
            Watch watch = watches.get(i);
            if (isDue(watch, round)) {
                watch.action.accept(run);
            }
        }
    }

    /** Does what is to be done when the budget is reached. */
    void ended(Run run) {
        for (Watch watch : List.copyOf(watches)) {
            if (watch.trigger instanceof Trigger.AtEnd) {
                watch.action.accept(run);
            }
        }
    }

    private boolean isDue(Watch watch, long round) {
        if (watch.trigger instanceof Trigger.EveryRounds rounds) {
            return round % rounds.count() == 0;
        }
        double now = now(watch.trigger);
        if (watch.trigger instanceof Trigger.EveryEpochs epochs) {
            boolean due = Math.floor(now / epochs.count()) > Math.floor(watch.last / epochs.count());
            watch.last = now;
            return due;
        }
        boolean due = watch.trigger instanceof Trigger.EverySeconds seconds && now - watch.last >= seconds.seconds();
        if (due) {
            watch.last = now;
        }
        return due;
    }

    private double now(Trigger trigger) {
        if (trigger instanceof Trigger.EveryEpochs epochs) {
            return sources.called(epochs.source()).map(Source::epoch).orElse(0.0);
        }
        return trigger instanceof Trigger.EverySeconds ? clock.millis() / 1000.0 : 0;
    }
}
