package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.terminal.TextPage;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * Prints validation results and scores for a person as they are recorded.
 *
 * @param setup of the run
 * @param terminal where progress may be shown at the moment
 * @param person receives lines, if there is a person
 */
public record ConsoleReporter(Setup setup, Terminal terminal, Consumer<String> person) implements Ring {
    private static final Runnable UNSAID = () -> {};

    @Override
    public void reported(Run run, Event.Report event) {
        event.fold(new Event.Report.Cases<Runnable>(
                        validated -> () -> say(validated),
                        scored -> () -> say(scored.best() ? "best" : "scores", scored.scores()),
                        saved -> UNSAID,
                        refused -> () -> remark("not saved: " + refused.why() + "; the run continues"),
                        failed -> () -> remark("the checkpoint of step "
                                + failed.at().step()
                                + " is complete, but its averages have the batch-norm statistics of the networks they"
                                + " follow; estimating their own failed: "
                                + CommandFailure.words(failed.why()) + "; log.txt says where"),
                        steered -> UNSAID,
                        noted -> () -> say(noted)))
                .run();
    }

    private void say(Event.Validated validated) {
        terminal.erase();
        person.accept("validation " + validated.metric() + " " + NumberFormats.shortly(validated.mean()) + " after "
                + Pictures.name(setup, validated.at()).replace('-', ' ').replaceAll(" 0+(?=\\d)", " "));
    }

    private void say(Event.Noted noted) {
        terminal.erase();
        person.accept(noted.name() + " " + Terminal.inOneLine(noted.text()));
    }

    private void remark(String what) {
        terminal.erase();
        terminal.remark("hocket: " + what);
    }

    void say(String what, SortedMap<String, Double> scores) {
        terminal.erase();
        new TextPage().entry(what, 9, RunLog.line(scores)).lines().forEach(person);
    }
}
