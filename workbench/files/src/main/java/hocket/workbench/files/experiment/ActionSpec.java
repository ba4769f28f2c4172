package hocket.workbench.files.experiment;

import hocket.schedulers.Action;
import hocket.schedulers.Run;
import hocket.schedulers.settings.Setting;
import hocket.workbench.files.forms.AllowedClasses;
import hocket.workbench.files.forms.Inline;
import hocket.workbench.files.forms.WrittenAsValue;
import java.util.Map;
import java.util.function.Consumer;

/** The actions of an experiment file. */
public sealed interface ActionSpec {
    /** Returns the actions in the form that training needs. */
    Action action();

    /** The actions of every run. */
    @WrittenAsValue
    record UsualActionSpec(
            @Setting(help = "an action that every run supports")
            Action.Usual word) implements ActionSpec {
        @Override
        public Action action() {
            return word;
        }
    }

    /** The best is kept. */
    record BestActionSpec(
            @Setting(help = "keeps the parameters if they score best so far")
            BestSpec best) implements ActionSpec {
        @Override
        public Action action() {
            return new Action.Best(best.episodes());
        }
    }

    /** Settings of the action that keeps the best parameters. */
    record BestSpec(
            @Setting(least = 1, most = 1e6, help = "number of evaluation episodes")
            int episodes) {}

    /** Sets settings. */
    record SetActionSpec(
            @Setting(help = "new values of settings by name, such as {d/rate: 1e-4}")
            Map<String, Double> set) implements ActionSpec {
        @Override
        public Action action() {
            return new Action.Set(set);
        }
    }

    /** Multiplies settings. */
    record ScaleActionSpec(
            @Setting(help = "factors of settings by name, such as {d/rate: 0.5}")
            Map<String, Double> scale) implements ActionSpec {
        @Override
        public Action action() {
            return new Action.Scale(scale);
        }
    }

    /** A custom action. */
    record OwnActionSpec(
            @Inline @Setting(help = "a Consumer of runs, by class name") @AllowedClasses(Consumer.class)
            Object own) implements ActionSpec {
        @Override
        @SuppressWarnings("unchecked") // the constructor's parameters are not known here
        public Action action() {
            return new Action.Own((Consumer<Run>) own);
        }
    }
}
