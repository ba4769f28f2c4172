package hocket.rl.losses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.losses.LossCase.Way;
import hocket.rl.losses.QuantileHuber.QuantileReduction;
import hocket.rl.losses.QuantileHuber.Scaling;
import hocket.rl.losses.SoftActorCritic.TemperatureLoss;
import hocket.rl.networks.Critics;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests losses against numbers worked by hand, and refused arguments. */
class LossTest {
    private static LossCase rows(int rows) {
        return new LossCase(new Way("reference", ElementType.FLOAT64), rows);
    }

    @Test
    void aRatioOutsideItsRangeHasAGradientOnlyTowardsIt() {
        LossCase graph = rows(4);
        double[] logs = {Math.log(2), Math.log(2), Math.log(0.5), Math.log(0.5)};
        Value logProbability = graph.trained("log", logs);
        Value advantage = graph.fed("advantage", new double[] {1, -1, 1, -1});
        ClippedSurrogate ppo = ClippedSurrogate.of(logProbability, graph.fed("old", new double[4]), advantage, 0.25);
        // min(2, 1.25), min(-2, -1.25), min(0.5, 0.75), min(-0.5, -0.75)
        graph.descend(
                "loss", ppo.loss(), -(1.25 - 2 + 0.5 - 0.75) / 4, Map.of("log", new double[] {0, 0.5, -0.125, 0}));
        graph.expect("clip fraction", ppo.clipFraction(), 1);
        // (2 - 1 - log 2) twice, (0.5 - 1 + log 2) twice
        graph.expect("approximate KL", ppo.approximateKl(), 0.25);
        graph.check();
    }

    @Test
    void aClipRangeMayBeFed() {
        LossCase graph = rows(2);
        Value logProbability = graph.trained("log", new double[] {Math.log(2), 0});
        Value range = Operators.max(graph.constant(new double[] {0.5, 0.25}, 2), 0);
        Value ones = graph.fed("advantage", new double[] {1, 1});
        ClippedSurrogate ppo = ClippedSurrogate.of(logProbability, graph.fed("old", new double[2]), ones, range);
        graph.descend("loss", ppo.loss(), -(1.5 + 1) / 2, Map.of("log", new double[] {0, -0.5}));
        graph.expect("clip fraction", ppo.clipFraction(), 0.5);
        graph.check();
    }

    @Test
    void atARatioOfOneEveryRowHasAGradient() {
        LossCase graph = rows(2);
        Value logProbability = graph.trained("log", new double[] {-1, -2});
        Value old = graph.fed("old", new double[] {-1, -2});
        ClippedSurrogate ppo =
                ClippedSurrogate.of(logProbability, old, graph.fed("advantage", new double[] {3, -5}), 0.2);
        graph.descend("loss", ppo.loss(), 1, Map.of("log", new double[] {-1.5, 2.5}));
        graph.check();
    }

    @Test
    void theEstimatesOfADivergenceDiffer() {
        LossCase graph = rows(1);
        Value logProbability = graph.trained("log", new double[] {Math.log(2)});
        Value old = graph.fed("old", new double[] {0});
        graph.expect("k1", KlEstimator.K1.of(logProbability, old), -Math.log(2));
        graph.expect("k2", KlEstimator.K2.of(logProbability, old), Math.log(2) * Math.log(2) / 2);
        graph.expect("k3", KlEstimator.K3.of(logProbability, old), 1 - Math.log(2));
        graph.check();
    }

    @Test
    void aSingleAdvantageIsNotNormalised() {
        LossCase one = rows(1);
        one.expect("one", PolicyGradient.normalised(one.fed("advantage", new double[] {7})), 7);
        one.check();
        LossCase two = rows(2);
        double half = Math.sqrt(0.5);
        double scaled = 1 / (1 / half + 1e-8);
        two.expect("two", PolicyGradient.normalised(two.fed("advantage", new double[] {1, 3})), -scaled, scaled);
        two.check();
        LossCase equal = rows(2);
        equal.expect("equal", PolicyGradient.normalised(equal.fed("advantage", new double[] {5, 5})), 0, 0);
        equal.check();
    }

