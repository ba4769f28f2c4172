package hocket.programs.checks;

import hocket.programs.operators.Products;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Locale;

/**
 * The result of {@link CheckGradients}. Prints as a table of at most 80 columns.
 *
 * @param program name of the program
 * @param lowering the lowering that computed it
 * @param rows number of rows
 * @param loss the loss at the checked point
 * @param tolerance the allowed error
 * @param parameters parameters that the loss reaches, in path order
 */
public record GradientCheck(
        String program, String lowering, int rows, double loss, double tolerance, List<OfParameter> parameters) {
    private static final int NAME = 34;

    /** The verdict on one element. */
    public enum Verdict {
        /** The gradient is within the tolerance. */
        WITHIN,
        /** The loss seems not smooth here, so differences do not check the gradient. */
        KINK,
        /** The gradient is wrong. */
        WRONG
    }

    /**
     * An element of a parameter.
     *
     * @param index its row-major position
     * @param gradient as the program computes it
     * @param difference the central difference of the loss
     * @param verdict the verdict on them
     */
    public record Element(int index, double gradient, double difference, Verdict verdict) {
        /** {@code |gradient - difference|}. */
        public double absolute() {
            return Math.abs(gradient - difference);
        }

        /** {@code |gradient - difference| / max(|gradient|, |difference|)}; 0 where both are 0. */
        public double relative() {
            double magnitude = Math.max(Math.abs(gradient), Math.abs(difference));
            return magnitude == 0 ? 0 : absolute() / magnitude;
        }
    }

    /**
     * A parameter.
     *
     * @param path its path in the store
     * @param shape its extents
     * @param checked number of checked elements
     * @param kinks number of elements at a kink of the loss
     * @param wrong number of elements with a wrong gradient
     * @param absolute the element of the largest absolute difference: among wrong ones if there are any, else among
     *     those within the tolerance, else among kinks
     * @param relative the element of the largest relative difference among the same
     */
    public record OfParameter(
            Path path, Shape shape, int checked, int kinks, int wrong, Element absolute, Element relative) {
        /** Returns an element's position along each axis: {@code [3,0,1]}. */
        String place(Element element) {
            int[] place = new int[shape.rank()];
            int rest = element.index();
            for (int axis = place.length - 1; axis >= 0; axis--) {
                place[axis] = rest % shape.get(axis);
                rest /= shape.get(axis);
            }
            return java.util.Arrays.toString(place).replace(" ", "");
        }
    }

    public GradientCheck {
        parameters = List.copyOf(parameters);
    }

    /** Returns whether no element's gradient is wrong. Elements at a kink are neither right nor wrong. */
    public boolean passes() {
        return parameters.stream().noneMatch(parameter -> parameter.wrong() > 0);
    }

    /** Returns a headline and a line for each parameter, two for a wrong one. */
    @Override
    public String toString() {
        long wrong = parameters.stream().filter(one -> one.wrong() > 0).count();
        StringBuilder text = new StringBuilder(shortened(program, 40))
                .append(" by ")
                .append(lowering)
                .append(", ")
                .append(Products.count(rows, "row"))
                .append(String.format(Locale.ROOT, ": loss %.9g%n", loss))
                .append(wrong == 0 ? "no gradient is wrong" : Products.count((int) wrong, "parameter") + " WRONG")
                .append(String.format(Locale.ROOT, ", tolerance %.1e%n", tolerance))
                .append(String.format(
                        Locale.ROOT, "%-" + NAME + "s %13s %9s %9s", "parameter", "checked", "absolute", "relative"));
        for (OfParameter one : parameters) {
            text.append(String.format(
                    Locale.ROOT,
                    "%n%-" + NAME + "s %13s %9.1e %9.1e %s",
                    shortened(one.path().text(), NAME),
                    one.checked() + "/" + one.shape().size(),
                    one.absolute().absolute(),
                    one.relative().relative(),
                    one.wrong() > 0 ? "WRONG" : one.kinks() > 0 ? "kinks" : "ok"));
            if (one.wrong() > 0) {
                text.append(detail(one.wrong() + " wrong, the most at " + one.place(one.absolute()), one.absolute()));
            } else if (one.kinks() == one.checked()) {
                text.append(detail("all at kinks, such as " + one.place(one.absolute()), one.absolute()));
            } else if (one.kinks() > 0) {
                text.append(String.format(Locale.ROOT, "%n  %d at kinks, which say nothing", one.kinks()));
            }
        }
        return text.toString();
    }

    private static String detail(String what, Element element) {
        return String.format(
                Locale.ROOT,
                "%n  %s%n  gradient %.12g, difference %.12g",
                what,
                element.gradient(),
                element.difference());
    }

    private static String shortened(String name, int most) {
        if (name.length() <= most) {
            return name;
        }
        int head = (most - 1) / 2;
        return name.substring(0, head) + "~" + name.substring(name.length() - (most - 1 - head));
    }
}
