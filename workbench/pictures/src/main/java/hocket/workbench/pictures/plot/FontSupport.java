package hocket.workbench.pictures.plot;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;

/** Checks whether Java can draw text on this machine; a headless JDK may lack libraries or fonts. */
final class FontSupport {
    private FontSupport() {}

    /** @throws IllegalStateException if it lacks a library or a font; the message says how to get them */
    static void require() {
        require(() -> new TextLayout(
                        "0", new Font(Font.SANS_SERIF, Font.PLAIN, 12), new FontRenderContext(null, true, true))
                .getOutline(null));
    }

    /** @param drawing draws some text */
    static void require(Runnable drawing) {
        try {
            drawing.run();
        } catch (RuntimeException | Error e) {
            // JDKs throw any of a dozen, some of them plain errors, for a missing libfreetype, libfontconfig or font
            Throwable reason = e;
            while (reason.getCause() != null) {
                reason = reason.getCause();
            }
            throw new IllegalStateException(
                    "charts need text, which Java cannot draw on this machine (" + reason.getMessage()
                            + "); install FreeType, fontconfig and a font (Debian: apt install libfreetype6 fontconfig"
                            + " fonts-dejavu-core)",
                    e);
        }
    }
}
