package hocket.workbench;

import hocket.schedulers.Experiment;
import java.util.ArrayList;
import java.util.List;

/**
 * What a person may type after a run.
 *
 * @param experiment that was run
 * @param folder what it left
 */
record NextCommands(Experiment experiment, RunFolder folder) {
    /** A line each. */
    List<String> lines() {
        List<String> commands = new ArrayList<>();
        commands.add("plot " + folder);
        if (experiment.evaluation().isPresent()) {
            commands.add("eval " + folder);
        }
        if (experiment.samples().isPresent()) {
            boolean images = new Samples(experiment.samples().get()).areImages();
            commands.add("sample " + folder + " --count 100 --out samples." + (images ? "png" : "npy"));
        }
        if (experiment.film().isPresent()) {
            commands.add("record " + folder + " --out agent.gif");
        }
        List<String> lines = new ArrayList<>();
        for (String command : commands) {
            lines.add((lines.isEmpty() ? "next     " : "         ") + Hocket.command() + " " + command);
        }
        return lines;
    }
}
