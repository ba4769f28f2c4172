package hocket.programs.execution;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.ProgramListing;
import hocket.programs.ProgramListing.Line;
import hocket.programs.layers.Window;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Products;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An EVAL program whose batch norms are folded into the layers before them, for inference: {@code
 * BatchNormFolding.of(draw, parameters.snapshot())}. With {@code s = scale / sqrt(variance + epsilon)} of each channel,
 * a layer's weights of that channel become {@code s·W} and its bias {@code s·(b - mean) + shift} (Jacob et al. 2018,
 * section 3.2), in double precision, rounded once. The program computes the same but for rounding.
 *
 * <p>Folded is a batch norm that reads a dense layer's rows (units), a convolution or a transposed one, at once or
 * through reshapes that keep each unit or filter within a channel. Other batch norms stay: those where a second value
 * reads the one in between, or it is a target; where the weight or bias is read a second time (by a module that is
 * called twice, or through a mapping), or is made of others (weight norm, spectral norm).
 *
 * <p>The remaining values keep their path and meaning. The layer, or the last reshape after it, takes the place and
 * path of the batch norm, and a layer with reshapes after it is under that path: {@code generator/bn0/project}. A layer
 * without a bias gets one next to its weight: {@code generator/conv1/bias}.
 *
 * @param program without the batch norms that were folded
 * @param values of the parameters that it reads, and of no others: they differ from those of training
 * @param folded the paths of these batch norms, in the order of computation
 */
public record BatchNormFolding(Program program, Snapshot values, List<Path> folded) {
    public BatchNormFolding {
        folded = List.copyOf(folded);
    }

    /**
     * Folds all that can be.
     *
     * @param program in EVAL mode
     * @param values of the parameters that it reads, by the paths in the store; others may be among them
     * @throws IllegalArgumentException if the program is in TRAIN mode, where batch norms normalise by the batch, or a
     *     parameter is missing among the values or has another shape or type there
     */
    public static BatchNormFolding of(Program program, Snapshot values) {
        if (program.mode() != Mode.EVAL) {
            throw new IllegalArgumentException("program " + program.name()
                    + " is compiled for TRAIN, where batch norms normalise by the batch: compile it for EVAL");
        }
        program.parameters().forEach((path, value) -> {
            Tensor tensor = values.tensor(path.text());
            if (!tensor.shape().equals(value.shape()) || tensor.type() != value.type()) {
                throw new IllegalArgumentException("program " + program.name() + " reads " + path + " as "
                        + value.type() + value.shape() + ", its value is " + tensor.signature());
            }
        });
        return new Folding(program, values).run();
    }

    /** A layer, its batch norm, and the reshapes between them. */
    private record Match(Line layer, List<Line> reshapes, Line norm) {}

    /** The state of the folding: lines by path, in order, and values by stored path. */
    private static final class Folding {
        private final Program program;
        private final ProgramListing listing;
        private final Map<Path, Line> lines = new LinkedHashMap<>();
        private final SortedMap<Path, Tensor> values;
        private final Map<Path, Integer> readers = new HashMap<>();
        private final Map<Path, Line> renamed = new HashMap<>();
        private final Map<Path, Line> added = new HashMap<>();
        private final Set<Path> taken = new HashSet<>();
        private final List<Path> folded = new ArrayList<>();

        Folding(Program program, Snapshot snapshot) {
            this.program = program;
            this.listing = ProgramListing.of(program);
            this.values = new TreeMap<>(snapshot.tensors());
            for (Line line : listing.lines()) {
                lines.put(line.path(), line);
                taken.add(line.path());
                line.inputs().forEach(input -> readers.merge(key(input), 1, Integer::sum));
            }
            listing.targets().forEach(target -> readers.merge(key(target), 1, Integer::sum));
        }

        /** A parameter that is read, by its path in the store, which several may share. */
        private Path key(Path path) {
            Line line = lines.get(path);
            return line != null && line.operator() instanceof Leaf.Variable ? program.stored(path) : path;
        }

