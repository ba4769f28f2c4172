package hocket.workbench.forms;

import hocket.scopes.Shape;
import hocket.workbench.yaml.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A list; also a shape, which is a list of extents. */
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
    public Optional<Object> read(Node node, String path, Reading reading) {
        if (!(node instanceof Node.Items list)) {
            return wrong(
                    node, path, reading, isShape ? "must be a shape such as [1, 28, 28]" : "must be a list [a, b]");
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            item.read(list.items().get(i), Node.below(path, Integer.toString(i)), reading)
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
    public Node complete(Node node, Reading reading) {
        return node instanceof Node.Items list
                ? new Node.Items(
                        list.spot(),
                        list.items().stream()
                                .map(each -> item.complete(each, reading))
                                .toList())
                : node;
    }

    @Override
    public Node renewed(Node node, String path, Reading reading) {
        if (!(node instanceof Node.Items list)) {
            return node;
        }
        List<Node> items = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            items.add(item.renewed(list.items().get(i), Node.below(path, Integer.toString(i)), reading));
        }
        return new Node.Items(list.spot(), items);
    }

    @Override
    public void addresses(Optional<Node> node, List<String> path, Classes classes, Addresses to) {
        to.accept(path);
        to.choices(path, item.choices(classes), true);
        if (node.orElse(null) instanceof Node.Items list && !isShape) {
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
