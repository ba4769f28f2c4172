package hocket.workbench.command;

import hocket.programs.execution.Lowering;
import hocket.rl.envs.gymnasium.PythonInstallation;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.workbench.command.bench.RoundTrip;
import hocket.workbench.runs.Version;
import hocket.workbench.terminal.TextPage;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Checks this machine. */
@Command(
        name = "doctor",
        header = "Checks this machine for Hocket, and explains what is missing.",
        footer = {"", "For example:", "  hocket doctor"})
public final class DoctorCommand extends WorkplaceCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        TextPage textPage = new TextPage();
        textPage.entry("hocket", 9, Version.number());
        textPage.entry(
                "java",
                9,
                Runtime.version() + " on " + System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        textPage.entry("cores", 9, cores(Runtime.getRuntime().availableProcessors()));
        textPage.entry("memory", 9, Runtime.getRuntime().maxMemory() / 1_000_000 + " MB of Java heap, without arrays");
        boolean any = false;
        List<Lowering> lowerings = ServiceLoader.load(Lowering.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        for (Lowering lowering : lowerings) {
            String why = lowering.unavailable().orElse("");
            any |= why.isEmpty();
            textPage.entry("engine", 9, why.isEmpty() ? lowering.title() : lowering.name() + ": " + why);
        }
        textPage.entry("kernels", 9, kernels());
        for (Lowering lowering : lowerings) {
            lowering.home().ifPresent(home -> textPage.entry("home", 9, home));
        }
        PythonInstallation.describe().lines().forEach(line -> textPage.entry("python", 9, line));
        textPage.lines().forEach(workplace.terminal()::say);
        return any ? 0 : 1;
    }

    private static String cores(int cores) {
        String used = cores + ", all used unless --threads says otherwise";
        OptionalDouble roundTrip = RoundTrip.nanos(cores);
        if (roundTrip.isEmpty()) {
            return used;
        }
        double nanos = roundTrip.getAsDouble();
        String far = nanos <= RoundTrip.NEAR ? "" : ": no common cache";
        return String.format(Locale.ROOT, "%s; an answer takes %.0f ns%s", used, nanos, far);
    }

    private static String kernels() {
        String name = Kernels.best().name();
        return name.equals("vector")
                ? "vector: optimizers use the Vector API"
                : "plain: slower optimizers; start java with --add-modules jdk.incubator.vector";
    }
}
