package hocket.schedulers.settings;

import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import java.util.Map;

/** An evaluation that experiment files name by class; a record as {@link NetworkDefinition} describes it. */
public interface EvaluationDefinition {
    /**
     * Makes the evaluation.
     *
     * @param networks the networks to evaluate
     * @param sources the experiment's sources by name
     * @throws IllegalArgumentException if they lack a part, naming it
     */
    Evaluation build(Networks networks, Map<String, Source> sources);
}
