package hocket.workbench.plot;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;

/** Whether this machine has what Java draws letters with: a headless JDK comes without. */
final class Lettering {
    private Lettering() {}

    /** @throws IllegalStateException if it lacks a library or a font; the message says how to get them */
    static void require() {
        try {
            new TextLayout("0", new Font(Font.SANS_SERIF, Font.PLAIN, 12), new FontRenderContext(null, true, true))
                    .getOutline(null);
        } catch (LinkageError | InternalError | RuntimeException e) {
            // which of these depends on what is missing, and on the JDK: libfreetype, libfontconfig, any font
            throw new IllegalStateException(
                    "charts need letters, and Java finds no fonts on this machine (" + e.getMessage()
                            + "); install FreeType, fontconfig and a font (Debian: apt install libfreetype6 fontconfig"
                            + " fonts-dejavu-core)",
                    e);
        }
    }
}
