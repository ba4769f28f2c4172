package hocket.workbench.files.experiment;

import hocket.scopes.SimilarNames;
import hocket.workbench.files.forms.AlternativeTo;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.files.forms.Form;
import hocket.workbench.files.forms.SettingPathVisitor;
import hocket.workbench.files.yaml.FilePosition;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Applies {@code --set key=value}: keys lead to a part of the file, and some may be left out if the rest is
 * unambiguous. {@code --set d.rate=1e-3} means {@code --set turns.d.updates.….adam.rate=1e-3}.
 *
 * @param form the file's
 * @param classes settings of classes
 */
record SettingOverrides(Form form, Classes classes) {
    private static final int PARTS = 5;

    /** Prefixes of settings that have an option of their own, which the message names. */
    private static final String FROM = "startup.from=";

    /** Names of settings in other tools. */
    private static final Map<String, String> ELSEWHERE =
            Map.of("lr", "rate", "learning_rate", "rate", "batch_size", "batch");

    private static final List<String> BUDGETS = List.of("epochs", "rounds", "turns");

    /** Returns the tree with one change; the same tree if there are problems. */
    YamlNode.Keys apply(String change, YamlNode.Keys tree, FileProblems fileProblems) {
        FilePosition filePosition = spot(change);
        int equals = change.indexOf('=');
        if (equals < 1) {
            fileProblems.add(filePosition, "", "needs key=value");
            return tree;
        }
        String key = change.substring(0, equals).strip();
        Optional<YamlNode> value = value(change.substring(equals + 1), filePosition, fileProblems);
        if (value.isEmpty()) {
            return tree;
        }
        if (BUDGETS.contains(key) && trainsInPhases(tree)) {
            fileProblems.add(
                    filePosition,
                    "",
                    key + " has no place here: each phase of runners.train has a budget of its own, such as"
                            + " runners.train.phases.0.budget");
            return tree;
        }
        if (BUDGETS.contains(key) && tree.get("budget").isPresent()) {
            return tree.with("budget", budget(key, value.get(), tree, filePosition));
        }
        return address(key, value.get(), tree, filePosition, fileProblems)
                .map(address -> (YamlNode.Keys) tree.changed(address, filePosition, before -> value))
                .orElse(tree);
    }

    /** Returns the change of the file's budget among some, if there is one. */
    static Optional<String> ofBudget(List<String> changes) {
        return changes.stream()
                .filter(change ->
                        BUDGETS.contains(change.replaceAll("(?s)=.*", "").strip()))
                .findFirst();
    }

    private static boolean trainsInPhases(YamlNode.Keys tree) {
        return tree.at(List.of("runners", ExperimentFile.TRAIN, "phases"))
                .filter(phases ->
                        phases instanceof YamlNode.Items items && !items.items().isEmpty())
                .isPresent();
    }

    /** Returns the description of a change's place. */
    static FilePosition spot(String change) {
        return FilePosition.in(
                change.startsWith(FROM) ? "--from " + change.substring(FROM.length()) : "--set " + change);
    }

    private static Optional<YamlNode> value(String text, FilePosition filePosition, FileProblems fileProblems) {
        String stripped = text.strip();
        boolean structured = stripped.startsWith("[") || stripped.startsWith("{") || stripped.startsWith("\"");
        if (!structured) {
            return Optional.of(new YamlNode.Scalar(filePosition, stripped, false));
        }
        FileProblems own = new FileProblems();
        Optional<YamlNode> value = YamlReader.read(filePosition.file(), stripped.getBytes(StandardCharsets.UTF_8), own);
        if (!own.isEmpty()) {
            fileProblems.add(
                    filePosition, "", "its value " + own.rules() + "; quote a text that begins with [, { or \"");
        }
        return value.map(yamlNode -> yamlNode.moved(filePosition));
    }

    /** {@code epochs} counts those of the budget's feed, or of the only one. */
    private static YamlNode budget(String unit, YamlNode value, YamlNode.Keys tree, FilePosition filePosition) {
        YamlNode.Keys none = new YamlNode.Keys(filePosition, Map.of());
        if (!unit.equals("epochs")) {
            return none.with(unit, value);
        }
        Optional<YamlNode> named = tree.get("budget")
                .flatMap(budget -> budget instanceof YamlNode.Keys keys ? keys.get("epochs") : Optional.empty());
        String feed = named.or(() -> tree.get("feeds"))
                .flatMap(yamlNode -> yamlNode instanceof YamlNode.Keys keys
                        ? keys.entries().keySet().stream().findFirst()
                        : Optional.empty())
                .orElse("feed");
        return none.with(unit, value instanceof YamlNode.Keys ? value : none.with(feed, value));
    }

