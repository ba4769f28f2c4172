package plaindjl;

import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.repository.zoo.Criteria;
import ai.djl.repository.zoo.ZooModel;
import ai.djl.translate.NoopTranslator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Loads a model that {@code hocket export} wrote, by DJL alone, and computes its outputs for given inputs.
 *
 * <pre>Compute FOLDER [INPUTS.safetensors [OUTPUTS.safetensors]]</pre>
 *
 * The file of inputs holds arrays {@code input.NAME}; without one, it is the folder's example.safetensors. Arrays {@code
 * output.0}, {@code output.1}, … in it are compared with what comes out, which goes into the file of outputs.
 */
public final class Compute {
    private static final String SYMBOL = "-symbol.json";

    private Compute() {}

    public static void main(String[] args) throws Exception {
        // Before any class of DJL is loaded: it would report its start, and look for libraries, over the network.
        System.setProperty("OPT_OUT_TRACKING", "true");
        System.setProperty("ai.djl.offline", "true");
        if (args.length < 1 || args.length > 3) {
            System.err.println("usage: FOLDER [INPUTS.safetensors [OUTPUTS.safetensors]]");
            System.exit(2);
        }
        Path folder = Path.of(args[0]);
        Path given = args.length > 1 ? Path.of(args[1]) : folder.resolve("example.safetensors");
        Criteria<NDList, NDList> criteria = Criteria.builder()
                .setTypes(NDList.class, NDList.class)
                .optEngine("MXNet")
                .optModelPath(folder)
                .optModelName(name(folder))
                .build();
        try (ZooModel<NDList, NDList> model = criteria.loadModel();
                Predictor<NDList, NDList> predictor = model.newPredictor(new NoopTranslator());
                NDManager manager = model.getNDManager().newSubManager()) {
            NDList inputs = new NDList();
            NDList expected = new NDList();
            for (NDArray array : read(manager, given)) {
                if (array.getName().startsWith("input.")) {
                    array.setName(array.getName().substring("input.".length()));
                    inputs.add(array);
                } else {
                    expected.add(array);
                }
            }
            NDList outputs = predictor.predict(inputs);
            for (int i = 0; i < outputs.size(); i++) {
                NDArray output = outputs.get(i);
                output.setName("output." + i);
                System.out.println(output.getName() + " " + output.getShape() + " " + output.getDataType() + " "
                        + compared(output, expected));
            }
            if (args.length > 2) {
                try (OutputStream out = Files.newOutputStream(Path.of(args[2]))) {
                    outputs.encode(out, NDList.Encoding.SAFETENSORS);
                }
            }
        }
    }

    /** Returns the name of the model: that of the one file with the suffix of symbols. */
    private static String name(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(SYMBOL))
                    .map(file -> file.substring(0, file.length() - SYMBOL.length()))
                    .findFirst()
                    .orElseThrow(() -> new IOException(folder + " holds no model: no file there ends in " + SYMBOL));
        }
    }

    private static NDList read(NDManager manager, Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return NDList.decode(manager, in);
        }
    }

    private static String compared(NDArray output, NDList expected) {
        NDArray same = expected.get(output.getName());
        if (same == null) {
            return "";
        }
        if (!output.getShape().equals(same.getShape()) || output.getDataType() != same.getDataType()) {
            return "should be " + same.getShape() + " " + same.getDataType();
        }
        if (output.toByteBuffer().equals(same.toByteBuffer())) {
            return "equal to the bit";
        }
        double[] computed = numbers(output);
        double[] there = numbers(same);
        double difference = 0;
        double largest = 0;
        for (int i = 0; i < there.length; i++) {
            difference = Math.max(difference, Math.abs(computed[i] - there[i]));
            largest = Math.max(largest, Math.abs(there[i]));
        }
        return largest == 0
                ? "within " + difference + " of nothing but zeros"
                : "within " + difference / largest + " of the largest";
    }

    /** The elements, whatever their type. */
    private static double[] numbers(NDArray array) {
        return Arrays.stream(array.toArray()).mapToDouble(Number::doubleValue).toArray();
    }
}