    @Test
    void theConventionsOfTheValueLossDiffer() {
        LossCase graph = rows(2);
        Value value = graph.trained("value", new double[] {3, 0});
        Value old = graph.fed("old", new double[] {1, 1});
        Value target = graph.fed("return", new double[] {4, 4});
        // clipped to 2 and 0: squares 1, 16 without, 4, 16 with
        graph.descend(
                "sb3", ValueLoss.STABLE_BASELINES3.loss(value, target), 8.5, Map.of("value", new double[] {-1, -4}));
        graph.descend(
                "sb3, clipped",
                ValueLoss.STABLE_BASELINES3.clipped(value, old, target, 1),
                10,
                Map.of("value", new double[] {0, -4}));
        graph.descend(
                "cleanrl", ValueLoss.CLEAN_RL.loss(value, target), 4.25, Map.of("value", new double[] {-0.5, -2}));
        graph.descend(
                "cleanrl, clipped", ValueLoss.CLEAN_RL.clipped(value, old, target, 1), 5, Map.of("value", new double[] {
                    0, -2
                }));
        graph.check();
    }

    @Test
    void aRegressionAddsItsCriticsAndWeighsItsRows() {
        LossCase graph = rows(2);
        Value target = graph.fed("target", new double[] {1, 0});
        Value first = graph.trained("first", new double[] {0, 3});
        Value second = graph.trained("second", new double[] {1, 0.5});
        Value weight = graph.fed("weight", new double[] {4, 2});
        graph.descend(
                "squared",
                RegressionLoss.SQUARED.loss(target, first, second),
                5 + 0.125,
                Map.of("first", new double[] {-1, 3}, "second", new double[] {0, 0.5}));
        graph.descend(
                "half", RegressionLoss.HALF_SQUARED.loss(target, first), 2.5, Map.of("first", new double[] {-0.5, 1.5
                }));
        graph.descend(
                "huber", RegressionLoss.HUBER.loss(target, first), 1.5, Map.of("first", new double[] {-0.5, 0.5}));
        graph.descend(
                "weighted huber",
                RegressionLoss.HUBER.weighted(weight, target, first),
                3.5,
                Map.of("first", new double[] {-2, 1}));
        graph.expect("error", new Critics(List.of(first, second)).error(target), 1, 3);
        graph.expect("error of the other", new Critics(List.of(second, second)).error(target), 0, 0.5);
        graph.check();
    }

    @Test
    void aTargetBootstrapsUntilTheEpisodeTerminates() {
        LossCase graph = rows(2);
        Value terminated = graph.fed("terminated", new double[] {0, 1});
        Value discount = BellmanTargets.discount(terminated, 0.5, 3);
        graph.expect("discount", discount, 0.125, 0);
        Value reward = graph.fed("reward", new double[] {1, 2});
        Value next = graph.trained("next", new double[] {16, 16});
        graph.expect("target", BellmanTargets.bootstrapped(reward, discount, next), 3, 2);
        Value rewards = graph.fed("rewards", new double[] {1, 2, 4, 1, 2, 4}, 3);
        Value discounts = graph.fed("discounts", new double[] {0.5, 0.5, 0.5, 0.5, 0, 0.5}, 3);
        graph.expect("n steps", BellmanTargets.nStep(rewards, discounts, next), 1 + 0.5 * (2 + 0.5 * (4 + 8)), 2);
        graph.check();
        Program program = Program.compile(
                "p", Mode.TRAIN, Loss.of(Operators.mean(BellmanTargets.bootstrapped(reward, discount, next))));
        assertThat(program.reached()).isEmpty();
    }

    @Test
    void theValuesOfActionsAreReadInThreeWays() {
        LossCase graph = rows(1);
        Value q = graph.fed("q", new double[] {1, 5, 3}, 3);
        Value selector = graph.fed("selector", new double[] {0, 0, 1}, 3);
        graph.expect("greatest", BellmanTargets.maxQ(q), 5);
        graph.expect("double", BellmanTargets.doubleQ(q, selector), 3);
        Value probabilities = graph.fed("p", new double[] {0.5, 0.25, 0.25}, 3);
        graph.expect("expected", BellmanTargets.expected(q, probabilities), 2.5);
        Value height = graph.fed("v", new double[] {10}, 1);
        graph.expect("dueling by the mean", Dueling.MEAN.of(height, q), 8, 12, 10);
        graph.expect("dueling by largest value", Dueling.GREATEST.of(height, q), 6, 10, 8);
        Value other = graph.fed("other", new double[] {2, 4, 4}, 3);
        graph.expect("smallest", BellmanTargets.minQ(q, other, selector), 0, 0, 1);
        graph.check();
    }

