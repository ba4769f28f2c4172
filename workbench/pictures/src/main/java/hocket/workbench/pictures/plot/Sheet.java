package hocket.workbench.pictures.plot;

import java.awt.Graphics2D;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Charts side by side, in two columns.
 *
 * @param name name of its files, without an extension
 * @param panels the charts, at least one
 */
record Sheet(String name, List<Panel> panels) implements Picture {
    /**
     * Writes the sheet as SVG and PNG into a folder, replacing existing files.
     *
     * @return the files
     * @throws java.io.UncheckedIOException if one cannot be written
     */
    List<Path> write(Path folder) {
        return new PictureFiles(name, this).write(folder);
    }

    @Override
    public String described() {
        return panels.stream()
                .map(panel -> (panel.title() + " " + panel.detail()).strip() + ": "
                        + panel.curves().stream().map(Curve::label).collect(Collectors.joining(", ")) + " by "
                        + panel.across())
                .collect(Collectors.joining("; "));
    }

    @Override
    public void paint(Graphics2D graphics, int width, int height) {
        for (int i = 0; i < panels.size(); i++) {
            int x = i % columns() * panelWidth();
            int y = i / columns() * panelHeight();
            graphics.translate(x, y);
            panels.get(i).paint(graphics, panelWidth(), panelHeight());
            graphics.translate(-x, -y);
        }
    }

    private int columns() {
        return panels.size() == 1 ? 1 : 2;
    }

    private int panelWidth() {
        return panels.size() == 1 ? 720 : 560;
    }

    private int panelHeight() {
        return panels.size() == 1 ? 420 : 360;
    }

    @Override
    public int width() {
        return columns() * panelWidth();
    }

    @Override
    public int height() {
        return (panels.size() + columns() - 1) / columns() * panelHeight();
    }
}
