package hocket.schedulers.evaluation;

import hocket.programs.Session;
import hocket.scopes.Parameters;
import java.util.SortedMap;

/** An evaluation that runs programs; parameters without a session are scored in one of their own. */
public interface ProgramEvaluation extends Evaluation {
    @Override
    SortedMap<String, Double> scores(Session session);

    @Override
    default SortedMap<String, Double> scores(Parameters parameters) {
        try (Session session = Session.over(parameters, Runtime.getRuntime().availableProcessors())) {
            return scores(session);
        }
    }
}