    @Test
    void probabilityBetweenAtomsIsSharedByDistanceAndOutsideGoesToTheOutermost() {
        LossCase graph = rows(1);
        CategoricalAtoms atoms = CategoricalAtoms.of(0, 1, 3);
        Value points = graph.fed("points", new double[] {-5, 0.25, 1.5, 7}, 4);
        Value masses = graph.fed("masses", new double[] {0.1, 0.2, 0.3, 0.4}, 4);
        // 0.25 is 3/4 of 0 and 1/4 of 1; 1.5 is 3/4 of 1 and 1/4 of 3
        graph.expect("projected", atoms.project(points, masses), 0.1 + 0.15, 0.05 + 0.225, 0.075 + 0.4);
        Value one = graph.fed("one", new double[] {1});
        Value half = graph.fed("half", new double[] {0.5});
        Value certain = graph.fed("certain", new double[] {0, 1, 0}, 3);
        // all at 1 + 0.5·1 = 1.5
        graph.expect("target", atoms.target(one, half, certain), 0, 0.75, 0.25);
        graph.expect("expectation", atoms.expectation(graph.fed("logits", new double[3], 3)), 4.0 / 3);
        graph.check();
        assertThat(CategoricalAtoms.linspace(-10, 10, 51).returns())
                .hasSize(51)
                .startsWith(-10.0, -9.6)
                .endsWith(10.0);
    }

    @Test
    void quantilesOfTwoTargetsByTwoConventions() {
        LossCase graph = rows(1);
        Value quantiles = graph.trained("theta", new double[] {0, 1}, 2);
        Value target = graph.fed("target", new double[] {0.25, 4}, 2);
        Value tau = QuantileHuber.midpoints(graph.graph, 2);
        // errors 0.25, 4 of τ = 1/4; -0.75, 3 of τ = 3/4 (weight 1/4 below). kappa 0.5:
        // huber 0.03125, 1.875; 0.25, 1.375
        double first = 0.25 * (0.03125 + 1.875) / 2;
        double second = (0.25 * 0.25 + 0.75 * 1.375) / 2;
        double[] slopes = {-0.25 * (0.25 + 0.5) / 2, (0.25 * 0.5 - 0.75 * 0.5) / 2};
        QuantileHuber plain = new QuantileHuber(0.5, Scaling.PLAIN, QuantileReduction.SUM);
        graph.descend("plain", sum(plain.perRow(quantiles, tau, target)), first + second, Map.of("theta", slopes));
        QuantileHuber divided = new QuantileHuber(0.5, Scaling.DIVIDED_BY_KAPPA, QuantileReduction.MEAN);
        graph.descend("divided", sum(divided.perRow(quantiles, tau, target)), first + second, Map.of("theta", slopes));
        QuantileHuber sharp = new QuantileHuber(0, Scaling.DIVIDED_BY_KAPPA, QuantileReduction.SUM);
        graph.expect("sharp", sharp.perRow(quantiles, tau, target), 0.25 * 4.25 / 2 + (0.25 * 0.75 + 0.75 * 3) / 2);
        graph.check();
    }

    private static Value sum(Value x) {
        return Operators.sum(x);
    }

    @Test
    void theTemperatureRisesWhereThePolicyIsTooCertain() {
        LossCase graph = rows(2);
        Value logTemperature = graph.trainedNumber("log_alpha", Math.log(2));
        Value logProbability = graph.trained("log", new double[] {3, 5});
        // mean of log π + target is 2
        graph.descend(
                "of the logarithm",
                TemperatureLoss.OF_LOGARITHM.loss(logTemperature, logProbability, -2),
                -2 * Math.log(2),
                Map.of("log_alpha", new double[] {-2}));
        graph.descend(
                "of the temperature",
                TemperatureLoss.OF_TEMPERATURE.loss(logTemperature, logProbability, -2),
                -4,
                Map.of("log_alpha", new double[] {-4}));
        graph.check();
        Program program = Program.compile(
                "p", Mode.TRAIN, Loss.of(TemperatureLoss.OF_LOGARITHM.loss(logTemperature, logProbability, -2)));
        assertThat(program.reached()).hasToString("[given/log_alpha/table]");
    }

