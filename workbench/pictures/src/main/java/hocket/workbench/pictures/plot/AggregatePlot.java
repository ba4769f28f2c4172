package hocket.workbench.pictures.plot;

import hocket.workbench.pictures.plot.Panel.Style;
import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Aggregates of several algorithms in the same colours: on the left the interquartile mean of each with its interval, on the right their
 * performance profiles with bands.
 *
 * @param score name of the score
 * @param thresholds the abscissa of all profiles, ascending
 * @param algorithms from top to bottom, at least one
 */
public record AggregatePlot(String score, double[] thresholds, List<Algorithm> algorithms) implements Picture {
    private static final int PANEL = 560;
    private static final int LEAST_HIGH = 360;
    private static final int ROW = 34;
    private static final int BAR = 18;
    private static final int MOST_NAME = 180;
    private static final int MARGIN = 16;
    private static final int BELOW = 50; // numbers and title of the axis
    private static final int GAP = 10;
    private static final int TICKS = 6;
    private static final double ROOM = 0.06;

    /**
     * An algorithm.
     *
     * @param value its interquartile mean
     * @param low lower end of its interval
     * @param high upper end
     * @param share its profile, a value for each threshold
     * @param shareLow lower edge of the profile's band
     * @param shareHigh upper edge
     */
    public record Algorithm(
            String name,
            double value,
            double low,
            double high,
            double[] share,
            double[] shareLow,
            double[] shareHigh) {}

    /**
     * Draws the picture as SVG and PNG, replacing existing files.
     *
     * @param name name of the files, without an extension
     * @param folder the folder, which must exist
     * @return the files
     * @throws IllegalStateException if this machine cannot draw text
     * @throws java.io.UncheckedIOException if a file cannot be written
     */
    public List<Path> write(String name, Path folder) {
        FontSupport.require();
        return new PictureFiles(name, this).write(folder);
    }

    @Override
    public int width() {
        return 2 * PANEL;
    }

    @Override
    public int height() {
        return Math.max(LEAST_HIGH, 2 * BELOW + ROW * algorithms.size());
    }

    @Override
    public String described() {
        return "interquartile means and performance profiles of " + score + ": "
                + String.join(", ", algorithms.stream().map(Algorithm::name).toList());
    }

    @Override
    public void paint(Graphics2D graphics, int width, int height) {
        int above = new Caption("interquartile mean", "95 % intervals", List.of()).paint(graphics, PANEL);
        paintIntervals(graphics, above, height - BELOW);
        graphics.translate(PANEL, 0);
        profiles().paint(graphics, PANEL, height);
        graphics.translate(-PANEL, 0);
    }

    private void paintIntervals(Graphics2D graphics, int above, int below) {
        graphics.setFont(ChartStyle.SMALL);
        FontMetrics metrics = graphics.getFontMetrics();
        List<String> names = algorithms.stream()
                .map(algorithm -> ChartStyle.fitting(algorithm.name(), metrics, MOST_NAME))
                .toList();
        int longest = names.stream().mapToInt(metrics::stringWidth).max().orElse(0);
        int left = MARGIN + longest + GAP;
        Extent shown = Extent.of(algorithms.stream()
                        .map(algorithm -> new double[] {algorithm.value(), algorithm.low(), algorithm.high()}))
                .roomy(ROOM);
        Scale scale = new Scale(shown, left, PANEL - 2 * MARGIN - left);
        paintAxis(graphics, scale, above, below);
        double apart = (double) (below - above) / algorithms.size();
        for (int i = 0; i < algorithms.size(); i++) {
            double middle = above + (i + 0.5) * apart;
            graphics.setFont(ChartStyle.SMALL);
            graphics.setPaint(Palette.INK);
            graphics.drawString(
                    names.get(i), left - GAP - metrics.stringWidth(names.get(i)), (int) Math.round(middle) + 4);
            paintInterval(graphics, scale, algorithms.get(i), middle, Palette.line(i));
        }
    }

    /** The position of numbers along an axis. */
    private record Scale(Extent shown, int left, int width) {
        double x(double value) {
            return left + (value - shown.least()) / shown.size() * width;
        }
    }

    private void paintAxis(Graphics2D graphics, Scale scale, int above, int below) {
        Extent shown = scale.shown();
        graphics.setFont(ChartStyle.TICKS);
        FontMetrics metrics = graphics.getFontMetrics();
        for (double value : new Ticks(shown.least(), shown.greatest(), false, false).values(TICKS)) {
            double x = scale.x(value);
            graphics.setPaint(Palette.GRID);
            graphics.setStroke(ChartStyle.round(0.8f));
            graphics.draw(new Line2D.Double(x, above, x, below));
            String text = ChartStyle.across(value);
            graphics.setPaint(Palette.INK);
            graphics.drawString(text, (float) (x - metrics.stringWidth(text) / 2.0), below + 16);
        }
        graphics.setFont(ChartStyle.SMALL);
        String title = ChartStyle.fitting(score, graphics.getFontMetrics(), scale.width());
        graphics.drawString(
                title, scale.left() + (scale.width() - graphics.getFontMetrics().stringWidth(title)) / 2, below + 38);
    }

    private static void paintInterval(
            Graphics2D graphics, Scale scale, Algorithm algorithm, double middle, Color colour) {
        double low = scale.x(algorithm.low());
        graphics.setPaint(Palette.faint(colour));
        graphics.fill(
                new Rectangle2D.Double(low, middle - BAR / 2.0, Math.max(1, scale.x(algorithm.high()) - low), BAR));
        graphics.setPaint(colour);
        graphics.setStroke(ChartStyle.round(3));
        double x = scale.x(algorithm.value());
        graphics.draw(new Line2D.Double(x, middle - BAR / 2.0, x, middle + BAR / 2.0));
    }

    private Panel profiles() {
        List<Curve> curves = new ArrayList<>();
        List<Curve> bands = new ArrayList<>();
        for (Algorithm algorithm : algorithms) {
            curves.add(new Curve(algorithm.name(), thresholds, algorithm.share()));
            bands.add(Curve.outline(Panel.UNLISTED, thresholds, algorithm.shareLow(), algorithm.shareHigh()));
        }
        return new Panel(
                "performance profile",
                "95 % bands",
                score + " τ",
                "share of runs above τ",
                Style.PLAIN,
                Extent.of(Stream.of(thresholds)),
                curves,
                bands);
    }
}
