package hocket.rl.envs.gymnasium;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** The Python that steps environments of Gymnasium, and the packages in it. */
public final class PythonInstallation {
    private static final int SECONDS = 30;
    private static final String PROGRAM = String.join(
            "\n",
            "import importlib.metadata, sys",
            "found, missing = [f'Python {sys.version.split()[0]}'], []",
            "for name in 'gymnasium', 'mujoco', 'ale-py':",
            "    try:",
            "        found.append(f'{name} {importlib.metadata.version(name)}')",
            "    except importlib.metadata.PackageNotFoundError:",
            "        missing.append(name)",
            "print(', '.join(found) + '; without ' * bool(missing) + ', '.join(missing))",
            "if missing:",
            "    print(f'for gym:… environments: {sys.executable} -m pip install ' + ' '.join(missing))");

    private PythonInstallation() {}

    /** Returns the versions of Python and its packages, and how to install those that are missing, on a line each. */
    public static String describe() {
        String python = PythonWorker.interpreter();
        Process process;
        try {
            process = new ProcessBuilder(python, "-c", PROGRAM)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return "there is no program " + python + "; gym:… environments need it, or HOCKET_PYTHON";
        }
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return python + " does not answer";
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return python + " does not answer: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return python + " does not answer";
        }
    }
}