        private boolean readOnce(Path path) {
            return Objects.equals(readers.get(key(path)), 1);
        }

        private Line line(Path path) {
            return Objects.requireNonNull(lines.get(path));
        }

        BatchNormFolding run() {
            for (Line line : listing.lines()) {
                if (line.operator() instanceof BatchNorm && values.containsKey(stored(line, BatchNorm.MEAN))) {
                    match(line).ifPresent(this::fold);
                }
            }
            Program least = rewritten();
            SortedMap<Path, Tensor> read = new TreeMap<>();
            least.parameters().keySet().forEach(path -> read.put(path, Objects.requireNonNull(values.get(path))));
            return new BatchNormFolding(least, new Snapshot(read), folded);
        }

        private Path stored(Line line, int input) {
            return program.stored(line.inputs().get(input));
        }

        private Optional<Match> match(Line norm) {
            List<Line> reshapes = new ArrayList<>();
            Line before = line(norm.inputs().get(BatchNorm.X));
            while (before.operator() instanceof Arrangement.Reshape && readOnce(before.path())) {
                reshapes.add(0, before);
                before = line(before.inputs().get(0));
            }
            boolean foldable = isLayer(before)
                    && readOnce(before.path())
                    && before.inputs().stream().skip(1).allMatch(this::isOwn)
                    && keepsChannels(before, norm);
            return foldable ? Optional.of(new Match(before, reshapes, norm)) : Optional.empty();
        }

        private static boolean isLayer(Line line) {
            return line.operator() instanceof Products.Dense && line.shape().rank() == 1
                    || line.operator() instanceof Products.Convolution
                    || line.operator() instanceof Products.TransposedConvolution;
        }

        private boolean isOwn(Path operand) {
            Path parameter = parameter(operand);
            return line(parameter).operator() instanceof Leaf.Variable && readOnce(parameter);
        }

        /** Returns the value that a weight reshapes, as in a convolution over rows; otherwise the weight. */
        private Path parameter(Path operand) {
            Path path = operand;
            while (line(path).operator() instanceof Arrangement.Reshape && readOnce(path)) {
                path = line(path).inputs().get(0);
            }
            return path;
        }

        /** Returns whether the elements of one output of the layer lie in one channel of the norm. */
        private static boolean keepsChannels(Line layer, Line norm) {
            int perOutput = layer.shape().size() / layer.shape().get(0);
            int perChannel = norm.shape().size() / norm.shape().get(0);
            return perChannel % perOutput == 0;
        }

        private void fold(Match match) {
            Line layer = match.layer();
            Line norm = match.norm();
            int outputs = layer.shape().get(0);
            int perChannel = outputs / norm.shape().get(0);
            double[] scale = numbers(norm, BatchNorm.SCALE);
            double[] shift = numbers(norm, BatchNorm.SHIFT);
            double[] mean = numbers(norm, BatchNorm.MEAN);
            double[] variance = numbers(norm, BatchNorm.VARIANCE);
            double epsilon = ((BatchNorm) norm.operator()).epsilon();
            double[] factor = new double[outputs];
            double[] bias = layer.inputs().size() > 2 ? numbers(layer, 2) : new double[outputs];
            for (int o = 0; o < outputs; o++) {
                int c = o / perChannel;
                factor[o] = scale[c] / Math.sqrt(variance[c] + epsilon);
                bias[o] = factor[o] * (bias[o] - mean[c]) + shift[c];
            }
            Path biasPath = layer.inputs().size() > 2 ? layer.inputs().get(2) : newBias(layer);
            put(program.stored(parameter(biasPath)), Shape.of(outputs), layer.type(), bias);
            Path weight = program.stored(parameter(layer.inputs().get(1)));
            Tensor before = value(weight);
            Shape extents = line(layer.inputs().get(1)).shape();
            put(weight, before.shape(), before.type(), scaled(layer, extents, before.doubles(), factor));
            folded.add(norm.path());
            rename(match, biasPath);
        }

