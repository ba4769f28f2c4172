package hocket.workbench.pictures.plot;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;

/** Whether this machine has what Java draws letters with: a headless JDK may come without. */
final class FontSupport {
    private FontSupport() {}

    /** @throws IllegalStateException if it lacks a library or a font; the message says how to get them */
    static void require() {
        require(() -> new TextLayout(
                        "0", new Font(Font.SANS_SERIF, Font.PLAIN, 12), new FontRenderContext(null, true, true))
                .getOutline(null));
    }

    /** @param drawing something with letters */
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
                    "charts need letters, and Java cannot draw any on this machine (" + reason.getMessage()
                            + "); install FreeType, fontconfig and a font (Debian: apt install libfreetype6 fontconfig"
                            + " fonts-dejavu-core)",
                    e);
        }
    }
}
