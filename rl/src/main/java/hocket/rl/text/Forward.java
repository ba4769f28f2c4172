package hocket.rl.text;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.execution.BoundProgram;
import hocket.schedulers.Run;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/** Runs a program without noise over a store: a run's, or a session's. */
@FunctionalInterface
interface Forward {
    /** Returns the targets of the program. */
    List<Tensor> run(Program program, Feeds feeds);

    /** Returns that of a turn of Java. */
    static Forward of(Run run) {
        return (program, feeds) -> {
            BoundProgram bound = run.bind(program);
            bound.feed(feeds.tensors());
            bound.run(feeds.rows(), 0, 0);
            return IntStream.range(0, program.targets().size())
                    .mapToObj(bound::target)
                    .toList();
        };
    }

    /** Returns that of a session. */
    static Forward of(Session session) {
        return session::run;
    }
}
