package hocket.workbench.commands;

import hocket.programs.Value;
import hocket.scopes.Nearest;
import hocket.workbench.exports.Export;
import hocket.workbench.exports.Export.Format;
import hocket.workbench.exports.Exportable;
import hocket.workbench.json.JsonLines;
import hocket.workbench.runs.Best;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SavedRun;
import hocket.workbench.runs.Selected;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.terminal.Terminal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes what a run has trained as a model. */
@Command(
        name = "export",
        header = "Writes a network of a run as a model that other programs load.",
        description = {
            "",
            "The folder holds the network as it is used after training: for DJL (its MXNet engine), its parameters as"
                    + " model.safetensors, a few rows to check by, and a README.md that says what it is and how it is"
                    + " loaded, in Java and in Python. Noise becomes an input.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket export runs/digits-gan --module generator --out models/digits",
            "  hocket export runs/cartpole-ppo --module actor --out models/balancer --best"
        })
public final class ExportCommand extends WorkplaceCommand implements Runnable {
    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/digits-gan")
    private String run = "";

    @Option(
            names = "--module",
            paramLabel = "M",
            description = "a module such as generator, a copy such as ema/generator, or a program such as draw;"
                    + " without, it says what there is")
    private String module = "";

    @Option(names = "--out", paramLabel = "DIR", description = "a folder that is not there yet, or is empty")
    private String out = "";

    @Option(names = "--checkpoint", paramLabel = "N", description = "the checkpoint of that number; the newest without")
    private @Nullable Long checkpoint;

    @Option(names = "--best", description = "the best checkpoint, of a run that keeps one")
    private boolean best;

    @Option(
            names = "--format",
            paramLabel = "F",
            description = "djl, or safetensors, which leaves the files of DJL out; djl without")
    private String format = "djl";

    @Override
    public void run() {
        Format wanted = format();
        if (best && checkpoint != null) {
            throw new Refusal("--checkpoint and --best: take one of them");
        }
        Path folder = workplace.path(out);
        if (!out.isEmpty()) {
            requireFree(folder);
        }
        RunFolder from = new RunFolder(workplace.path(run));
        OptionalLong number = checkpoint == null ? OptionalLong.empty() : OptionalLong.of(checkpoint);
        SavedRun saved = (best ? SavedRun.best(from) : SavedRun.open(from, number)).telling(workplace.terminal());
        Selected selected = saved.selected(workplace);
        if (module.isEmpty()) {
            throw new Refusal(
                    "--module: must name what is exported; there are " + new Exportable(selected.setup()).list());
        }
        if (out.isEmpty()) {
            throw new Refusal(
                    "--out: must name a folder that is not there yet, such as models/" + Exportable.fileName(module));
        }
        Map<String, Double> scores = scores(saved);
        Export export = unlessRefused(() -> Export.of(saved, selected, module, scores, wanted));
        Refusal.unlessMade(folder + " could not be written", () -> export.write(folder));
        say(selected, export, folder);
    }

    private static Export unlessRefused(Supplier<Export> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new Refusal("--module: " + e.getMessage(), e);
        }
    }

    private Format format() {
        List<String> known = Arrays.stream(Format.values())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList();
        if (!known.contains(format)) {
            throw new Refusal("--format: must be one of " + String.join(", ", known) + ", was " + format
                    + Nearest.among(format, known));
        }
        return Format.valueOf(format.toUpperCase(Locale.ROOT));
    }

    private static void requireFree(Path folder) {
        if (new RunFolder(folder).isTaken()) {
            throw new Refusal("--out " + folder + ": is there already, and not an empty folder; take another one");
        }
    }

    /** Of the state that is exported: of its best one, or of the end if that is what is taken. */
    private Map<String, Double> scores(SavedRun saved) {
        RunFolder from = saved.folder();
        Optional<Best.Kept> kept = Best.of(from);
        if (best) {
            return kept.<Map<String, Double>>map(Best.Kept::scores).orElse(Map.of());
        }
        // The scores of the end of a run that keeps a best one are those of that.
        return checkpoint == null && saved.isOfEnd() && kept.isEmpty() && from.isJudged()
                ? Refusal.unless(() -> JsonLines.numbers(from.scores()))
                : Map.of();
    }

    private void say(Selected selected, Export export, Path folder) {
        Terminal terminal = workplace.terminal();
        terminal.remark("wrote    " + module + " of " + selected.name() + " to " + folder);
        terminal.remark("reads    " + listed(export.inputs()));
        terminal.remark("gives    " + listed(export.program().targets()));
        terminal.remark("next     " + folder.resolve("README.md") + " says how it is loaded");
    }

    private static String listed(List<Value> values) {
        return values.stream().map(Value::toString).collect(Collectors.joining(", "));
    }
}
