package hocket.workbench.experiment;

import hocket.schedulers.Deed;
import hocket.schedulers.Run;
import hocket.schedulers.Setting;
import hocket.workbench.forms.Inline;
import hocket.workbench.forms.Kinds;
import hocket.workbench.forms.Plain;
import java.util.Map;
import java.util.function.Consumer;

/** What is done beside training, as a file says it. */
public sealed interface DeedSpec {
    /** The same as training takes it. */
    Deed deed();

    /** What every run can do. */
    @Plain
    record UsualDeedSpec(
            @Setting(help = "what every run can do") Deed.Usual word) implements DeedSpec {
        @Override
        public Deed deed() {
            return word;
        }
    }

    /** The best is kept. */
    record BestDeedSpec(
            @Setting(help = "keeps the parameters if they score best so far")
            BestSpec best) implements DeedSpec {
        @Override
        public Deed deed() {
            return new Deed.Best(best.episodes());
        }
    }

    /** How the best is found. */
    record BestSpec(
            @Setting(least = 1, most = 1e6, help = "by how many episodes it is judged")
            int episodes) {}

    /** Settings are given values. */
    record SetDeedSpec(
            @Setting(help = "new values of settings by name, such as {d/rate: 1e-4}")
            Map<String, Double> set) implements DeedSpec {
        @Override
        public Deed deed() {
            return new Deed.Set(set);
        }
    }

    /** Settings are multiplied. */
    record ScaleDeedSpec(
            @Setting(help = "what settings are multiplied by, such as {d/rate: 0.5}")
            Map<String, Double> scale) implements DeedSpec {
        @Override
        public Deed deed() {
            return new Deed.Scale(scale);
        }
    }

    /** Something of one's own. */
    record OwnDeedSpec(
            @Inline @Setting(help = "a Consumer of runs, by class") @Kinds(Consumer.class)
            Object own) implements DeedSpec {
        @Override
        @SuppressWarnings("unchecked") // what it takes cannot be asked of a class
        public Deed deed() {
            return new Deed.Own((Consumer<Run>) own);
        }
    }
}
