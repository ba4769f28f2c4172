package hocket.schedulers.optimizers.updates;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Slot;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.kernels.Chunks;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.rates.ConstantRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The updates of one turn: optimizers bound to arrays, with their slots, counts and settings, made once and run at
 * every update. Common chains take one phase for all arrays, and running them allocates nothing; chains with links that
 * measure, a phase more for each. One thread at a time.
 *
 * <p>Its settings are the numbers and rates of its links, by the names of files: {@code rate}, {@code beta1}. Where two
 * are called alike, each such is {@code adam/rate}, after its link, the second of a kind in a chain {@code adam2}; and
 * where that is not enough {@code 1/adam/rate}, after the place of the rule in the turn.
 */
public final class UpdatePlan implements Stateful {
    /**
     * An optimizer and its weights. Clipping takes the norm over the gradients of one group.
     *
     * @param rule the optimizer
     * @param targets the weights, each at most once
     */
    public record Group(UpdateRule rule, List<Target> targets) {
        public Group {
            targets = List.copyOf(targets);
        }
    }

    /** One number of one transformation. */
    private record Place(int rule, BoundTransformation link, String key) {
        String name() {
            return key;
        }

        String ofLink() {
            return link.label + "/" + key;
        }

        String ofRule() {
            return rule + "/" + link.label + "/" + key;
        }
    }

    /** One pass over memory: the ranges of all weights that it concerns. */
    private final class Pass {
        private final int number;
        private final int[] rule;
        private final int[] target;
        private final Chunks chunks;
        private final KernelThreads.Work work;
        private double[] partial;
        private final int width;

        Pass(int number) {
            this.number = number;
            List<Integer> ruleOf = new ArrayList<>();
            List<Integer> targetOf = new ArrayList<>();
            List<Chunks.Part> parts = new ArrayList<>();
            int most = 0;
            for (int r = 0; r < rules.length; r++) {
                most = Math.max(most, rules[r].sums(number));
                for (int t = 0; t < rules[r].targets.size() && number < rules[r].passes(); t++) {
                    Target on = rules[r].targets.get(t);
                    ruleOf.add(r);
                    targetOf.add(t);
                    parts.add(part(
                            on,
                            rules[r].isByUnit(number)
                                    ? on.unit()
                                    : Math.max(1, on.weight().length()),
                            rules[r].taken(t)));
                }
            }
            rule = ruleOf.stream().mapToInt(Integer::intValue).toArray();
            target = targetOf.stream().mapToInt(Integer::intValue).toArray();
            chunks = Chunks.of(parts);
            work = new KernelThreads.Work(chunks, this::chunk);
            width = most;
            partial = new double[chunks.count() * width];
        }

        /** Takes the rows of tables that this update takes. */
        void cut() {
            chunks.cut();
            partial = partial.length < chunks.count() * width ? new double[chunks.count() * width] : partial;
        }

        private void chunk(Kernels kernels, int chunk) {
            int array = chunks.array(chunk);
            BoundRule of = rules[rule[array]];
            if (of.runs(number)) {
                of.run(kernels, number, target[array], chunks.from(chunk), chunks.to(chunk), partial, chunk * width);
            }
        }

        /** Adds up what was measured, in the order of ranges. */
        void sum() {
            for (int chunk = 0; chunk < chunks.count() && width > 0; chunk++) {
                int array = chunks.array(chunk);
                BoundRule of = rules[rule[array]];
                if (of.sums(number) > 0 && of.runs(number)) {
                    of.add(number, target[array], chunks.from(chunk), partial, chunk * width);
                }
            }
        }
    }

    /** The slot of a lazy optimizer that waits for several gradients: which rows they had. */
    private static final String WAITING = "rows_waiting";

    private static final Set<String> OWN = Set.of("counts", "set", "rates", "looked", "last");

