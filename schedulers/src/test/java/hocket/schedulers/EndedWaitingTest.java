package hocket.schedulers;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.feeds.WaitCancelledException;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A source that waits for rows may be asked to end: the run pauses there, and goes on to the same bits. */
@Tag("engine")
class EndedWaitingTest {
    /** A source whose rows come from outside. */
    private static Source endless(Source rows) {
        return new ForwardingSource(rows) {
            @Override
            public boolean hasEpochs() {
                return false;
            }
        };
    }

    /** One that is asked to end at some of its draws. */
    private static Source waiting(Source rows, List<Integer> asked) {
        return new ForwardingSource(rows) {
            private int draws;

            @Override
            public int next(Streams streams, Sink sink) {
                draws++;
                if (asked.contains(draws)) {
                    throw new WaitCancelledException(name());
                }
                return super.next(streams, sink);
            }
        };
    }

    @Test
    void rowsFromOutsideAreOfOneProcess() {
        Toy.Gan gan = Toy.gan();
        Setup setup = Setup.of(gan.graph(), sequence(gan.d(), gan.g()), rounds(1))
                .feed(endless(Toy.rows("image", 42, 4).batches(8)), Resample.EACH_TURN);
        setup.divided(DataParallelSplit.among(2)).checkDivision();
        Setup several = setup.divided(new DataParallelSplit(1, Exchange.planned(2)));
        assertThatThrownBy(several::checkDivision)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("feeds: rows of image come from outside, to one process: others would not have them");
    }

    private static State ran(Function<Toy.Gan, Plan> plan, List<Integer> asked) {
        return ran(plan, asked, asked.isEmpty() ? 1 : 2);
    }

    private static State ran(Function<Toy.Gan, Plan> plan, List<Integer> asked, int sittings) {
        Toy.Gan gan = Toy.gan();
        List<Boolean> complete = new ArrayList<>();
        State saved = State.empty();
        for (int sitting = 0; complete.stream().noneMatch(each -> each); sitting++) {
            try (Parameters parameters = gan.parameters(1);
                    Scheduler scheduler = Scheduler.over(parameters, 1)) {
                Source rows = Toy.rows("image", 42, 4).batches(8);
                scheduler
                        .plan(plan.apply(gan))
                        .feed(sitting == 0 ? waiting(rows, asked) : rows, Resample.EACH_TURN)
                        .listen(event -> {
                            if (event instanceof Event.Ended ended) {
                                complete.add(ended.complete());
                            }
                        });
                if (sitting > 0) {
                    scheduler.restore(saved);
                }
                scheduler.run(rounds(6));
                saved = scheduler.save();
            }
        }
        assertThat(complete).hasSize(sittings);
        return saved;
    }

    /** Java that acts waits, too: for trajectories of others. */
    @Test
    void javaThatActsPausesBeforeItsTurnAndGoesOnToTheSameBits() {
        AtomicBoolean never = new AtomicBoolean();
        AtomicBoolean once = new AtomicBoolean(true);
        State whole = ran(gan -> sequence(gan.d(), Turn.act("collect", new Collecting(never)), gan.g()), List.of(), 1);
        assertThat(ran(gan -> sequence(gan.d(), Turn.act("collect", new Collecting(once)), gan.g()), List.of(), 2))
                .isEqualTo(whole);
    }

    /** Is asked to end at its third act, if at all. */
    private static final class Collecting implements Turn.Action, Stateful {
        private final AtomicBoolean asked;
        private long acts;

        Collecting(AtomicBoolean asked) {
            this.asked = asked;
        }

        @Override
        public void act(Run run) {
            if (acts == 2 && asked.getAndSet(false)) {
                throw new WaitCancelledException("trajectories");
            }
            acts++;
            run.report("acts", acts);
        }

        @Override
        public State save() {
            return State.empty().with("acts", acts);
        }

        @Override
        public void restore(State state) {
            acts = state.whole("acts");
        }
    }

    private static Turn.Descend part(Toy.Gan gan, String layer) {
        return Turn.of(layer, gan.d().program()).updates("discriminator/" + layer + "/**", sgd(0.1));
    }

    @Test
    void theRunPausesBeforeTheTurnAndGoesOnToTheSameBits() {
        Function<Toy.Gan, Plan> plan = gan -> sequence(gan.d().times(2), gan.g());
        assertThat(ran(plan, List.of(4))).isEqualTo(ran(plan, List.of()));
    }

    @Test
    void turnsThatAreTakenTogetherReadWhatSomeOfThemHadDrawn() {
        Function<Toy.Gan, Plan> plan = gan -> simultaneous(part(gan, "in"), part(gan, "logit"));
        assertThat(ran(plan, List.of(4))).isEqualTo(ran(plan, List.of()));
    }

    @Test
    void aTurnByHandFailsAndChangesNothing() {
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            Source rows = waiting(Toy.rows("image", 42, 4).batches(8), List.of(1));
            assertThatThrownBy(() -> scheduler.step(gan.d(), rows))
                    .isInstanceOf(WaitCancelledException.class)
                    .hasMessage("source image was asked to end while it waited for rows");
            assertThat(scheduler.count("d")).isZero();
            scheduler.step(gan.d(), rows);
        }
    }

    @Test
    void epochsOfASourceThatHasNoneAreNotCounted() {
        Toy.Gan gan = Toy.gan();
        String refusal = "source image has no epochs, as its rows come from outside: count rounds or turns";
        Source rows = endless(Toy.rows("image", 42, 4).batches(8));
        Setup budget = Setup.of(gan.graph(), gan.d(), Budget.epochs("image", 3)).feed(rows, Resample.EACH_TURN);
        assertThatThrownBy(budget::check).hasMessage(refusal).isInstanceOf(IncompatibleSetupException.class);
        Setup trigger = Setup.of(gan.graph(), gan.d(), rounds(3))
                .feed(rows, Resample.EACH_TURN)
                .on(Trigger.everyEpochOf("image"), Action.Usual.SAVE);
        assertThatThrownBy(trigger::check).hasMessage(refusal);
        try (Parameters parameters = gan.parameters(1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(gan.d()).feed(rows, Resample.EACH_TURN);
            assertThatThrownBy(() -> scheduler.run(Budget.epochs("image", 3))).hasMessage(refusal);
            scheduler.on(Trigger.everyEpochOf("image"), run -> {});
            assertThatThrownBy(() -> scheduler.run(rounds(3))).hasMessage(refusal);
        }
    }
}