    private Optional<List<String>> address(
            String key, YamlNode value, YamlNode.Keys tree, FilePosition filePosition, FileProblems fileProblems) {
        List<List<String>> all = addresses(tree);
        List<String> wanted = List.of(key.split("\\.", -1));
        boolean isBudget = wanted.size() == 1 && BUDGETS.contains(key);
        String whose = tree.get(ExperimentSpec.ALGORITHM).isPresent() ? ExperimentSpec.ALGORITHM : "budget";
        List<List<String>> records = value instanceof YamlNode.Keys ? records(all) : List.of();
        List<List<String>> nearest = meant(wanted, records);
        if (nearest.isEmpty()) {
            nearest = meant(wanted, all).stream()
                    .filter(each -> !isBudget || all.contains(wanted) || each.contains(whose))
                    .toList();
        }
        if (nearest.size() == 1) {
            return Optional.of(nearest.get(0));
        }
        if (nearest.isEmpty()) {
            Map<List<String>, List<String>> former = former(tree, all);
            List<List<String>> meant = meant(wanted, List.copyOf(former.keySet()));
            if (meant.size() == 1) {
                List<String> now = Objects.requireNonNull(former.get(meant.get(0)));
                fileProblems.renamed(filePosition, "", key, String.join(".", now));
                return Optional.of(now);
            }
        }
        if (nearest.isEmpty()) {
            fileProblems.add(filePosition, "", unknown(key, wanted, whose, all, tree));
        } else {
            List<List<String>> known =
                    Stream.concat(all.stream(), records.stream()).toList();
            fileProblems.add(
                    filePosition,
                    "",
                    key + " may mean "
                            + String.join(
                                    " or ",
                                    nearest.stream()
                                            .map(each -> shortest(each, known))
                                            .toList()));
        }
        return Optional.empty();
    }