    private final BoundRule[] rules;
    private final Target[] all;
    private final int[] ruleOf;
    private final Chunks gradients;
    private double[] squares;
    private final KernelThreads.Work measure;
    /** The links by the place of their rule and their label, in their order. */
    private final Map<String, BoundTransformation> links = new LinkedHashMap<>();

    private final SortedMap<String, Place> places;
    private final SortedMap<String, Device.Array> slots = new TreeMap<>();
    private final Place[] order;
    private final boolean[] rates;
    private final double[] known;
    private Pass[] passes = new Pass[0];
    private boolean clips;

    private UpdatePlan(List<Group> groups) {
        rules = groups.stream()
                .map(group -> new BoundRule(group.rule(), group.targets()))
                .toArray(BoundRule[]::new);
        List<Target> targets = new ArrayList<>();
        List<Chunks.Part> parts = new ArrayList<>();
        List<Integer> of = new ArrayList<>();
        List<Place> found = new ArrayList<>();
        for (int r = 0; r < rules.length; r++) {
            for (int t = 0; t < rules[r].targets.size(); t++) {
                Target target = rules[r].targets.get(t);
                targets.add(target);
                parts.add(part(target, Math.max(1, target.weight().length()), rules[r].used(t)));
                of.add(r);
                Reals waiting = rules[r].waiting(t);
                if (waiting != null) {
                    slots.put(target.path() + "/" + WAITING, waiting.array());
                }
            }
            for (BoundTransformation link : rules[r].links) {
                links.put((r + 1) + "/" + link.label, link);
                for (String key : GradientTransformations.settings(link.original)) {
                    found.add(new Place(r + 1, link, key));
                }
            }
            nameSlots(rules[r]);
        }
        all = targets.toArray(Target[]::new);
        ruleOf = of.stream().mapToInt(Integer::intValue).toArray();
        gradients = Chunks.of(parts);
        squares = new double[gradients.count()];
        measure = new KernelThreads.Work(gradients, this::square);
        places = Collections.unmodifiableSortedMap(new TreeMap<>(
                GradientTransformations.shortest(found, List.of(Place::name, Place::ofLink, Place::ofRule))));
        order = places.values().toArray(Place[]::new);
        known = new double[order.length];
        rates = new boolean[order.length];
        compile();
    }

    private static Chunks.Part part(Target target, int unit, @Nullable Supplier<BitSet> used) {
        return new Chunks.Part(target.weight().length(), unit, target.unit(), used);
    }

    private void nameSlots(BoundRule rule) {
        record Named(BoundTransformation link, int slot, String name) {}
        List<Named> kept = new ArrayList<>();
        for (BoundTransformation link : rule.links) {
            for (int s = 0; s < link.kept.size(); s++) {
                kept.add(new Named(link, s, link.kept.get(s).name()));
            }
        }
        GradientTransformations.shortest(kept, List.of(Named::name, each -> each.link.label + "." + each.name))
                .forEach((name, each) -> {
                    for (int t = 0; t < rule.targets.size(); t++) {
                        if (each.link.touches[t]) {
                            slots.put(rule.targets.get(t).path() + "/" + name, each.link.slots[t][each.slot].array());
                        }
                    }
                });
    }

    private void compile() {
        for (int i = 0; i < order.length; i++) {
            rates[i] = Keys.values(order[i].link.link).get(order[i].key) instanceof Rate;
            known[i] = value(order[i]);
        }
        int most = 1;
        clips = false;
        for (BoundRule rule : rules) {
            most = Math.max(most, rule.passes());
            clips |= rule.clipsFirst();
        }
        passes = new Pass[most];
        for (int p = 0; p < most; p++) {
            passes[p] = new Pass(p);
        }
    }

    /** A plan of groups; no weight may be in two. */
    public static UpdatePlan of(List<Group> groups) {
        return new UpdatePlan(groups);
    }

    /** A plan of one group. */
    public static UpdatePlan of(UpdateRule rule, List<Target> targets) {
        return of(List.of(new Group(rule, targets)));
    }

