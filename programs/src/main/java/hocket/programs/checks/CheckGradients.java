package hocket.programs.checks;

import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.checks.GradientCheck.Element;
import hocket.programs.checks.GradientCheck.OfParameter;
import hocket.programs.checks.GradientCheck.Verdict;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.execution.Rewriter;
import hocket.programs.operators.Leaf;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Checks the gradients of a program's loss against finite differences: {@code CheckGradients.of(program).feed("image",
 * images).run()}. Immutable; changed by copies.
 *
 * <p>For each element θ of each parameter that the loss reaches, or a sample of them, the gradient is compared with the
 * central difference {@code (f(θ+h) - f(θ-h)) / 2h} in FLOAT64 with {@code h = 1e-5·max(1, |θ|)}, near the cube root of
 * the precision, where the errors of truncation and of rounding balance (Press et al., Numerical Recipes, section 5.7).
 * It is within tolerance when the two differ by at most {@code tolerance·(max(|gradient|, |difference|) + 0.01·m) + r},
 * m the parameter's largest gradient and r the rounding error of the difference, {@code 2⁻⁴⁶·|f|/h}. Otherwise the loss
 * is computed again with {@code h/2}: if the two differences disagree, or the slopes to the left and to the right do
 * not converge as the step shrinks, the loss has a kink there (of a rectifier, a clip, a maximum). A gradient between
 * the slopes around a kink is reported as a kink. All others are wrong.
 *
 * <p>A program that computes in FLOAT32, as those that are trained do, is checked by the differences of the same
 * computation in FLOAT64, at the same values of parameters and inputs, by the lowering that would run it here. Rounding
 * of its gradients is within tolerance: {@code 2⁻¹⁸·M} is added to what is allowed, M the largest gradient of all
 * parameters, because a sum that cancels is as inexact as its terms.
 *
 * <p>Values that are constant by definition are held fixed: results of {@link Operators#stopGradient}, and running
 * statistics that a program reads. Noise is the same in every run.
 *
 * @param program a program whose first target is a loss
 * @param lowering the lowering that computes the gradients, and in FLOAT64 the differences
 * @param feeds inputs, and noise that is not sampled, by name
 * @param rows rows of inputs that are not given, and of noise
 * @param seed seed of parameters, inputs and noise that are not given, and of the sampled elements
 * @param elements maximum of checked elements of a parameter; {@link Integer#MAX_VALUE} for all
 * @param tolerance maximum relative error of a gradient
 */
public record CheckGradients(
        Program program,
        Lowering lowering,
        Map<String, Tensor> feeds,
        int rows,
        long seed,
        int elements,
        double tolerance)
        implements CheckGradientsCopies {
    private static final double STEP = 1e-5;

    /** 64 times the precision, because a loss is a sum of many terms. */
    private static final double ROUNDING = 0x1p-46;

    /** 64 times the precision of FLOAT32, because a gradient is a sum of many terms. */
    private static final double ROUNDED_GRADIENT = 0x1p-18;

    /**
     * @throws IllegalArgumentException if the loss is not a scalar or reaches no parameter, the lowering does not
     *     support the program, or a number is out of bounds
     */
    public CheckGradients {
        feeds = Collections.unmodifiableMap(new TreeMap<>(feeds));
        Value loss = program.targets().get(0);
        if (loss.batched() || loss.shape().size() != 1) {
            throw new IllegalArgumentException(
                    "program " + program.name() + ": the first target must be a loss, a single number, was " + loss);
        }
        if (program.reached().isEmpty()) {
            throw new IllegalArgumentException(
                    "program " + program.name() + ": the gradient of " + loss.path() + " reaches no parameter");
        }
        lowering.refuses(program, program.reached()).or(lowering::unavailable).ifPresent(reason -> {
            throw new IllegalArgumentException("program " + program.name() + " cannot be checked: " + reason);
        });
        requireAtLeastOne("rows", rows);
        requireAtLeastOne("elements", elements);
        if (!(tolerance > 0 && tolerance < 1)) {
            throw new IllegalArgumentException("tolerance must be above 0 and below 1, was " + tolerance);
        }
    }

    private static void requireAtLeastOne(String what, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, was " + number);
        }
    }

    /**
     * Creates a check with the lowering that would run the program here, on 4 rows of standard normal inputs (labels
     * within their tables), initial parameters, 64 elements of each, seed 0 and a tolerance of 1e-6, in
     * FLOAT32 of 1e-3.
     */
    public static CheckGradients of(Program program) {
        double tolerance = program.floatType() == ElementType.FLOAT64 ? 1e-6 : 1e-3;
        return new CheckGradients(program, Lowering.of(program), Map.of(), 4, 0, 64, tolerance);
    }

    /** Returns this check with another lowering. */
    public CheckGradients by(Lowering other) {
        return new CheckGradients(program, other, feeds, rows, seed, elements, tolerance);
    }

    /** Returns this check with one more given input, or noise, whose first extent is the number of rows. */
    public CheckGradients feed(String name, Tensor tensor) {
        Map<String, Tensor> more = new HashMap<>(feeds);
        more.put(name, tensor);
        int given = tensor.shape().rank() == 0 ? rows : tensor.shape().get(0);
        return new CheckGradients(program, lowering, more, given, seed, elements, tolerance);
    }

    /**
     * Checks at the initial parameters.
     *
     * @throws IllegalArgumentException if a feed is unknown, misshapen or mistyped, or has another number of rows, or
     *     the loss is not finite
     */
    public GradientCheck run() {
        return run(new Snapshot(new TreeMap<>()));
    }

    /** Checks at the values of a snapshot; missing parameters have initial values. Throws as {@link #run()}. */
    public GradientCheck run(Snapshot values) {
        List<Declaration> declarations = declarations();
        SortedMap<Path, Tensor> given = new TreeMap<>();
        for (Declaration declaration : declarations) {
            Tensor tensor = values.tensors().get(declaration.path());
            if (tensor != null) {
                given.put(declaration.path(), tensor);
            }
        }
        try (Parameters parameters = Parameters.initialise(declarations, Streams.seed(seed));
                Parameters exact = Parameters.initialise(exact(declarations), Streams.seed(seed))) {
            SortedMap<Path, Tensor> all = new TreeMap<>(parameters.snapshot().tensors());
            all.putAll(given);
            parameters.restore(new Snapshot(all));
            all.replaceAll((path, tensor) -> exact(tensor));
            exact.restore(new Snapshot(all));
            return run(parameters, exact);
        }
    }

    private static List<Declaration> exact(List<Declaration> declarations) {
        return declarations.stream()
                .map(declaration -> declaration.type().isFloating() ? declaration.in(ElementType.FLOAT64) : declaration)
                .toList();
    }

    private static Tensor exact(Tensor tensor) {
        return tensor.type().isFloating() ? tensor.in(ElementType.FLOAT64) : tensor;
    }

    /** Returns the parameters that the program reads, by stored path, also those that its mode ignores. */
    private List<Declaration> declarations() {
        Map<Path, Declaration> declarations = new TreeMap<>();
        for (Value value : Value.above(program.targets(), Value::inputs)) {
            if (value.operator() instanceof Leaf.Variable variable) {
                Path stored = program.stored(value.path());
                declarations.put(stored, variable.declaration().at(stored));
            }
        }
        return List.copyOf(declarations.values());
    }

    /**
     * Checks.
     *
     * @param parameters that the program reads
     * @param exact the same in FLOAT64, moved while differences are taken
     */
    private GradientCheck run(Parameters parameters, Parameters exact) {
        try (BoundProgram bound = Probe.bound(program, lowering, parameters, new TreeSet<>(program.reached()))) {
            bound.feed(fed());
            bound.run(rows, 0, 0);
            double loss = bound.loss();
            if (!Double.isFinite(loss)) {
                throw new IllegalArgumentException("program " + program.name() + ": the loss is " + loss
                        + " at these values, so it has no differences");
            }
            List<Tensor> gradients = new ArrayList<>();
            for (Path path : bound.gradients()) {
                Declaration declaration = parameters.declaration(path);
                gradients.add(Tensor.copyOf(
                        declaration.shape(),
                        declaration.type(),
                        bound.gradient(gradients.size()).buffer()));
            }
            double rounding = program.floatType() == ElementType.FLOAT64
                    ? 0
                    : ROUNDED_GRADIENT
                            * gradients.stream()
                                    .mapToDouble(CheckGradients::largest)
                                    .max()
                                    .orElse(0);
            return new GradientCheck(
                    program.name(),
                    lowering.title(),
                    rows,
                    loss,
                    tolerance,
                    checked(bound, gradients, exact, rounding));
        }
    }

    private List<OfParameter> checked(BoundProgram bound, List<Tensor> gradients, Parameters exact, double rounding) {
        Probe probe = probe(bound, exact);
        List<OfParameter> all = new ArrayList<>();
        try (BoundProgram probing = probe.bound(exact)) {
            for (Path path : bound.gradients()) {
                all.add(checked(probe, probing, exact, path, gradients.get(all.size()), rounding));
            }
        }
        return all;
    }

    /** Returns the probe that computes in FLOAT64 what a program ran on, its noise included. */
    private Probe probe(BoundProgram bound, Parameters exact) {
        Map<String, Tensor> ran = new TreeMap<>();
        program.feeds().forEach(feed -> ran.put(feed.path().text(), exact(bound.fed(feed))));
        if (program.floatType() == ElementType.FLOAT64) {
            return Probe.of(program, lowering, rows, exact, ran);
        }
        Program twin = Rewriter.in(ElementType.FLOAT64, program);
        return Probe.of(twin, Lowering.of(twin), rows, exact, ran);
    }

    private static double largest(Tensor gradient) {
        return Arrays.stream(gradient.doubles())
                .map(Math::abs)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    /** Returns the given inputs, and random ones for the rest. */
    private Map<String, Tensor> fed() {
        Map<String, Tensor> fed = new TreeMap<>(feeds);
        for (Value input : program.inputs()) {
            fed.computeIfAbsent(input.path().text(), name -> random(input));
        }
        return fed;
    }

    private Tensor random(Value input) {
        Shape shape = input.shape().prepend(rows);
        Stream stream = Streams.seed(seed).at("check/" + input.path());
        double[] numbers = new double[shape.size()];
        if (input.type() == ElementType.INT64) {
            int bound = bound(input);
            stream.uniform(0, numbers);
            return Tensor.of(
                    shape,
                    Arrays.stream(numbers)
                            .mapToLong(number -> (long) (number * bound))
                            .toArray());
        }
        stream.normal(0, numbers);
        return Tensor.rounded(shape, input.type(), numbers);
    }

    /** Returns the exclusive upper bound of random labels. */
    private int bound(Value label) {
        int bound = program.indexBound(label);
        return bound > 0 ? bound : 2;
    }

    /** The positions to check: all, or a sample. */
    private int[] positions(Path path, int size) {
        int[] all = IntStream.range(0, size).toArray();
        if (size <= elements) {
            return all;
        }
        Streams.seed(seed).at("check/" + path).shuffle(0, all);
        return Arrays.stream(all, 0, elements).sorted().toArray();
    }

    private OfParameter checked(
            Probe probe, BoundProgram probing, Parameters parameters, Path path, Tensor gradient, double rounding) {
        double allowed = tolerance * 0.01 * largest(gradient) + rounding;
        double[] values = parameters.tensor(path.text()).doubles();
        List<Element> found = new ArrayList<>();
        for (int position : positions(path, values.length)) {
            AlongElement line = step -> probe.loss(probing, parameters, path, values, position, step);
            found.add(element(line, values[position], position, gradient.get(position), allowed));
        }
        parameters.set(path.text(), values);
        int kinks = count(found, Verdict.KINK);
        int wrong = count(found, Verdict.WRONG);
        Verdict shown = wrong > 0 ? Verdict.WRONG : kinks < found.size() ? Verdict.WITHIN : Verdict.KINK;
        List<Element> some =
                found.stream().filter(element -> element.verdict() == shown).toList();
        return new OfParameter(
                path,
                gradient.shape(),
                found.size(),
                kinks,
                wrong,
                Collections.max(some, Comparator.comparingDouble(Element::absolute)),
                Collections.max(some, Comparator.comparingDouble(Element::relative)));
    }

    private static int count(List<Element> found, Verdict verdict) {
        return (int)
                found.stream().filter(element -> element.verdict() == verdict).count();
    }

    /** The loss as a function of the change of one element. */
    @FunctionalInterface
    private interface AlongElement {
        double at(double step);
    }

    /** @param always what is allowed however small the gradient is */
    private Element element(AlongElement loss, double value, int position, double gradient, double always) {
        double h = STEP * Math.max(1, Math.abs(value));
        double above = loss.at(h);
        double below = loss.at(-h);
        double difference = (above - below) / (2 * h);
        double allowed = tolerance * Math.max(Math.abs(gradient), Math.abs(difference))
                + always
                + ROUNDING * Math.max(Math.abs(above), Math.abs(below)) / h;
        if (Math.abs(gradient - difference) <= allowed) {
            return new Element(position, gradient, difference, Verdict.WITHIN);
        }
        Verdict verdict = kink(loss, h, above, below, gradient, allowed) ? Verdict.KINK : Verdict.WRONG;
        return new Element(position, gradient, difference, verdict);
    }

    /** Returns whether the loss has a kink within a step and the gradient is one of its slopes. */
    private static boolean kink(
            AlongElement loss, double h, double above, double below, double gradient, double allowed) {
        double half = h / 2;
        double here = loss.at(0);
        double nearAbove = loss.at(half);
        double nearBelow = loss.at(-half);
        double[] slopes = {
            (nearBelow - below) / half, (here - nearBelow) / half, (nearAbove - here) / half, (above - nearAbove) / half
        };
        double least = Arrays.stream(slopes).min().orElseThrow();
        double most = Arrays.stream(slopes).max().orElseThrow();
        if (!Double.isFinite(least) || !Double.isFinite(most)) {
            return Double.isFinite(gradient);
        }
        boolean disagree = Math.abs((nearAbove - nearBelow) - (above - below) / 2) / h > 2 * allowed;
        // The two slopes of a smooth loss converge as the step shrinks; at a kink they do not.
        boolean corner = Math.abs(slopes[2] - slopes[1]) > 0.75 * Math.abs(above - 2 * here + below) / h;
        double slack = 0.1 * (most - least) + allowed;
        return (disagree || corner) && gradient >= least - slack && gradient <= most + slack;
    }
}
