package hocket.rl.envs.minatar;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.random.Mt19937;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** The state of a generator MT19937 whose next draws are recorded ones. */
final class RecordedDraws {
    private final List<Integer> words = new ArrayList<>();

    /** Draws of golden files: {@code ["rand", number or list]} and {@code ["randint", low, high, number or list]}. */
    static RecordedDraws of(JsonNode draws) {
        RecordedDraws recorded = new RecordedDraws();
        for (JsonNode draw : draws) {
            boolean isRand = draw.get(0).asText().equals("rand");
            JsonNode values = draw.get(isRand ? 1 : 3);
            List<JsonNode> all = values.isArray()
                    ? StreamSupport.stream(values.spliterator(), false).toList()
                    : List.of(values);
            for (JsonNode value : all) {
                if (isRand) {
                    recorded.rand(Double.parseDouble(value.asText()));
                } else if (draw.get(2).asInt() - draw.get(1).asInt() > 1) {
                    recorded.words.add(value.asInt() - draw.get(1).asInt());
                }
            }
        }
        return recorded;
    }

    /** Adds a draw of {@code rand()}. */
    RecordedDraws rand(double value) {
        long bits = (long) (value * 0x1p53);
        words.add((int) (bits >>> 26) << 5);
        words.add((int) (bits & 0x3ffffff) << 6);
        return this;
    }

    /** Adds the draws of another recording. */
    RecordedDraws then(RecordedDraws other) {
        words.addAll(other.words);
        return this;
    }

    /** The number of words that the draws take. */
    int size() {
        return words.size();
    }

    /** A generator's saved state that gives these draws next. */
    State state() {
        State any = Mt19937.of(0).save();
        long[] state = any.tensor("words").longs();
        for (int i = 0; i < words.size(); i++) {
            state[i] = Integer.toUnsignedLong(untempered(words.get(i)));
        }
        return any.with("words", Tensor.of(Shape.of(state.length), state)).with("position", 0);
    }

    /** The word that the generator's output function makes this one of. */
    private static int untempered(int output) {
        int word = output ^ output >>> 18;
        word ^= word << 15 & 0xefc60000;
        int before = word;
        for (int i = 0; i < 5; i++) {
            before = word ^ before << 7 & 0x9d2c5680;
        }
        word = before;
        for (int i = 0; i < 3; i++) {
            before = word ^ before >>> 11;
        }
        return before;
    }
}