    /** A plan of these rules on one number each, to see which settings they have and what these take. */
    public static UpdatePlan rehearsed(List<UpdateRule> rules) {
        List<Group> groups = new ArrayList<>();
        for (UpdateRule rule : rules) {
            Reals any = Reals.of(Device.jvm().allocate(Shape.scalar(), ElementType.FLOAT32));
            groups.add(new Group(rule, List.of(Target.of("rule" + groups.size(), any, any))));
        }
        return of(groups);
    }

    /** Returns the number of elements that an update changes, without slots. */
    public long elements() {
        return Stream.of(all).mapToLong(target -> target.weight().length()).sum();
    }

    /** The slot of a link for a weight, by the weight's path and the slot's name: {@code net/weight/m}. */
    public SortedMap<String, Device.Array> slots() {
        return Collections.unmodifiableSortedMap(slots);
    }

    /** Updates without rounds and epochs; see {@link #run(KernelThreads, long, double)}. */
    public void run(KernelThreads kernelThreads) {
        run(kernelThreads, 0, 0);
    }

    /**
     * Updates all weights and their slots. The same bits for any number of workers and, of common chains, either kind of
     * kernels; others have one kind.
     *
     * @param round rounds completed so far
     * @param epoch epochs completed so far
     * @throws IllegalArgumentException if a rate is negative or not finite now; nothing is changed then
     */
    public void run(KernelThreads kernelThreads, long round, double epoch) {
        if (clips) {
            sumSquares(kernelThreads);
        }
        look(round, epoch);
        move(kernelThreads);
    }

    /**
     * Prepares the next update, before {@link #move}; changes no saved state.
     *
     * @param round rounds completed so far
     * @param epoch epochs completed so far
     * @throws IllegalArgumentException if a rate is negative or not finite now
     */
    public void look(long round, double epoch) {
        for (BoundRule rule : rules) {
            rule.look(round, epoch);
        }
    }

    /** Updates as it {@link #look looked}, right after {@link #gradientNorm} of the same gradients, which are not measured again. */
    public void move(KernelThreads kernelThreads) {
        for (int r = 0; r < rules.length; r++) {
            rules[r].refresh();
            rules[r].begin(rules[r].clipsFirst() ? Math.sqrt(sum(r)) : 0);
        }
        for (int p = 0; p < passes.length; p++) {
            passes[p].cut();
            kernelThreads.run(passes[p].work);
            passes[p].sum();
        }
    }

    /**
     * The Euclidean norm of all gradients together, in double, before any clipping. Finite exactly if all gradients are,
     * except that float64 ones beyond 1e150 may overflow.
     */
    public double gradientNorm(KernelThreads kernelThreads) {
        sumSquares(kernelThreads);
        double sum = 0;
        for (int r = 0; r < rules.length; r++) {
            sum += sum(r);
        }
        return Math.sqrt(sum);
    }

    private void sumSquares(KernelThreads kernelThreads) {
        for (Target target : all) {
            target.gradient().refresh();
        }
        gradients.cut();
        squares = squares.length < gradients.count() ? new double[gradients.count()] : squares;
        kernelThreads.run(measure);
    }

    private void square(Kernels kernels, int chunk) {
        Reals gradient = all[gradients.array(chunk)].gradient();
        squares[chunk] = kernels.sumOfSquares(gradient, gradients.from(chunk), gradients.to(chunk));
    }

    /** The sum of squares of a rule's gradients, in the order of its chunks. */
    private double sum(int rule) {
        double sum = 0;
        for (int chunk = 0; chunk < gradients.count(); chunk++) {
            if (ruleOf[gradients.array(chunk)] == rule) {
                sum += squares[chunk];
            }
        }
        return sum;
    }

    /** Returns the counts of the transformations, in their order. */
    public long[] counts() {
        return links.values().stream().mapToLong(link -> link.count).toArray();
    }

