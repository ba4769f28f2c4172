package hocket.workbench.runs.plans;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.decay;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Action;
import hocket.schedulers.Budget;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Setup;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Slot;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.transforms.Scale;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.testing.SmallGan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What looks wrong in a plan, and what does not. */
class WarningsTest {
    private final SmallGan gan = SmallGan.of();

    @Test
    void aSoundExperimentGivesNone() {
        assertThat(warnings(sound(Plan.sequence(gan.d(), gan.g(), gan.ema())))).isEmpty();
    }

    @Test
    void aModuleThatNoTurnUpdatesIsNamedWithWhatItIs() {
        assertThat(warnings(fed(Plan.sequence(gan.d()))))
                .containsExactly("generator: no turn updates it, so it keeps its initial values; let a turn update"
                        + " generator/**, unless that is intended");
        assertThat(warnings(sound(Plan.sequence(gan.d(), gan.g()))))
                .containsExactly("ema/generator: no turn updates this copy, so it keeps its initial values; add a"
                        + " turn that follows into ema/generator/**");
        Network<Value, Value> spare = gan.graph().module("spare", x -> dense("out", x, 1));
        spare.apply(gan.fake());
        assertThat(warnings(fed(Plan.sequence(gan.d(), gan.g()))))
                .containsExactly("spare: no program reads it and no turn updates it; remove it");
    }

    @Test
    void partOfAModuleMayBeLeftAsItIs() {
        Turn g = Turn.of("g", gan.gStep()).updates("generator/**, !generator/in/**", adam(1e-3));
        assertThat(warnings(fed(Plan.sequence(gan.d(), g)))).isEmpty();
    }

    @Test
    void aFeedThatNoTurnReadsIsWarnedOfThoughARunRefusesIt() {
        Setup unread = fed(Plan.sequence(gan.d(), gan.g()))
                .feed(SmallGan.rows("picture", 8).batches("extra", 4), Resample.EACH_TURN);
        assertThat(warnings(unread))
                .containsExactly("feed extra: no turn reads picture, so a run will be refused; remove it, or call an"
                        + " input picture");
    }

    @Test
    void aNormThatIsTrainedByTheBatchHereAndByRunningValuesThereIsNamed() {
        SmallGan both = SmallGan.of(normalisation(), normalisation().frozenStatistics());
        assertThat(warnings(fed(Plan.sequence(both.d(), both.g()), both)))
                .containsExactly(
                        "discriminator/norm: normalises by the batch in d_step but by its own running values in"
                                + " d_step and g_step, so these train two different networks; use frozenStatistics()"
                                + " for all of its calls, or for none");
    }

    @Test
    void aNormThatIsTrainedThoughNothingMovesItsRunningValuesIsNamed() {
        SmallGan frozen =
                SmallGan.of(normalisation().frozenStatistics(), normalisation().frozenStatistics());
        assertThat(warnings(fed(Plan.sequence(frozen.d(), frozen.g()), frozen)))
                .containsExactly(
                        "discriminator/norm: turn d trains it, but in d_step and g_step it normalises by running"
                                + " statistics, which nothing updates; use frozenStatistics() only for modules that"
                                + " no turn trains");
        Turn d = Turn.of("d", frozen.dStep()).updates("discriminator/**, !discriminator/norm/**", adam(1e-3));
        assertThat(warnings(fed(Plan.sequence(d, frozen.g()), frozen))).isEmpty();
    }

    @Test
    void samplesByRunningValuesThatNoTurnMovesAreNamed() {
        Turn g = Turn.of("g", gan.gStep()).updates("generator/**, !generator/norm/shift", adam(1e-3));
        Setup setup = fed(Plan.sequence(gan.d(), g)).samples(Program.compile("draw", Mode.EVAL, gan.fake()));
        assertThat(warnings(setup))
                .containsExactly(
                        "generator/norm: draw normalises by its running statistics, which no turn updates; let the"
                                + " turn that trains the rest update its scale and shift, too");
    }

