package hocket.schedulers.turns;

import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The state of turns of Java besides a run's parameters, as saved states hold it. */
public final class ActionStates {
    private ActionStates() {}

    private static Optional<State> of(State saved, String turn) {
        State turns = saved.state("turns");
        return turns.has(turn) && turns.state(turn).has(BoundAct.ACTION)
                ? Optional.of(turns.state(turn).state(BoundAct.ACTION))
                : Optional.empty();
    }

    /** Copies what {@link Inheriting} turns of another run had learnt. Throws as {@link Setup#inherit}. */
    public static void inherit(Collection<Turn> turns, State saved, Set<Path> filled) {
        List<Inheriting> heirs = new ArrayList<>();
        List<State> before = new ArrayList<>();
        try {
            for (Turn.Act act : Turn.acting(turns)) {
                Optional<State> learnt = of(saved, act.name());
                if (learnt.isPresent()
                        && act.action() instanceof Inheriting heir
                        && filled.containsAll(heir.program().parameters().keySet())) {
                    before.add(heir.save());
                    heirs.add(heir);
                    heir.inherit(learnt.get());
                }
            }
        } catch (RuntimeException e) {
            for (int i = 0; i < heirs.size(); i++) {
                heirs.get(i).restore(before.get(i));
            }
            throw e;
        }
    }

    /** Restores the state of turns. Throws as {@link Setup#restoreActions}. */
    public static void restore(Collection<Turn> turns, State saved) {
        for (Turn.Act act : Turn.acting(turns)) {
            if (act.action() instanceof Stateful action) {
                NonNull.back(
                        "turn " + act.name(),
                        action,
                        saved.state("turns").state(act.name()).state(BoundAct.ACTION));
            }
        }
    }

    /** Returns whether a turn has state. */
    public static boolean areKept(Collection<Turn> turns) {
        return Turn.acting(turns).stream().anyMatch(act -> act.action() instanceof Stateful);
    }
}