    /**
     * Restores earlier counts; slots and settings stay.
     *
     * @throws IllegalArgumentException if they belong to other optimizers
     */
    public void counts(long[] counts) {
        if (counts.length != counts().length) {
            throw new IllegalArgumentException(
                    "counts of " + counts.length + " links, the rules have " + counts().length);
        }
        int i = 0;
        for (BoundTransformation link : links.values()) {
            link.count = counts[i++];
            link.last = link.value; // that of the update that another made, or of a trial
        }
    }

    /** Returns the metrics that rates read: pass the last value of each to {@link #observe} before an update. */
    public List<String> watched() {
        return links.values().stream()
                .flatMap(link -> Stream.ofNullable(link.watches()))
                .sorted()
                .distinct()
                .toList();
    }

    /**
     * Passes the last value of a metric to the rates that read it, before each update; they remember it when the update
     * is made, and until then only the last that was given. A value that was passed at the update before is not passed
     * twice.
     *
     * @param count how often the metric was reported
     */
    public void observe(String series, double value, long count) {
        for (BoundRule rule : rules) {
            for (BoundTransformation link : rule.links) {
                if (series.equals(link.watches())) {
                    link.observe(value, count);
                }
            }
        }
    }

    /** Returns all current settings; a rate as at the last update, or as it will be at the first. */
    public SortedMap<String, Double> settings() {
        SortedMap<String, Double> settings = new TreeMap<>();
        places.keySet().forEach(name -> settings.put(name, setting(name)));
        return settings;
    }

    /**
     * Writes all settings as they are now, in the order of their names.
     *
     * @return whether they may be others at another update: a rate is not a constant
     */
    public boolean settings(double[] into) {
        boolean varies = false;
        for (int i = 0; i < known.length; i++) {
            BoundTransformation link = order[i].link;
            boolean isRate = rates[i] && link.rate != null && !(link.rate instanceof ConstantRate);
            into[i] = isRate && link.count > 0 ? link.last : known[i];
            varies |= isRate;
        }
        return varies;
    }

    /** @throws IllegalArgumentException if there is no setting of that name */
    public double setting(String name) {
        return value(place(name));
    }

    private static double value(Place place) {
        Object value =
                java.util.Objects.requireNonNull(Keys.values(place.link.link).get(place.key));
        if (!(value instanceof Rate rate)) {
            return ((Number) value).doubleValue();
        }
        return place.link.count == 0 || rate instanceof ConstantRate
                ? rate.at(TrainingProgress.of(1, 0, 0))
                : place.link.last;
    }

    /**
     * Changes a setting from the next update on; a rate becomes the constant rate of that value.
     *
     * @throws IllegalArgumentException if the name is unknown or the value is invalid; nothing has changed then
     */
    public void set(String name, double value) {
        Place place = place(name);
        place.link.become(changed(place, place.link.link, value));
        recompile();
    }

    private void recompile() {
        for (BoundRule rule : rules) {
            rule.compile();
        }
        compile();
    }

    private static GradientTransformation changed(
            Place place, GradientTransformation gradientTransformation, double value) {
        boolean isRate = Keys.values(gradientTransformation).get(place.key) instanceof Rate;
        GradientTransformation changed =
                Keys.with(gradientTransformation, place.key, isRate ? Rate.constant(value) : (Object) value);
        List<String> now = changed.slots().stream().map(Slot::name).toList();
        List<String> before = place.link.kept.stream().map(Slot::name).toList();
        if (!now.equals(before)) {
            throw new IllegalArgumentException(place.key + ": cannot become " + value + " now: "
                    + GradientTransformations.key(gradientTransformation) + " would keep " + now
                    + " for each weight, and keeps " + before);
        }
        return changed;
    }

    private Place place(String name) {
        return SimilarNames.get(places, name, "there is no setting ");
    }