    @Test
    void memoryIsCountedAndWhatDoesNotFitIsSaid() {
        Graph graph = new Graph();
        Value x = graph.input("image", Shape.of(4));
        Value y;
        try (var module = graph.module("m")) {
            y = dense("out", x, 3);
        }
        Turn turn = Turn.of("m", Program.compile("fit", Mode.TRAIN, mean(square(y))))
                .updates("m/**", chain(adam(1e-3), decay(1e-2).over("**/weight")));
        Setup setup = Setup.of(graph, turn, Budget.rounds(1))
                .feed(SmallGan.rows("image", 20).batches(5), Resample.EACH_TURN);
        MemoryFacts memory = PlanFacts.of("fit", 7, setup).memory();
        long weights = (4 * 3 + 3) * 4;
        assertThat(memory.parameters()).isEqualTo(weights);
        assertThat(memory.gradients()).isEqualTo(weights);
        assertThat(memory.optimizers()).isEqualTo(2 * weights); // Adam's two means
        // x, y and its square for five rows, the mean once; and once more for the gradients
        assertThat(memory.values()).isEqualTo(2 * (5 * (4 + 3 + 3) + 1) * 4);
        assertThat(memory.data()).isEqualTo(20 * 4 * 4);
        assertThat(memory.warnings(320, 10_000)).isEmpty();
        assertThat(memory.warnings(319, memory.all() - 1))
                .containsExactly(
                        "data: 320 B are to lie on Java's heap, which has 319 B; HOCKET_JAVA_OPTIONS=-Xmx2g gives it more,"
                                + " or take fewer rows",
                        "memory: about 968 B are needed, and this machine has 967 B; take a smaller batch or network");
        assertThat(String.join(" ", PlanText.of(PlanFacts.of("fit", 7, setup)))).contains("memory, about 968 B");
    }

    /** Remembers two numbers beside each weight that is not a bias, and has a rate that no other class knows. */
    private record Slow() implements GradientTransformation {
        @Override
        public List<Slot> slots() {
            return List.of(Slot.of("first"), Slot.of("second"));
        }

        @Override
        public boolean touches(Path weight) {
            return !weight.text().endsWith("bias");
        }

        @Override
        public void update(Chunk chunk) {
            chunk.update()[0] *= 1e-3;
        }
    }

    @Test
    void aRuleKeepsSomethingOnlyBesideWeightsThatItTouches() {
        Graph graph = new Graph();
        Value x = graph.input("image", Shape.of(4));
        Value y;
        try (var module = graph.module("m")) {
            y = batchNorm("norm", dense("out", x, 3));
        }
        Turn turn = Turn.of("m", Program.compile("fit", Mode.TRAIN, mean(square(y))))
                .updates("m/**, !m/norm/scale, !m/norm/shift", new Slow());
        Setup setup = Setup.of(graph, turn, Budget.rounds(1))
                .feed(SmallGan.rows("image", 20).batches(5), Resample.EACH_TURN);
        assertThat(PlanFacts.of("fit", 7, setup).memory().optimizers()).isEqualTo(2 * 4 * 3 * 4);
    }

    @Test
    void memoryIsCountedForEachTurnAndOnceMoreWhereItMeasuresAfterItsUpdate() {
        MemoryFacts one = PlanFacts.of("gan", 7, fed(gan.d())).memory();
        Turn.Descend again = Turn.of("again", gan.dStep()).shares("discriminator/**", adam(1e-3));
        Turn.Descend first = Turn.of("first", gan.dStep()).shares("discriminator/**", adam(1e-3));
        MemoryFacts two =
                PlanFacts.of("gan", 7, fed(Plan.sequence(first, again))).memory();
        assertThat(two.gradients()).isEqualTo(2 * one.gradients());
        assertThat(two.values()).isEqualTo(2 * one.values());
        MemoryFacts measured = PlanFacts.of("gan", 7, fed(Plan.sequence(first, again.measuresAfter())))
                .memory();
        assertThat(measured.values() - two.values()).isEqualTo(one.values() / 2);
        assertThat(measured.gradients()).isEqualTo(two.gradients());
    }

    @Test
    void aFollowerThatTakesNothingIsNamed() {
        Turn still = Turn.follow("ema", "generator/**", "ema/generator/**", 1);
        assertThat(warnings(sound(Plan.sequence(gan.d(), gan.g(), still))))
                .containsExactly("turn ema keeps all of ema/generator/** at decay 1, so it never changes; set a"
                        + " decay below 1");
    }

