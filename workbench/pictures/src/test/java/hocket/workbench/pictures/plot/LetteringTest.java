package hocket.workbench.pictures.plot;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LetteringTest {
    @Test
    void aMachineWithoutFontsIsToldWhatToInstall() {
        for (Error missing : new Error[] {
            new Error("No physical fonts found."),
            new UnsatisfiedLinkError("No physical fonts found."),
            new InternalError(new RuntimeException("No physical fonts found."))
        }) {
            assertThatThrownBy(() -> FontSupport.require(() -> {
                        throw missing;
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("charts need text, which Java cannot draw on this machine (No physical fonts"
                            + " found.); install FreeType, fontconfig and a font (Debian: apt install libfreetype6"
                            + " fontconfig fonts-dejavu-core)");
        }
    }

    @Test
    void thisMachineHasFonts() {
        assertThatCode(FontSupport::require).doesNotThrowAnyException();
    }
}
