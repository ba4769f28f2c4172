package hocket.programs.mxnet;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import org.jspecify.annotations.Nullable;

/** Environment variables as native code in this process sees them; {@link System#getenv} does not change. */
final class ProcessEnvironment {
    private ProcessEnvironment() {}

    static @Nullable String get(String name) {
        Function get = NativeLibrary.getInstance(Platform.isWindows() ? "ucrtbase" : "c")
                .getFunction("getenv");
        return get.invokeString(new Object[] {name}, false);
    }

    static void set(String name, String value) {
        if (Platform.isWindows()) {
            Function put = NativeLibrary.getInstance("ucrtbase").getFunction("_putenv_s");
            put.invokeInt(new Object[] {name, value});
        } else {
            Function set = NativeLibrary.getInstance("c").getFunction("setenv");
            set.invokeInt(new Object[] {name, value, 1});
        }
    }
}