    @Test
    void noGradientFlowsIntoFixedArguments() {
        LossCase graph = rows(2);
        double[] two = new double[2];
        Value given = graph.trained("given", two);
        Value moved = graph.trained("moved", two);
        Value temperature = graph.trainedNumber("alpha", 1);
        for (Value loss : new Value[] {
            PolicyGradient.loss(moved, given),
            ClippedSurrogate.of(moved, given, given, 0.2).loss(),
            ValueLoss.CLEAN_RL.clipped(moved, given, given, 0.2),
            RegressionLoss.HUBER.loss(given, moved),
            RegressionLoss.HUBER.weighted(given, given, moved),
            SoftActorCritic.actorLoss(moved, moved, temperature)
        }) {
            assertThat(Program.compile("p", Mode.TRAIN, Loss.of(loss)).reached())
                    .hasToString("[given/moved/table]");
        }
    }

    @Test
    void argumentsThatDoNotFitAreRefusedByName() {
        Graph graph = new Graph();
        Value number = graph.input("number", Shape.scalar());
        Value single = graph.input("single", Shape.of(1));
        Value four = graph.input("four", Shape.of(4));
        assertThat(PolicyGradient.loss(number, single).shape()).isEqualTo(Shape.scalar());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PolicyGradient.loss(number, four))
                .withMessage(
                        "policy gradient: advantage must be of the shape of the log-probability, got four (batch,4)"
                                + " and number (batch)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClippedSurrogate.of(number, four, number, 0.2))
                .withMessageStartingWith("PPO: the old log-probability must be of the shape");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClippedSurrogate.of(number, number, number, 0))
                .withMessage("PPO: clip range: must be finite and above 0, was 0.0");
        assertThatIllegalArgumentException().isThrownBy(() -> ClippedSurrogate.of(number, number, number, four));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueLoss.CLEAN_RL.loss(number, four))
                .withMessageStartingWith("value loss: the return must be of the shape of the value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueLoss.CLEAN_RL.clipped(number, number, number, Double.NaN));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RegressionLoss.SQUARED.loss(number))
                .withMessage("regression: needs at least one of predictions, got none");
        assertThatIllegalArgumentException().isThrownBy(() -> RegressionLoss.SQUARED.loss(number, four));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BellmanTargets.discount(number, 1.01, 1))
                .withMessage("target: gamma: must be between 0 and 1, was 1.01");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BellmanTargets.discount(number, 1, 0))
                .withMessage("target: steps: must be at least 1, was 0");
        assertThatIllegalArgumentException().isThrownBy(() -> BellmanTargets.bootstrapped(number, four, number));
        assertThatIllegalArgumentException().isThrownBy(() -> BellmanTargets.nStep(four, four, four));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BellmanTargets.maxQ(number))
                .withMessage("Q-learning: values of actions must be (…, n), got number (batch)");
        assertThatIllegalArgumentException().isThrownBy(() -> BellmanTargets.doubleQ(four, single));
        assertThatIllegalArgumentException().isThrownBy(BellmanTargets::minQ);
        assertThatIllegalArgumentException().isThrownBy(() -> Dueling.MEAN.of(four, four));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CategoricalAtoms.of(0, 1, 1))
                .withMessage("atoms: must be finite and rise, was 1.0 at 2 after 1.0");
        assertThatIllegalArgumentException().isThrownBy(() -> CategoricalAtoms.linspace(0, 1, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CategoricalAtoms.of(0, 1).expectation(four))
                .withMessage("atoms: the logits must be (…, 2), one for each, got four (batch,4)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuantileHuber(-1, Scaling.PLAIN, QuantileReduction.SUM))
                .withMessage("quantile Huber: kappa: must be finite and at least 0, was -1.0");
        assertThatIllegalArgumentException().isThrownBy(() -> new QuantileHuber().perRow(four, single, four));
        assertThatIllegalArgumentException().isThrownBy(() -> SoftActorCritic.actorLoss(number, four, number));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeterministicPolicyGradient.smoothed(four, four, -0.5, -1, 1))
                .withMessage("TD3: noise limit: must be finite and at least 0, was -0.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeterministicPolicyGradient.smoothed(four, four, 0.5, 1, -1))
                .withMessageContaining("low must be at most high, got 1.0 and -1.0");
    }
}
