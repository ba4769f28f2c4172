package hocket.workbench.commands;

import hocket.schedulers.Command.Change;
import hocket.schedulers.Command.Fork;
import hocket.schedulers.Command.Pause;
import hocket.schedulers.Command.Replan;
import hocket.schedulers.Command.Resume;
import hocket.schedulers.Command.Save;
import hocket.schedulers.Command.Step;
import hocket.schedulers.Command.Stop;
import hocket.schedulers.Command.Unit;
import hocket.workbench.live.LiveAddress;
import hocket.workbench.live.LiveClient;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Steers a run that another process trains. */
@Command(
        name = "send",
        header = "Steers a run that is being trained with --serve.",
        description = {
            "",
            "Commands are done between turns and written into the run's journal, by which hocket run"
                    + " RUN/experiment.yaml --replay does the same again, to the bit:",
            "",
            "  pause            wait, until resume or step",
            "  resume           go on",
            "  step [round]     take one turn, or the rest of the round, and pause",
            "  save             write a checkpoint",
            "  stop             end with this turn, saved; --resume goes on",
            "  set KEY=VALUE    change a setting of a turn's rules, such as d.rate=1e-4",
            "  plan PLAN        another plan from the next round on, as in the file",
            "  fork [NAME]      another run folder that goes on from here",
            ""
        },
        sortOptions = false,
        usageHelpWidth = Terminal.COLUMNS,
        footer = {
            "",
            "For example:",
            "  hocket send runs/digits-gan pause",
            "  hocket send runs/digits-gan set d.rate=1e-4",
            "  hocket send runs/digits-gan plan '{sequence: [{repeat: 2, of: d}, g, ema]}'"
        })
public final class SendCommand implements Runnable {
    private final Workplace workplace;

    public SendCommand(Workplace workplace) {
        this.workplace = workplace;
    }

    @Parameters(paramLabel = "RUN", index = "0", description = "the run folder")
    private String run = "";

    @Parameters(paramLabel = "COMMAND", index = "1..*", arity = "1..2", description = "what it is to do")
    private List<String> words = List.of();

    @Override
    public void run() {
        hocket.schedulers.Command command = command();
        LiveAddress address = LiveAddress.of(new RunFolder(workplace.path(run)));
        workplace.terminal().say(new LiveClient(address).send(command));
    }

    private hocket.schedulers.Command command() {
        String name = words.get(0);
        String argument = words.size() > 1 ? words.get(1) : "";
        boolean takesOne = List.of("step", "set", "plan", "fork").contains(name);
        if (!argument.isEmpty() && !takesOne) {
            throw new Refusal(name + " takes nothing more, was given " + argument);
        }
        return switch (name) {
            case "pause" -> new Pause();
            case "resume" -> new Resume();
            case "step" -> new Step(unit(argument));
            case "save" -> new Save();
            case "stop" -> new Stop();
            case "set" -> change(argument);
            case "plan" -> new Replan(argument);
            case "fork" -> new Fork(argument);
            default ->
                throw new Refusal("there is no command " + name
                        + hocket.scopes.Nearest.among(
                                name, List.of("pause", "resume", "step", "save", "stop", "set", "plan", "fork")));
        };
    }

    private static Unit unit(String word) {
        return switch (word) {
            case "", "turn" -> Unit.TURN;
            case "round" -> Unit.ROUND;
            default -> throw new Refusal("step: must be turn or round, was " + word);
        };
    }

    private static Change change(String setting) {
        int end = setting.indexOf('=');
        try {
            if (end > 0) {
                return new Change(
                        setting.substring(0, end).replace('.', '/'), Double.parseDouble(setting.substring(end + 1)));
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new Refusal(
                "set: must be KEY=NUMBER, such as d.rate=1e-4, was " + (setting.isEmpty() ? "nothing" : setting));
    }
}
