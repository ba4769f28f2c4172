package hocket.rl.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.Golden;
import hocket.rl.random.Pcg64;
import hocket.rl.sampling.PrioritisedSampler.Prioritised;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PrioritisedSamplerTest {
    /** Of sums in another order, relative. */
    private static final double ROUNDING = 1e-12;

    private static Prioritised filled(PrioritisedSampler sampler, int capacity, float... errors) {
        Prioritised rows = sampler.of(capacity);
        for (int i = 0; i < errors.length; i++) {
            rows.added(i);
        }
        int[] places = new int[errors.length];
        Arrays.setAll(places, i -> i);
        rows.learnt(places, errors);
        return rows;
    }

    @Test
    @Tag("golden")
    void prioritiesPlacesAndWeightsAreThoseOfTheReference() {
        for (JsonNode one :
                Golden.read("losses/rl2.json").get("prioritised_replay").get("cases")) {
            int capacity = one.get("capacity").asInt();
            Prioritised rows = new PrioritisedSampler(
                            one.get("alpha").asDouble(), 0.4, one.get("eps").asDouble())
                    .of(capacity);
            int added = 0;
            int events = 0;
            for (JsonNode event : one.get("events")) {
                switch (event.get("op").asText()) {
                    case "add" -> {
                        for (int i = 0; i < event.get("count").asInt(); i++) {
                            rows.added(added++ % capacity);
                        }
                        checkPriorities(rows, event);
                    }
                    case "update" -> {
                        double[] errors = Golden.numbers(event.get("td_errors"));
                        for (int i = 0; i < errors.length; i++) {
                            rows.learnt(places(event)[i], errors[i]);
                        }
                        checkPriorities(rows, event);
                    }
                    case "sample" -> checkDraw(rows, Math.min(added, capacity), event);
                    default -> throw new AssertionError(event);
                }
                events++;
            }
            assertThat(events).isPositive();
        }
    }

    private static int[] places(JsonNode event) {
        return Arrays.stream(Golden.numbers(event.get("indices")))
                .mapToInt(place -> (int) place)
                .toArray();
    }

    private static void checkPriorities(Prioritised rows, JsonNode event) {
        double[] expected = Golden.numbers(event.get("priorities"));
        for (int i = 0; i < expected.length; i++) {
            assertThat(rows.priority(i)).isCloseTo(expected[i], within(ROUNDING * (1 + expected[i])));
        }
        double sum = event.get("total").asDouble();
        assertThat(rows.sum()).isCloseTo(sum, within(ROUNDING * sum));
        assertThat(rows.largest())
                .isCloseTo(event.get("max_priority_before_alpha").asDouble(), within(ROUNDING));
    }

    private static void checkDraw(Prioritised rows, int size, JsonNode event) {
        double[] uniforms = Golden.numbers(event.get("uniforms"));
        int[] places = places(event);
        for (int i = 0; i < places.length; i++) {
            int drawn = event.get("stratified").asBoolean()
                    ? rows.place(i, places.length, uniforms[i])
                    : rows.place(uniforms[i] * rows.sum());
            assertThat(drawn).isEqualTo(places[i]);
        }
        assertThat(rows.weights(places, size, event.get("beta").asDouble()))
                .containsExactly(Golden.numbers(event.get("weights_over_batch_max")), within(1e-11));
    }

    @Test
    void rowsAreDrawnInProportionToTheirPriorities() {
        Prioritised rows = filled(PrioritisedSampler.usual().alpha(1).epsilon(0), 5, 1, -2, 0, 5);
        int[] places = new int[8000];
        float[] weights = new float[places.length];
        rows.draw(places, weights, 4, 0, Pcg64.of(7));
        int[] counts = new int[5];
        for (int place : places) {
            counts[place]++;
        }
        // a batch is stratified: each row is drawn as often as its share says, but for one draw at either end
        assertThat(counts[0]).isBetween(999, 1001);
        assertThat(counts[1]).isBetween(1998, 2002);
        assertThat(counts[2]).isZero();
        assertThat(counts[3]).isBetween(4998, 5002);
        assertThat(counts[4]).isZero();
        // (4·p)^-0.4 over the largest of the batch, which is that of the row drawn least
        assertThat(weights[0]).isEqualTo(1);
        assertThat(weights[places.length - 1]).isCloseTo((float) Math.pow(5, -0.4), within(1e-6f));
    }

    @Test
    void theExponentOfTheWeightsGrowsToOne() {
        Prioritised rows = filled(PrioritisedSampler.usual().alpha(1).epsilon(0), 2, 1, 3);
        int[] places = new int[4];
        float[] weights = new float[4];
        rows.draw(places, weights, 2, 1, Pcg64.of(7));
        assertThat(places).containsExactly(0, 1, 1, 1);
        assertThat(weights).containsExactly(new float[] {1, 1 / 3f, 1 / 3f, 1 / 3f}, within(1e-6f));
        rows.draw(places, weights, 2, 0.5, Pcg64.of(7));
        assertThat(weights[1]).isCloseTo((float) Math.pow(3, -0.7), within(1e-6f));
    }

    @Test
    void aNewRowHasTheLargestPrioritySoFarAndTakesAnOldOnesPlace() {
        Prioritised rows = filled(PrioritisedSampler.usual().alpha(1).epsilon(0), 2, 0, 4);
        rows.added(0);
        assertThat(rows.priority(0)).isEqualTo(4);
        rows.learnt(new int[] {0, 1}, new float[] {1, 1});
        rows.added(1);
        assertThat(rows.priority(1)).isEqualTo(4);
    }

    @Test
    void whereNoRowHasAnErrorAllWeigh1() {
        Prioritised rows = filled(PrioritisedSampler.usual().epsilon(0), 3, 0, 0, 0);
        int[] places = new int[2];
        float[] weights = new float[2];
        rows.draw(places, weights, 3, 0, Pcg64.of(7));
        assertThat(Arrays.stream(places).boxed()).isSubsetOf(0, 1, 2);
        assertThat(weights).containsExactly(1, 1);
    }

    @Test
    void aRestoredOneContinuesBitForBit() {
        Prioritised one = filled(PrioritisedSampler.usual(), 1000, 1, -2, 0.25f, 3, 7);
        Prioritised other = PrioritisedSampler.usual().of(1000);
        other.added(900); // is forgotten
        other.restore(one.save());
        assertThat(other.save().equals(one.save())).isTrue();
        for (Prioritised each : new Prioritised[] {one, other}) {
            each.added(5);
        }
        int[][] places = new int[2][100];
        float[][] weights = new float[2][100];
        one.draw(places[0], weights[0], 6, 0.5, Pcg64.of(7));
        other.draw(places[1], weights[1], 6, 0.5, Pcg64.of(7));
        assertThat(places[1]).containsExactly(places[0]);
        assertThat(weights[1]).containsExactly(weights[0]);
        assertThatThrownBy(() -> PrioritisedSampler.usual().of(4).restore(one.save()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sampler: was saved with 6 priorities, here it has room for 4");
    }

    @Test
    void anErrorThatIsNoNumberIsRefusedAndNothingChanges() {
        Prioritised rows = filled(PrioritisedSampler.usual(), 2, 1, 2);
        double before = rows.sum();
        assertThatThrownBy(() -> rows.learnt(new int[] {0, 1}, new float[] {9, Float.NaN}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sampler: an error must be a finite number, was NaN");
        assertThat(rows.sum()).isEqualTo(before);
    }

    @Test
    void moreRowsThanAnArrayHoldsAreRefused() {
        assertThatThrownBy(() -> PrioritisedSampler.usual().of(Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sampler: priorities: must have at most 2147483647 elements");
    }
}
