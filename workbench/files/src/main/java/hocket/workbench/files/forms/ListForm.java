package hocket.workbench.files.forms;

import hocket.scopes.Shape;
import hocket.workbench.files.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The form of a list; also of a shape, which is a list of extents. */
final class ListForm extends Form {
    private final Form item;
    private final boolean isShape;

    private ListForm(Form item, boolean isShape) {
        this.item = item;
        this.isShape = isShape;
    }

    static ListForm of(Form item) {
        return new ListForm(item, false);
    }

    static ListForm shape() {
        return new ListForm(new ScalarForm(int.class, 1, Integer.MAX_VALUE), true);
    }

    @Override
    String values() {
        return isShape ? "a shape such as [1, 28, 28]" : "a list, each " + item.values();
    }

    @Override
    void visit(KindVisitor.Taker taker, KindVisitor visitor) {
        item.visit(taker.inList(), visitor);
    }

    @Override
    public Optional<Object> read(YamlNode yamlNode, String path, ReadingContext readingContext) {
        if (!(yamlNode instanceof YamlNode.Items list)) {
            return wrong(yamlNode, path, readingContext, "must be " + (isShape ? values() : "a list [a, b]"));
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            item.read(list.items().get(i), YamlNode.below(path, Integer.toString(i)), readingContext)
                    .ifPresent(values::add);
        }
        if (values.size() < list.items().size()) {
            return Optional.empty();
        }
        return isShape
                ? Optional.of(Shape.of(
                        values.stream().mapToInt(value -> (Integer) value).toArray()))
                : Optional.of(List.copyOf(values));
    }

    @Override
    public YamlNode complete(YamlNode yamlNode, ReadingContext readingContext) {
        return yamlNode instanceof YamlNode.Items list
                ? new YamlNode.Items(
                        list.spot(),
                        list.items().stream()
                                .map(each -> item.complete(each, readingContext))
                                .toList())
                : yamlNode;
    }

    @Override
    public YamlNode renewed(YamlNode yamlNode, String path, ReadingContext readingContext) {
        if (!(yamlNode instanceof YamlNode.Items list)) {
            return yamlNode;
        }
        List<YamlNode> items = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            items.add(item.renewed(list.items().get(i), YamlNode.below(path, Integer.toString(i)), readingContext));
        }
        return new YamlNode.Items(list.spot(), items);
    }

    @Override
    public void addresses(Optional<YamlNode> yamlNode, List<String> path, Classes classes, SettingPathVisitor to) {
        to.accept(path);
        to.choices(path, item.choices(classes), true);
        if (yamlNode.orElse(null) instanceof YamlNode.Items list && !isShape) {
            for (int i = 0; i < list.items().size(); i++) {
                item.addresses(Optional.of(list.items().get(i)), below(path, Integer.toString(i)), classes, to);
            }
        }
    }

    @Override
    public Map<String, Object> schema(Schemas schemas) {
        return Map.of("type", "array", "items", item.schema(schemas));
    }
}
