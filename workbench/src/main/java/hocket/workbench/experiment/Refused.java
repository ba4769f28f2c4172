package hocket.workbench.experiment;

import hocket.workbench.yaml.Problems;
import java.util.List;

/** An experiment file, or a change to one, that is refused: everything that is wrong with it, a line each. */
public final class Refused extends IllegalArgumentException {
    private final List<String> lines;

    Refused(Problems problems) {
        this(problems.lines());
    }

    Refused(List<String> lines) {
        super(String.join("\n", lines));
        this.lines = List.copyOf(lines);
    }

    /** One problem a line. */
    public List<String> lines() {
        return lines;
    }
}
