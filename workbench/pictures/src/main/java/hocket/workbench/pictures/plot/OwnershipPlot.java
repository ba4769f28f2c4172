package hocket.workbench.pictures.plot;

import hocket.workbench.runs.plans.Ownership;
import hocket.workbench.runs.plans.Ownership.Access;
import hocket.workbench.runs.plans.Ownership.Cell;
import hocket.workbench.runs.plans.Ownership.Row;
import hocket.workbench.terminal.NumberFormats;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws what turns and programs read and write: a row for each scope, a column for each turn and, after a gap, for each
 * program that runs in addition to training. A filled square in a column is what its turn owns.
 */
public record OwnershipPlot(Ownership ownership) implements Picture {
    private static final int STEP = 24; // from column to column, and from row to row
    private static final int GAP = 16;
    private static final int MARGIN = 16;
    private static final int INDENT = 14;
    private static final double SQUARE = 14;
    private static final double PART = 8;
    private static final double CHARACTER = 7.4; // width of one of ChartStyle.SMALL, at most
    private static final double SLANT = Math.toRadians(-60);
    private static final int CAPTION = 64;
    private static final int LEAST = 640; // wide enough for a legend of one line
    private static final BasicStroke THIN = ChartStyle.round(0.8f);
    private static final BasicStroke RING = ChartStyle.round(1.4f);
    private static final Color TRAINED = Palette.line(0);
    private static final Color SET = Palette.line(1);
    private static final Marker HOLLOW = new Marker() {
        @Override
        public void paint(Graphics2D graphics, double x, double y, int size) {
            graphics.setStroke(RING);
            graphics.draw(new Rectangle2D.Double(x - size / 2.0, y - size / 2.0, size, size));
        }
    };

    /**
     * Draws plan.svg and plan.png, replacing existing files.
     *
     * @param folder is made if it does not exist
     * @return the files
     * @throws IllegalStateException if this machine cannot draw text
     * @throws java.io.UncheckedIOException if a file cannot be written
     */
    public static List<Path> write(Ownership ownership, Path folder) {
        FontSupport.require();
        Plots.make(folder);
        return new PictureFiles("plan", new OwnershipPlot(ownership)).write(folder);
    }

    @Override
    public int width() {
        return Math.max(LEAST, (int) (x(columns().size()) + Math.cos(SLANT) * longest(columns()) + MARGIN));
    }

    @Override
    public int height() {
        return top() + ownership.rows().size() * STEP + MARGIN;
    }

    /** Says what each turn writes, and what each program after the gap reads. */
    @Override
    public String described() {
        int turns = ownership.turns().size();
        Stream<String> written = IntStream.range(0, turns)
                .mapToObj(i -> sentence(ownership.turns().get(i), i, List.of(Access.TRAINS, Access.SETS)));
        Stream<String> read = IntStream.range(0, ownership.programs().size())
                .mapToObj(i -> sentence(ownership.programs().get(i), turns + i, List.of(Access.READS)));
        return ownership.name() + ": " + Stream.concat(written, read).collect(Collectors.joining("; "));
    }

    private String sentence(String who, int column, List<Access> kinds) {
        List<Row> touched = ownership.rows().stream()
                .filter(row -> row.depth() == 0)
                .filter(row -> kinds.contains(row.cells().get(column).access()))
                .toList();
        if (touched.isEmpty()) {
            return who + (kinds.contains(Access.READS) ? " reads" : " writes") + " nothing";
        }
        String verb = switch (touched.get(0).cells().get(column).access()) {
            case TRAINS -> " trains ";
            case SETS -> " sets ";
            default -> " reads ";
        };
        return who + verb + touched.stream().map(Row::scope).collect(Collectors.joining(", "));
    }

