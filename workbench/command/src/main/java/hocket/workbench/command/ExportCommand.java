package hocket.workbench.command;

import hocket.programs.Value;
import hocket.scopes.SimilarNames;
import hocket.workbench.command.options.CheckpointOptions;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.BestCheckpoint;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.exports.Export;
import hocket.workbench.runs.exports.Export.Format;
import hocket.workbench.runs.exports.Exportable;
import hocket.workbench.terminal.Terminal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Exports a module of a run as a model. */
@Command(
        name = "export",
        header = "Writes a network of a run as a model that other programs load.",
        description = {
            "",
            "The folder holds the network as it is used after training: as a model that DJL or ONNX Runtime loads,"
                    + " its parameters as model.safetensors, example rows to check it, and a README.md with a description and"
                    + " code that loads it, in Java and Python. Noise becomes an input.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket export runs/digits-gan --module generator --out models/digits",
            "  hocket export runs/cartpole-ppo --module actor --out models/balancer --best",
            "  hocket export runs/digits-gan --module generator --out onnx --format onnx"
        })
public final class ExportCommand extends WorkplaceCommand implements Runnable {
    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/digits-gan")
    private String run = "";

    @Option(
            names = "--module",
            paramLabel = "M",
            description = "a module such as generator, a copy such as ema/generator, or a program such as draw;"
                    + " without it, the command lists what can be exported")
    private String module = "";

    @Option(names = "--out", paramLabel = "DIR", description = "a folder that does not exist or is empty")
    private String out = "";

    @Mixin
    private final CheckpointOptions checkpoint = new CheckpointOptions();

    @Option(
            names = "--format",
            paramLabel = "F",
            description =
                    "djl, onnx (one file NAME.onnx), or safetensors, which writes parameters and program.json, and no model;"
                            + " default: djl")
    private String format = "djl";

    @Override
    public void run() {
        Format wanted = format();
        checkpoint.check();
        Path folder = workplace.path(out);
        if (!out.isEmpty()) {
            requireFree(folder);
        }
        CheckpointedRun saved = checkpoint.open(workplace, run);
        SelectedExperiment selectedExperiment = saved.selected(workplace);
        if (module.isEmpty()) {
            throw new UserError(
                    "--module: must name a module; there are " + new Exportable(selectedExperiment.setup()).list());
        }
        if (out.isEmpty()) {
            throw new UserError(
                    "--out: must name a folder that does not exist yet, such as models/" + Exportable.fileName(module));
        }
        Map<String, Double> scores = scores(saved);
        Export export = unlessRefused(() -> Export.of(saved, selectedExperiment, module, scores, wanted));
        UserError.unlessMade(folder + " could not be written", () -> export.write(folder));
        say(selectedExperiment, export, folder);
    }

    private static Export unlessRefused(Supplier<Export> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new UserError("--module: " + e.getMessage(), e);
        }
    }

    private Format format() {
        List<String> known = Arrays.stream(Format.values())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList();
        if (!known.contains(format)) {
            throw new UserError("--format: must be one of " + String.join(", ", known) + ", was " + format
                    + SimilarNames.among(format, known));
        }
        return Format.valueOf(format.toUpperCase(Locale.ROOT));
    }

    private static void requireFree(Path folder) {
        if (new RunFolder(folder).isTaken()) {
            throw new UserError("--out " + folder + ": exists and is not an empty folder; choose another one");
        }
    }

    /** Returns the scores of the exported state: of its best, or of the end if that is exported. */
    private Map<String, Double> scores(CheckpointedRun saved) {
        RunFolder from = saved.folder();
        Optional<BestCheckpoint.Kept> kept = BestCheckpoint.of(from);
        if (checkpoint.isBest()) {
            return kept.<Map<String, Double>>map(BestCheckpoint.Kept::scores).orElse(Map.of());
        }
        // The final scores of a run that keeps a best checkpoint are those of that checkpoint.
        return checkpoint.isNewest() && saved.isOfEnd() && kept.isEmpty() && from.isJudged()
                ? UserError.unless(() -> JsonLines.numbers(from.scores()))
                : Map.of();
    }

    private void say(SelectedExperiment selectedExperiment, Export export, Path folder) {
        Terminal terminal = workplace.terminal();
        terminal.remark("wrote    " + module + " of " + selectedExperiment.name() + " to " + folder);
        terminal.remark("reads    " + listed(export.inputs()));
        terminal.remark("gives    " + listed(export.program().targets()));
        terminal.remark("next     " + folder.resolve("README.md") + " explains how to load it");
    }

    private static String listed(List<Value> values) {
        return values.stream().map(Value::toString).collect(Collectors.joining(", "));
    }
}
