package hocket.workbench.pictures.plot;

import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Draws SVG with one path for each curve, which is easy to find and restyle. XChart draws a separate line between
 * neighbouring points; this class joins consecutive lines of one colour.
 */
final class JoinedLines extends SVGGraphics2D {
    private @Nullable Graphics2D pen;
    private Path2D.@Nullable Double path;

    JoinedLines(SVGGeneratorContext context) {
        super(context, false);
    }

    @Override
    public void draw(Shape shape) {
        if (!(shape instanceof Line2D line)) {
            finish();
            super.draw(shape);
            return;
        }
        Path2D.Double begun = path;
        if (begun == null || !continues(line)) {
            finish();
            pen = (Graphics2D) create();
            begun = new Path2D.Double();
            begun.moveTo(line.getX1(), line.getY1());
            path = begun;
        }
        begun.lineTo(line.getX2(), line.getY2());
    }

    @Override
    public void fill(Shape shape) {
        finish();
        super.fill(shape);
    }

    @Override
    public Element getRoot() {
        finish();
        return super.getRoot();
    }

    private boolean continues(Line2D line) {
        Graphics2D current = pen;
        Path2D.Double begun = path;
        return current != null
                && begun != null
                && line.getP1().equals(begun.getCurrentPoint())
                && current.getPaint().equals(getPaint())
                && current.getStroke().equals(getStroke())
                && current.getTransform().equals(getTransform());
    }

    private void finish() {
        Graphics2D current = pen;
        Path2D.Double begun = path;
        pen = null;
        path = null;
        if (current != null && begun != null) {
            current.draw(begun);
        }
    }
}
