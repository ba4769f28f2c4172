package hocket.workbench.training;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Page;
import hocket.workbench.terminal.Terminal;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * Tells a person of validation and scores as they come.
 *
 * @param setup of the run
 * @param terminal where progress may be shown just now
 * @param person takes lines, unless there is nobody to tell
 */
record Telling(Setup setup, Terminal terminal, Consumer<String> person) implements Ring {
    @Override
    public void heard(Run run, Event event) {
        if (event instanceof Event.Validated validated) {
            terminal.erase();
            person.accept("validation " + validated.metric() + " " + Figures.shortly(validated.mean()) + " after "
                    + Pictures.name(setup, validated.at()).replace('-', ' ').replaceAll(" 0+(?=\\d)", " "));
        } else if (event instanceof Event.NotSaved refused) {
            terminal.erase();
            terminal.remark("hocket: not saved: " + refused.why() + "; the run goes on");
        } else if (event instanceof Event.NotEstimated failed) {
            terminal.erase();
            terminal.remark("hocket: the checkpoint of step " + failed.at().step()
                    + " is complete, but its averages have the batch-norm statistics of the networks they follow;"
                    + " estimating their own failed: " + failed.why().getMessage() + "; log.txt says where");
        } else if (event instanceof Event.Scored scored) {
            say(scored.best() ? "best" : "scores", scored.scores());
        }
    }

    void say(String what, SortedMap<String, Double> scores) {
        terminal.erase();
        new Page().entry(what, 9, Log.line(scores)).lines().forEach(person);
    }
}
