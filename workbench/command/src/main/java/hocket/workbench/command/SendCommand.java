package hocket.workbench.command;

import hocket.schedulers.commands.CommandForm;
import hocket.workbench.files.UserError;
import hocket.workbench.live.peers.LiveClient;
import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.runs.RunFolder;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends a command to a run that another process trains. */
@Command(
        name = "send",
        header = "Sends a command to a run that trains with --serve.",
        footer = {
            "",
            "For example:",
            "  hocket send runs/digits-gan pause",
            "  hocket send runs/digits-gan set d.rate=1e-4",
            "  hocket send runs/digits-gan plan '{sequence: [{repeat: 2, of: d}, g, ema]}'"
        })
public final class SendCommand extends WorkplaceCommand implements Runnable {
    /** The width of the commands' words in the help. */
    private static final int COLUMN = 16;

    @Parameters(paramLabel = "RUN", index = "0", description = "the run folder")
    private String run = "";

    @Parameters(paramLabel = "COMMAND", index = "1..*", arity = "1..2", description = "the command")
    private List<String> words = List.of();

    @Spec
    void describe(CommandSpec spec) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "Commands take effect between turns and are written into the run's journal; hocket run"
                        + " RUN/experiment.yaml --replay repeats them bit by bit:",
                ""));
        for (CommandForm form : CommandForm.asked()) {
            lines.add(("  %-" + COLUMN + "s %s").formatted((form.name() + " " + form.usage()).strip(), form.help()));
        }
        lines.add("");
        spec.usageMessage().description(lines.toArray(String[]::new));
    }

    @Override
    public void run() {
        hocket.schedulers.commands.Command command = command();
        LiveAddress address = LiveAddress.of(new RunFolder(workplace.path(run)));
        workplace.terminal().say(new LiveClient(address).send(command));
    }

    private hocket.schedulers.commands.Command command() {
        try {
            return CommandForm.read(words.get(0), words.size() > 1 ? words.get(1) : "");
        } catch (IllegalArgumentException e) {
            throw new UserError(String.valueOf(e.getMessage()));
        }
    }
}