        private Tensor value(Path path) {
            return Objects.requireNonNull(values.get(path));
        }

        private double[] numbers(Line line, int input) {
            return value(program.stored(parameter(line.inputs().get(input)))).doubles();
        }

        private void put(Path path, Shape shape, ElementType type, double[] numbers) {
            values.put(path, Tensor.rounded(shape, type, numbers));
        }

        /** A new bias for the weight, under an unused name. */
        private Path newBias(Line layer) {
            String weight = parameter(layer.inputs().get(1)).text();
            int slash = weight.lastIndexOf('/');
            String prefix = slash < 0 ? "" : weight.substring(0, slash + 1);
            Path path = Path.of(prefix + "bias");
            for (int i = 2; taken.contains(path) || values.containsKey(program.stored(path)); i++) {
                path = Path.of(prefix + "bias_" + i);
            }
            taken.add(path);
            Shape shape = Shape.of(layer.shape().get(0));
            Declaration declaration = Declaration.zeros(path, shape, layer.type());
            Line line = new Line(path, new Leaf.Variable(declaration), List.of(), shape, false, layer.type());
            lines.put(path, line);
            added.put(layer.path(), line);
            return path;
        }

        /** The weights, those of each output times its factor; their extents as the layer reads them. */
        private static double[] scaled(Line layer, Shape extents, double[] weight, double[] factor) {
            int rows = extents.get(0);
            int perRow = weight.length / rows;
            double[] numbers = weight.clone();
            if (layer.operator() instanceof Products.TransposedConvolution transposed) {
                // (inputs, outputs/groups, taps): the outputs of a group come from its own inputs.
                int outputs = extents.get(1);
                int inputs = rows / transposed.kernel().groups();
                for (int i = 0; i < numbers.length; i++) {
                    int row = i / perRow;
                    numbers[i] *= factor[row / inputs * outputs + i % perRow / (perRow / outputs)];
                }
                return numbers;
            }
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] *= factor[i / perRow];
            }
            return numbers;
        }

        private void rename(Match match, Path bias) {
            Line layer = match.layer();
            Path place = match.norm().path();
            List<Path> inputs = List.of(layer.inputs().get(0), layer.inputs().get(1), bias);
            if (match.reshapes().isEmpty()) {
                renamed.put(layer.path(), layer.with(place, biased(layer.operator()), inputs));
                return;
            }
            Path under = Path.of(place + "/" + layer.path().name().replaceAll("#.*", ""));
            Path own = taken.add(under) ? under : layer.path();
            renamed.put(layer.path(), layer.with(own, biased(layer.operator()), inputs));
            Line last = match.reshapes().get(match.reshapes().size() - 1);
            renamed.put(last.path(), last.with(place, last.operator(), last.inputs()));
        }

        private static Operator biased(Operator operator) {
            if (operator instanceof Products.Convolution convolution) {
                return new Products.Convolution(biased(convolution.kernel()));
            } else if (operator instanceof Products.TransposedConvolution transposed) {
                return new Products.TransposedConvolution(biased(transposed.kernel()));
            }
            return operator;
        }

        private static Window biased(Window window) {
            return window.weights(window.weights().bias(window.weights().bias()));
        }

        private Program rewritten() {
            Map<Path, Path> paths = new HashMap<>();
            renamed.forEach((from, line) -> paths.put(from, line.path()));
            List<Line> rewritten = new ArrayList<>();
            for (Line line : listing.lines()) {
                if (!folded.contains(line.path())) {
                    Optional.ofNullable(added.get(line.path())).ifPresent(rewritten::add);
                    Line own = renamed.getOrDefault(line.path(), line);
                    List<Path> inputs = own.inputs().stream()
                            .map(input -> paths.getOrDefault(input, input))
                            .toList();
                    rewritten.add(own.with(own.path(), own.operator(), inputs));
                }
            }
            return listing.lines(rewritten).least().program();
        }
    }
}
