package hocket.rl.envs;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/** A drawing surface in an environment's own units, with y upwards, scaled into a picture without distortion. */
public final class Canvas {
    public static final Color INK = new Color(0x2b2b2b);
    public static final Color WOOD = new Color(0xca9865);
    public static final Color METAL = new Color(0x8184cb);
    public static final Color GOAL = new Color(0xe0b000);
    public static final Color AGENT = new Color(0xc8342c);
    public static final Color START = new Color(0xb9dfa8);

    private final Graphics2D graphics;
    private final double scale;
    private final double left;
    private final double top;

    /** Makes a white canvas that shows at least the given range of coordinates. */
    public Canvas(Graphics2D graphics, int width, int height, double left, double right, double bottom, double top) {
        this.graphics = graphics;
        scale = Math.min(width / (right - left), height / (top - bottom));
        this.left = left - (width / scale - (right - left)) / 2;
        this.top = top + (height / scale - (top - bottom)) / 2;
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
    }

    /** Makes a canvas of {@code rows} by {@code columns} cells; see {@link #cell}. */
    public static Canvas grid(Graphics2D graphics, int width, int height, int rows, int columns) {
        return new Canvas(graphics, width, height, 0, columns, -rows, 0);
    }

    /** Writes lines of text from the upper left corner, as large as they fit. */
    public static void write(Graphics2D graphics, int width, int height, String text) {
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        graphics.setColor(INK);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        String[] lines = text.split("\n", -1);
        int longest = 1;
        for (String line : lines) {
            longest = Math.max(longest, line.length());
        }
        double size = Math.min(Math.min(24, height / (1.3 * lines.length)), width / (0.65 * longest));
        graphics.setFont(new Font(Font.MONOSPACED, Font.PLAIN, 1).deriveFont((float) size));
        for (int i = 0; i < lines.length; i++) {
            graphics.drawString(lines[i], (float) size / 2, (float) (size * 1.3 * (i + 1)));
        }
    }

    private double x(double x) {
        return (x - left) * scale;
    }

    private double y(double y) {
        return (top - y) * scale;
    }

    /** Draws a line; its thickness is in the environment's units. */
    public void line(double x1, double y1, double x2, double y2, double thickness, Color color) {
        pen(thickness, color);
        graphics.draw(new Line2D.Double(x(x1), y(y1), x(x2), y(y2)));
    }

    /** Draws a line through points. */
    public void curve(double[] xs, double[] ys, double thickness, Color color) {
        pen(thickness, color);
        graphics.draw(path(xs, ys));
    }

    /** Draws a filled polygon. */
    public void polygon(double[] xs, double[] ys, Color color) {
        graphics.setColor(color);
        Path2D path = path(xs, ys);
        path.closePath();
        graphics.fill(path);
    }

    private Path2D path(double[] xs, double[] ys) {
        Path2D path = new Path2D.Double();
        path.moveTo(x(xs[0]), y(ys[0]));
        for (int i = 1; i < xs.length; i++) {
            path.lineTo(x(xs[i]), y(ys[i]));
        }
        return path;
    }

    private void pen(double thickness, Color color) {
        graphics.setColor(color);
        graphics.setStroke(new BasicStroke((float) (thickness * scale), BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
    }

    /** Draws a filled circle. */
    public void disc(double x, double y, double radius, Color color) {
        graphics.setColor(color);
        graphics.fill(new Ellipse2D.Double(x(x - radius), y(y + radius), 2 * radius * scale, 2 * radius * scale));
    }

    /** Draws a filled rectangle. */
    public void box(double fromX, double fromY, double toX, double toY, Color color) {
        graphics.setColor(color);
        graphics.fill(new Rectangle2D.Double(x(fromX), y(toY), (toX - fromX) * scale, (toY - fromY) * scale));
    }

    /** Fills one cell of a grid, with a thin gap around it; row 0 is on top. */
    public void cell(int row, int column, Color color) {
        box(column + 0.02, -row - 0.98, column + 0.98, -row - 0.02, color);
    }

    /** Draws a circle in a cell. */
    public void mark(int row, int column, double radius, Color color) {
        disc(column + 0.5, -row - 0.5, radius, color);
    }
}
