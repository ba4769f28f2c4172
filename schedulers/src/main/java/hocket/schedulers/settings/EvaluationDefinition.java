package hocket.schedulers.settings;

import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import java.util.Map;

/** How results are judged, for experiment files to name by class; a record as {@link NetworkDefinition} describes it. */
public interface EvaluationDefinition {
    /**
     * The judgement.
     *
     * @param networks what there is to judge
     * @param sources the experiment's sources by name
     * @throws IllegalArgumentException if it does not fit them, naming what is missing
     */
    Evaluation build(Networks networks, Map<String, Source> sources);
}
