package hocket.rl.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Loads the weights of an {@code MlpPolicy} of Stable-Baselines3's PPO or A2C from JSON: an object (or one under {@code
 * weights}) of PyTorch's names, each with {@code shape} and row-major {@code data}. A layer's weight is (out, in).
 *
 * <p>{@code mlp_extractor.policy_net.0} becomes {@code actor/hidden0}, {@code .2} becomes {@code hidden1} and so on,
 * {@code action_net} {@code actor/out}, {@code log_std} {@code actor/log_std}; {@code mlp_extractor.value_net.0} {@code
 * critic/hidden0}, {@code value_net} {@code critic/out}. The critic's weights are skipped where a store has no critic.
 */
public final class StableBaselines {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern HIDDEN =
            Pattern.compile("mlp_extractor\\.(policy|value)_net\\.(\\d{1,6})\\.(weight|bias)");
    private static final Pattern LAST = Pattern.compile("(action|value)_net\\.(weight|bias)");

    private StableBaselines() {}

    /**
     * Loads weights into a store.
     *
     * @throws IllegalArgumentException if a weight is missing, unknown, of the wrong shape or not made of numbers,
     *     naming it; then nothing was written
     * @throws IOException if the text cannot be read, or is not JSON
     */
    public static void load(InputStream json, Parameters parameters) throws IOException {
        JsonNode root = MAPPER.readTree(json);
        JsonNode weights = root.path("weights").isObject() ? root.get("weights") : root;
        SortedMap<String, double[]> read = new TreeMap<>();
        SortedMap<String, String> names = names(weights);
        boolean hasCritic = parameters.declarations().stream().anyMatch(each -> isUnder("critic", each));
        names.forEach((path, name) -> {
            if (hasCritic || !path.startsWith("critic/")) {
                read.put(path, numbers(name, weights.get(name), declared(name, path, parameters)));
            }
        });
        for (Declaration declaration : parameters.declarations()) {
            String path = declaration.path().text();
            if ((isUnder("actor", declaration) || isUnder("critic", declaration)) && !read.containsKey(path)) {
                throw new IllegalArgumentException("weights for " + path + " " + declaration.shape() + " are missing"
                        + SimilarNames.among(path, names.keySet()));
            }
        }
        read.forEach(parameters::set);
    }

    private static boolean isUnder(String module, Declaration declaration) {
        return declaration.path().text().startsWith(module + "/");
    }

    /** PyTorch's names by the paths of their parameters. */
    private static SortedMap<String, String> names(JsonNode weights) {
        SortedMap<String, TreeSet<Integer>> places = new TreeMap<>();
        for (Iterator<String> all = weights.fieldNames(); all.hasNext(); ) {
            Matcher hidden = HIDDEN.matcher(all.next());
            if (hidden.matches()) {
                places.computeIfAbsent(hidden.group(1), net -> new TreeSet<>()).add(Integer.valueOf(hidden.group(2)));
            }
        }
        SortedMap<String, String> names = new TreeMap<>();
        for (Iterator<String> all = weights.fieldNames(); all.hasNext(); ) {
            String name = all.next();
            names.put(path(name, places), name);
        }
        return names;
    }

    private static String path(String name, Map<String, TreeSet<Integer>> places) {
        Matcher hidden = HIDDEN.matcher(name);
        if (hidden.matches()) {
            // between two layers of a torch Sequential there is an activation
            int layer = places.getOrDefault(hidden.group(1), new TreeSet<>())
                    .headSet(Integer.valueOf(hidden.group(2)))
                    .size();
            return module(hidden.group(1)) + "/hidden" + layer + "/" + hidden.group(3);
        }
        Matcher last = LAST.matcher(name);
        if (last.matches()) {
            return module(last.group(1)) + "/out/" + last.group(2);
        }
        if (name.equals("log_std")) {
            return "actor/log_std";
        }
        throw new IllegalArgumentException("weight " + name + " is not one of an MlpPolicy of Stable-Baselines3");
    }

    private static String module(String net) {
        return net.equals("value") ? "critic" : "actor";
    }

    private static Shape declared(String name, String path, Parameters parameters) {
        if (!parameters.contains(Path.of(path))) {
            throw new IllegalArgumentException("weight " + name + " has no " + path + " to go to"
                    + SimilarNames.among(
                            path,
                            parameters.declarations().stream()
                                    .map(Declaration::path)
                                    .toList()));
        }
        return parameters.declaration(Path.of(path)).shape();
    }

    private static double[] numbers(String name, JsonNode weight, Shape wanted) {
        JsonNode shape = weight.path("shape");
        int[] extents = IntStream.range(0, shape.size())
                .map(i -> shape.get(i).asInt(-1))
                .toArray();
        boolean fits = shape.isArray() && Arrays.equals(extents, wanted.extents());
        JsonNode data = weight.path("data");
        if (!fits || data.size() != wanted.size()) {
            throw new IllegalArgumentException("weight " + name + ": must have shape " + wanted + " and "
                    + wanted.size() + " numbers, has shape " + shape + " and " + data.size());
        }
        double[] numbers = new double[data.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (!data.get(i).isNumber() || !Double.isFinite(data.get(i).asDouble())) {
                throw new IllegalArgumentException(
                        "weight " + name + ": number " + i + " must be finite, was " + data.get(i));
            }
            numbers[i] = data.get(i).asDouble();
        }
        return numbers;
    }
}
