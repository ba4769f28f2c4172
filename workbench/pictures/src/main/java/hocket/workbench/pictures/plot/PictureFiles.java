package hocket.workbench.pictures.plot;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.FileWork;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Writes a picture as SVG and PNG.
 *
 * @param name name of the files, without an extension
 */
record PictureFiles(String name, Picture picture) {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final int PIXELS = 2; // pixels of a PNG for a unit of an SVG

    /**
     * Writes both files into a folder, replacing existing ones.
     *
     * @return the files
     * @throws UncheckedIOException if one cannot be written
     */
    List<Path> write(Path folder) {
        Path svg = folder.resolve(name + ".svg");
        Path png = folder.resolve(name + ".png");
        FileWork.make(svg + " and .png could not be written", () -> {
            AtomicFile.write(svg, svg());
            AtomicFile.write(png, png(picture.width(), picture.height(), this::paint));
        });
        return List.of(svg, png);
    }

    private String svg() {
        Document document = document();
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setComment(null);
        context.setPrecision(2);
        JoinedLines graphics = new JoinedLines(context);
        graphics.setSVGCanvasSize(new Dimension(picture.width(), picture.height()));
        graphics.setPaint(Color.WHITE);
        graphics.fill(new Rectangle(picture.width(), picture.height()));
        paint(graphics);
        Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 " + picture.width() + " " + picture.height());
        root.setAttribute("role", "img");
        Element title = document.createElementNS(SVG, "title");
        title.setTextContent(picture.described());
        root.insertBefore(title, root.getFirstChild());
        return text(root);
    }

    /** Writes the XML without Batik, whose document type makes readers connect to the network. */
    private static String text(Element root) {
        StringWriter text = new StringWriter();
        try {
            Transformer transformer = TransformerFactory.newInstance().newTransformer();
            transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            transformer.setOutputProperty(OutputKeys.INDENT, "yes");
            transformer.transform(new DOMSource(root), new StreamResult(text));
        } catch (TransformerException e) {
            throw new IllegalStateException("the JDK cannot write XML: " + e.getMessage(), e);
        }
        return text.toString();
    }

    private static Document document() {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(SVG, "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the JDK cannot make an XML document", e);
        }
    }

    /** Paints the picture on white, as a PNG with two pixels a unit. */
    static byte[] png(int width, int height, Consumer<Graphics2D> painting) throws IOException {
        BufferedImage image = new BufferedImage(PIXELS * width, PIXELS * height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.scale(PIXELS, PIXELS);
            graphics.setPaint(Color.WHITE);
            graphics.fill(new Rectangle(width, height));
            painting.accept(graphics);
        } finally {
            graphics.dispose();
        }
        return PngBytes.of(image);
    }

    private void paint(Graphics2D graphics) {
        picture.paint(graphics, picture.width(), picture.height());
    }
}