    @Test
    void aChainWithoutARuleOrWithTwoIsNamed() {
        assertThat(warnings(moved(clipByGlobalNorm(0.5))))
                .containsExactly("turn d updates discriminator/** by ClipByGlobalNorm, in which no transformation has a"
                        + " rate: the step is the gradient itself; put a rule such as adam or sgd into the chain");
        assertThat(warnings(moved(chain(adam(1e-3), sgd(1e-2)))))
                .containsExactly(
                        "turn d updates discriminator/** by Adam and Sgd, each with a rate, one upon the other's"
                                + " step; keep one of them");
        assertThat(warnings(moved(chain(clipByGlobalNorm(0.5), new Slow())))).isEmpty();
        Scale warmUp = new Scale(Rate.linear(0, 1, 0, 100));
        assertThat(warnings(moved(chain(adam(1e-4), warmUp)))).isEmpty();
    }

    @Test
    void aLinkThatTouchesNothingIsNamed() {
        assertThat(warnings(moved(chain(adam(1e-3), decay(1e-2).over("**/weights")))))
                .singleElement(as(STRING))
                .startsWith("turn d updates discriminator/**, of which Decay[decay=0.01, over=**/weights] matches no"
                        + " parameter; check its glob against discriminator/");
        assertThat(warnings(moved(chain(adam(1e-3), decay(1e-2).over("**/weight")))))
                .isEmpty();
    }

    private Setup moved(UpdateRule rule) {
        return fed(Plan.sequence(Turn.of("d", gan.dStep()).updates("discriminator/**", rule), gan.g()));
    }

    @Test
    void ratesAThousandTimesApartAreNamedWithinAPlan() {
        Turn slow = Turn.of("d", gan.dStep()).updates("discriminator/**", sgd(1e-4));
        Turn fast = Turn.of("g", gan.gStep()).updates("generator/**", adam(0.1));
        String warning =
                "turn g updates generator/** at rate 0.1, but turn d updates discriminator/** at 0.0001, 1,000 times"
                        + " less; check that both are intended";
        assertThat(warnings(fed(Plan.sequence(slow, fast)))).containsExactly(warning);
        Turn fair = Turn.of("g", gan.gStep()).updates("generator/**", adam(0.099));
        assertThat(warnings(fed(Plan.sequence(slow, fair)))).isEmpty();
        List<Phase> apart =
                List.of(new Phase("first", slow, Budget.rounds(1)), new Phase("second", fast, Budget.rounds(1)));
        assertThat(warnings(Setup.of(gan.graph(), apart).feed(SmallGan.images(64, 8), Resample.EACH_TURN)))
                .isEmpty();
        Turn warm = Turn.of("g", gan.gStep()).updates("generator/**", adam(0).rate(Rate.linear(0, 0.05, 0, 100)));
        assertThat(warnings(fed(Plan.sequence(slow, warm)))).isEmpty();
        Turn still = Turn.of("g", gan.gStep()).updates("generator/**", adam(0));
        assertThat(warnings(fed(Plan.sequence(slow, still))))
                .containsExactly("turn g updates generator/** at rate 0, so it never changes; remove the update");
    }