    /**
     * Slots under their names, and how often each link ran ({@code counts}), the settings that were {@code set}, and what
     * rates remember ({@code rates}), after how many reports of their metrics ({@code looked}), and the rates of the last
     * update ({@code last}).
     */
    @Override
    public State save() {
        State state = State.empty();
        State counts = State.empty();
        State set = State.empty();
        State memories = State.empty();
        State looked = State.empty();
        State last = State.empty();
        for (var entry : links.entrySet()) {
            BoundTransformation link = entry.getValue();
            counts = counts.with(entry.getKey(), link.count);
            @Nullable State memory = link.remembered();
            if (memory != null) {
                memories = memories.with(entry.getKey(), memory);
                looked = looked.with(entry.getKey(), link.looked());
            }
            if (link.rate != null) {
                last = last.with(entry.getKey(), link.last);
            }
        }
        for (var entry : places.entrySet()) {
            Place place = entry.getValue();
            Object now = Keys.values(place.link.link).get(place.key);
            if (!java.util.Objects.equals(now, Keys.values(place.link.original).get(place.key))) {
                set = set.with(entry.getKey(), value(place));
            }
        }
        for (var entry : slots.entrySet()) {
            state = state.with(entry.getKey(), entry.getValue().read());
        }
        return state.with("counts", counts)
                .with("set", set)
                .with("rates", memories)
                .with("looked", looked)
                .with("last", last);
    }

    @Override
    public void restore(State state) {
        slots.forEach((name, slot) -> requireFits(name, slot, state.tensor(name)));
        for (String name : state.items().keySet()) {
            if (!slots.containsKey(name) && !OWN.contains(name)) {
                throw new IllegalArgumentException("slot " + name + " was saved, which its rules do not keep here");
            }
        }
        State counts = state.state("counts");
        State memories = state.state("rates");
        State set = state.state("set");
        State looked = state.has("looked") ? state.state("looked") : State.empty(); // not in runs of November 2026
        State last = state.has("last") ? state.state("last") : State.empty();
        Map<BoundTransformation, GradientTransformation> gradientTransformations = new LinkedHashMap<>();
        links.forEach((name, link) -> {
            if (counts.whole(name) < 0) {
                throw new IllegalArgumentException("the count of " + name + " was saved as " + counts.whole(name));
            }
            gradientTransformations.put(link, link.original);
            if (memories.has(name)) {
                link.requireMemory(memories.state(name));
            }
        });
        if (links.size() != counts.items().size()) {
            throw new IllegalArgumentException("the state of links "
                    + counts.items().keySet() + " was saved, which are not those of the rules here");
        }
        for (String name : set.items().keySet()) {
            Place place = place(name);
            gradientTransformations.put(
                    place.link,
                    changed(
                            place,
                            java.util.Objects.requireNonNull(gradientTransformations.get(place.link)),
                            set.real(name)));
        }
        gradientTransformations.forEach(BoundTransformation::become);
        links.forEach((name, link) -> {
            link.count = counts.whole(name);
            if (memories.has(name)) {
                link.remember(memories.state(name));
            }
            if (looked.has(name)) {
                link.lookedAt(looked.whole(name));
            }
            if (last.has(name)) {
                link.last = last.real(name);
                link.value = link.last;
            }
        });
        slots.forEach((name, slot) -> slot.write(state.tensor(name).buffer()));
        recompile();
    }

    private static void requireFits(String name, Device.Array slot, Tensor saved) {
        if (saved.type() != slot.type() || saved.shape().size() != slot.shape().size()) {
            throw new IllegalArgumentException("slot " + name + " was saved as " + saved.signature() + ", here it has "
                    + slot.shape().size() + " of " + slot.type());
        }
    }

    /** Releases weights and gradients, and frees slots; only counts and settings are available from then on. */
    public void release() {
        for (BoundRule rule : rules) {
            rule.release();
        }
    }

    /** Resets slots, counts and settings. */
    public void reset() {
        for (BoundRule rule : rules) {
            rule.reset();
        }
        compile();
    }
}