    @Override
    public void paint(Graphics2D graphics, int width, int height) {
        new Caption(ownership.name(), ownership.summary(), legend()).paint(graphics, width);
        List<String> columns = columns();
        double[] places =
                IntStream.rangeClosed(0, columns.size()).mapToDouble(this::x).toArray();
        int top = top();
        graphics.setFont(ChartStyle.SMALL);
        for (int i = 0; i < columns.size(); i++) {
            graphics.setPaint(i < ownership.turns().size() ? Palette.INK : Palette.QUIET);
            AffineTransform straight = graphics.getTransform();
            graphics.translate(places[i] + STEP / 2.0 + 4, top - 6);
            graphics.rotate(SLANT);
            graphics.drawString(columns.get(i), 0, 0);
            graphics.setTransform(straight);
        }
        for (int i = 0; i < ownership.rows().size(); i++) {
            paint(graphics, ownership.rows().get(i), places, top + i * STEP);
        }
    }

    /** @param places where the columns begin, and where the last one ends */
    private static void paint(Graphics2D graphics, Row row, double[] places, int y) {
        graphics.setPaint(row.depth() == 0 ? Palette.INK : Palette.QUIET);
        graphics.drawString(row.label(), MARGIN + row.depth() * INDENT, y + STEP / 2 + 4);
        graphics.setPaint(Palette.QUIET);
        String numbers = NumberFormats.grouped(row.numbers());
        int size = graphics.getFontMetrics().stringWidth(numbers);
        graphics.drawString(numbers, (float) (places[0] - 10 - size), y + STEP / 2 + 4f);
        graphics.setPaint(Palette.GRID);
        graphics.setStroke(THIN);
        graphics.draw(new Line2D.Double(MARGIN, y + STEP, places[row.cells().size()], y + STEP));
        for (int i = 0; i < row.cells().size(); i++) {
            paint(graphics, row.cells().get(i), places[i] + STEP / 2.0, y + STEP / 2.0);
        }
    }

    private static void paint(Graphics2D graphics, Cell cell, double x, double y) {
        double size = cell.whole() ? SQUARE : PART;
        Rectangle2D square = new Rectangle2D.Double(x - size / 2, y - size / 2, size, size);
        switch (cell.access()) {
            case NONE -> {}
            case READS -> {
                graphics.setPaint(Palette.QUIET);
                graphics.setStroke(RING);
                graphics.draw(square);
            }
            case TRAINS, SETS -> {
                graphics.setPaint(cell.access() == Access.TRAINS ? TRAINED : SET);
                graphics.fill(square);
            }
        }
    }

    private List<Caption.Entry> legend() {
        List<Caption.Entry> entries = new ArrayList<>();
        entries.add(new Caption.Entry("trains", TRAINED, ChartStyle.round(0), SeriesMarkers.SQUARE));
        entries.add(new Caption.Entry("sets without a loss", SET, ChartStyle.round(0), SeriesMarkers.SQUARE));
        entries.add(new Caption.Entry("reads", Palette.QUIET, ChartStyle.round(0), HOLLOW));
        if (ownership.rows().stream().flatMap(row -> row.cells().stream()).anyMatch(cell -> !cell.whole())) {
            entries.add(new Caption.Entry("small: in part"));
        }
        if (!ownership.programs().isEmpty()) {
            entries.add(new Caption.Entry("grey names: other programs"));
        }
        return entries;
    }

    private List<String> columns() {
        return Stream.concat(ownership.turns().stream(), ownership.programs().stream())
                .toList();
    }

    /** Returns where a column begins; the number of columns gives where they end. */
    private double x(int column) {
        return first() + column * STEP + (column > ownership.turns().size() - 1 ? GAP : 0);
    }

    /** Returns where the first column begins, after labels and numbers. */
    private double first() {
        double label = ownership.rows().stream()
                .mapToDouble(row -> row.depth() * INDENT
                        + CHARACTER
                                * (row.label().length()
                                        + NumberFormats.grouped(row.numbers()).length()))
                .max()
                .orElse(0);
        return MARGIN + label + 3 * 10;
    }

    /** Returns where the rows begin. */
    private int top() {
        return CAPTION + (int) (-Math.sin(SLANT) * longest(columns())) + 8;
    }

    private static double longest(List<String> names) {
        return names.stream()
                .mapToDouble(name -> CHARACTER * name.length())
                .max()
                .orElse(0);
    }
}