    /** Returns the parts of a record by key. */
    private static String parts(String key, List<String> record, List<List<String>> all) {
        List<String> parts = all.stream()
                .filter(each -> each.size() > record.size()
                        && each.subList(0, record.size()).equals(record))
                .map(each -> key + "." + String.join(".", each.subList(record.size(), each.size())))
                .toList();
        int more = parts.size() - PARTS;
        return String.join(", ", parts.subList(0, Math.min(PARTS, parts.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private String unknown(String key, List<String> wanted, String whose, List<List<String>> all, YamlNode.Keys tree) {
        List<List<String>> whole = meant(wanted, records(all));
        if (!whole.isEmpty()) {
            return key + " has settings of its own: set " + parts(key, whole.get(0), all);
        }
        String part = BUDGETS.contains(key) ? "budget" : wanted.get(0);
        return "there is no setting " + key
                + (whose.equals(ExperimentSpec.ALGORITHM) && isTheAlgorithms(part)
                        ? ": the algorithm makes its own " + part + "; hocket plan shows what can be set"
                        : near(key, wanted, all, tree));
    }

    /** Returns whether a key of files is left out if there is an algorithm. */
    private static boolean isTheAlgorithms(String key) {
        return Stream.of(ExperimentSpec.class.getRecordComponents())
                .filter(component -> component.getName().equals(key))
                .map(component -> component.getAnnotation(AlternativeTo.class))
                .anyMatch(alternativeTo ->
                        alternativeTo != null && alternativeTo.value().equals(ExperimentSpec.ALGORITHM));
    }

    private static List<List<String>> meant(List<String> wanted, List<List<String>> all) {
        return all.contains(wanted)
                ? List.of(wanted)
                : all.stream().filter(each -> means(wanted, each)).toList();
    }

    /** Returns whether a part only holds settings, and can be set by keys and values alone. */
    private static List<List<String>> records(List<List<String>> all) {
        LinkedHashSet<List<String>> records = new LinkedHashSet<>();
        all.forEach(each -> {
            for (int length = 1; length < each.size(); length++) {
                records.add(each.subList(0, length));
            }
        });
        all.forEach(records::remove);
        return List.copyOf(records);
    }

    /** Returns all settings that can be changed, in the file's order. */
    List<List<String>> addresses(YamlNode.Keys tree) {
        LinkedHashSet<List<String>> all = new LinkedHashSet<>();
        form.addresses(Optional.of(tree), List.of(), classes, all::add);
        all.remove(List.of());
        return new ArrayList<>(all);
    }

    /** Addresses with a former key, and what they are now. */
    private Map<List<String>, List<String>> former(YamlNode.Keys tree, List<List<String>> all) {
        Map<List<String>, List<String>> former = new LinkedHashMap<>();
        form.addresses(Optional.of(tree), List.of(), classes, new SettingPathVisitor() {
            @Override
            public void accept(List<String> address) {}

            @Override
            public void formerly(List<String> before, List<String> address) {
                Stream.concat(Stream.of(address), all.stream())
                        .filter(each -> each.size() >= address.size()
                                && each.subList(0, address.size()).equals(address))
                        .forEach(each -> {
                            List<String> one = new ArrayList<>(before);
                            one.addAll(each.subList(address.size(), each.size()));
                            former.put(one, each);
                        });
            }
        });
        return former;
    }

    /** Returns the settings without the parts of numbers, and whether each is a number that can be written as a map. */
    Map<List<String>, Boolean> settings(YamlNode.Keys tree) {
        Map<List<String>, Boolean> all = new LinkedHashMap<>();
        form.addresses(Optional.of(tree), List.of(), classes, new SettingPathVisitor() {
            @Override
            public void accept(List<String> address) {
                all.putIfAbsent(address, false);
            }

            @Override
            public boolean number(List<String> address) {
                all.put(address, true);
                return false;
            }
        });
        return all;
    }

    /** Returns the shortest keys that mean only this address. */
    static String shortest(List<String> address, List<List<String>> all) {
        int last = address.size() - 1;
        List<List<String>> shorter = new ArrayList<>();
        for (int mask = 0; mask < 1 << Math.min(last, 10); mask++) {
            List<String> some = new ArrayList<>();
            for (int i = 0; i < last; i++) {
                if ((mask >> i & 1) == 1) {
                    some.add(address.get(i));
                }
            }
            some.add(address.get(last));
            shorter.add(some);
        }
        shorter.sort(Comparator.comparingInt(List::size));
        for (List<String> some : shorter) {
            boolean means = all.contains(some)
                    ? some.equals(address)
                    : all.stream().filter(each -> means(some, each)).count() == 1;
            if (means) {
                return String.join(".", some);
            }
        }
        return String.join(".", address);
    }

    /** Returns whether the keys occur in the address in this order, the last at its end. */
    private static boolean means(List<String> keys, List<String> address) {
        int at = keys.size() - 1;
        if (!keys.get(at).equals(address.get(address.size() - 1))) {
            return false;
        }
        at--;
        for (int i = address.size() - 2; i >= 0 && at >= 0; i--) {
            if (address.get(i).equals(keys.get(at))) {
                at--;
            }
        }
        return at < 0;
    }

    /** Returns suggestions for a key: settings of the part that the key begins with, or keys that can be chosen. */
    private String near(String key, List<String> wanted, List<List<String>> all, YamlNode.Keys tree) {
        String last = wanted.get(wanted.size() - 1);
        List<String> meant = all.stream()
                .filter(each -> wanted.size() == 1 && each.get(each.size() - 1).equals(ELSEWHERE.get(last)))
                .map(each -> shortest(each, all))
                .toList();
        if (!meant.isEmpty()) {
            return "; did you mean " + String.join(" or ", meant) + "?";
        }
        List<List<String>> parts = wanted.size() == 1
                ? List.of()
                : meant(
                        wanted.subList(0, wanted.size() - 1),
                        Stream.concat(all.stream(), records(all).stream()).toList());
        List<String> names = new ArrayList<>();
        all.stream().filter(each -> parts.isEmpty() || isIn(parts, each)).forEach(each -> {
            names.add(each.get(each.size() - 1));
            if (parts.isEmpty()) {
                names.add(shortest(each, all));
                names.add(String.join(".", each));
            }
        });
        String near = parts.isEmpty()
                ? SimilarNames.among(key, names)
                : SimilarNames.among(last, names)
                        .replace("did you mean ", "did you mean " + key.substring(0, key.length() - last.length()));
        return names.stream().anyMatch(name -> name.startsWith(last)) // a setting comes before a key that could be one
                ? near
                : choice(last, tree, address -> parts.isEmpty() || parts.contains(address) || isIn(parts, address))
                        .orElse(near);
    }

    private static boolean isIn(List<List<String>> parts, List<String> address) {
        return parts.stream()
                .anyMatch(part -> address.size() > part.size()
                        && address.subList(0, part.size()).equals(part));
    }

    /**
     * Returns how to choose a key that is a setting only if chosen, such as a penalty or an optimizer.
     *
     * @param key a word of it
     */
    private Optional<String> choice(String key, YamlNode.Keys tree, Predicate<List<String>> isWanted) {
        Pattern word = Pattern.compile("(.*_)?" + Pattern.quote(key) + "(_.*)?");
        List<String> chosen = new ArrayList<>();
        form.addresses(Optional.of(tree), List.of(), classes, new SettingPathVisitor() {
            @Override
            public void accept(List<String> address) {}

            @Override
            public void choices(List<String> address, Collection<String> keys, boolean isList) {
                keys.stream()
                        .filter(each ->
                                isWanted.test(address) && word.matcher(each).matches())
                        .map(each -> "{" + each + ": {}}")
                        .forEach(each ->
                                chosen.add(String.join(".", address) + "=" + (isList ? "[" + each + "]" : each)));
            }
        });
        return chosen.stream().findFirst().map(first -> "; did you mean --set '" + first + "'?");
    }
}