    @Test
    void aStateThatIsCarriedBetweenRowsThatDoNotContinueIsNamed() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(2));
        Value state = graph.input("state", Shape.of(2));
        Program program;
        try (var net = graph.module("net")) {
            program = Program.compile("p", Mode.TRAIN, mean(square(add(dense("d", x, 2), state))));
        }
        Turn turn = Turn.of("learn", program).updates("net/**", adam(1e-3)).carries(state, graph.value("net/d"));
        Rows rows = Rows.of("x", Tensor.of(Shape.of(4, 2), new float[8]));
        Setup setup = Setup.of(graph, turn, Budget.rounds(10));
        assertThat(warnings(setup.feed(rows.batchesInOrder("x", 2), Resample.EACH_TURN)))
                .isEmpty();
        assertThat(warnings(setup.feed(rows.batches("x", 2), Resample.EACH_TURN)))
                .containsExactly("turn learn carries a state, and rows of x do not continue those of the draw before;"
                        + " give a text lanes: true, and other rows in order");
        Networks networks = Networks.of(graph, program).withStatesOfNoRow(state);
        Setup pooled = Setup.of(networks, List.of(new Phase("all", turn, Budget.rounds(10))));
        assertThat(warnings(pooled.feed(rows.batches("x", 2), Resample.EACH_TURN)))
                .isEmpty();
    }

    @Test
    void turnsThatAreNeverTakenAreNamed() {
        List<Phase> phases = List.of(
                new Phase("first", gan.d(), Budget.rounds(3)),
                new Phase("second", Plan.sequence(gan.d(), gan.g()), Budget.turns(0)));
        assertThat(warnings(Setup.of(gan.graph(), phases).feed(SmallGan.images(64, 8), Resample.EACH_TURN)))
                .containsExactly("never taken: turn g; the budget of every phase with it is 0");
        Setup sound = sound(Plan.sequence(gan.d(), gan.g(), gan.ema()));
        assertThat(PlanFacts.of("gan", "", 7, Map.of(), List.of("d", "warm", "g", "ema", "cool"), sound)
                        .warnings())
                .containsExactly(
                        "never taken: turn warm, cool; no phase has it in its plan; remove it or add it to a plan");
        assertThatThrownBy(() -> warnings(fed(Plan.choose(SmallGan.always("d"), gan.d(), gan.g()))))
                .hasMessage("turn g is never taken in its 10 rounds: remove it, add rounds, or change what its"
                        + " schedule or condition waits for");
        assertThat(warnings(fed(Plan.choose(new SmallGan.Looking("d", "d/loss"), gan.d(), gan.g()))))
                .isEmpty();
    }

    @Test
    void aScheduleThatAsksForASeriesThatNoTurnReportsIsNamedWhicheverPhaseItIsIn() {
        Plan misspelt = Plan.choose(new SmallGan.Looking("d", "d/los"), gan.d(), gan.g());
        assertThatThrownBy(() -> warnings(fed(misspelt)))
                .hasMessage("phase train fails in round 0: no turn reports d/los; did you mean d/loss?");
        List<Phase> phases = List.of(
                new Phase("first", Plan.sequence(gan.d(), gan.g()), Budget.rounds(1_000_000)),
                new Phase("second", misspelt, Budget.rounds(1)));
        assertThatThrownBy(
                        () -> warnings(Setup.of(gan.graph(), phases).feed(SmallGan.images(64, 8), Resample.EACH_TURN)))
                .hasMessage("phase second fails in round 0: no turn reports d/los; did you mean d/loss?");
    }

    @Test
    void aRoundThatDrawsMoreThanAnEpochIsNamedWhereEpochsAreCounted() {
        Setup many = Setup.of(gan.graph(), Plan.sequence(gan.d().times(9), gan.g()), Budget.rounds(1))
                .feed(SmallGan.images(64, 8), Resample.EACH_TURN);
        assertThat(warnings(many)).isEmpty();
        assertThat(warnings(many.on(Trigger.everyEpochOf("image"), Action.Usual.SAVE)))
                .containsExactly("a round of phase train draws from image 9 times, and an epoch has 8 draws; actions of"
                        + " every epoch then run at most once a round");
    }

    @Test
    void epochsThatNobodyCountsAreNamed() {
        List<Phase> phases = List.of(
                new Phase("first", gan.d(), Budget.epochs("image", 1)),
                new Phase("second", gan.g(), Budget.epochs("image", 1)));
        assertThat(warnings(Setup.of(gan.graph(), phases).feed(SmallGan.images(64, 8), Resample.EACH_TURN)))
                .containsExactly("phase second counts epochs of image, which no turn of it reads, so it never ends;"
                        + " count rounds or turns");
        Setup unknown = Setup.of(gan.graph(), Plan.sequence(gan.d(), gan.g()), Budget.epochs("imag", 1))
                .feed(SmallGan.images(64, 8), Resample.EACH_TURN)
                .on(Trigger.everyEpochOf("imge"), Action.Usual.SAVE);
        assertThat(warnings(unknown))
                .containsExactly(
                        "phase train counts epochs of imag, but no feed is called that, so a run will be refused; did you"
                                + " mean image?",
                        "a trigger of epochs counts those of imge, but no feed is called that, so a run will be"
                                + " refused; did you mean image?");
    }

    private Setup fed(Plan plan) {
        return fed(plan, gan);
    }

    private static Setup fed(Plan plan, SmallGan gan) {
        return Setup.of(gan.graph(), plan, Budget.rounds(10)).feed(SmallGan.images(64, 8), Resample.EACH_TURN);
    }

    private Setup sound(Plan plan) {
        return fed(plan).copy("generator/**", "ema/generator/**").samples(gan.draw());
    }

    private static List<String> warnings(Setup setup) {
        return PlanFacts.of("gan", "", 7, Map.of(), List.of(), setup).warnings();
    }
}
