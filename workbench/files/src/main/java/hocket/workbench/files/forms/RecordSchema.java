package hocket.workbench.files.forms;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes keys and values of an object as a JSON schema. */
final class RecordSchema {
    private RecordSchema() {}

    static Map<String, Object> of(List<Component> components, Schemas schemas) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        for (Component component : components) {
            if (component.isInline()) {
                ClassForm form = (ClassForm) component.form();
                schema.putAll(form.inlineSchema(schemas, components));
                properties.put(ClassForm.CLASS, Map.of("type", "string"));
                if (form.needsClass()) {
                    required.add(ClassForm.CLASS);
                }
            } else {
                properties.put(component.key(), schemas.component(component));
                if (component.isRequired()) {
                    required.add(component.key());
                }
            }
        }
        if (!required.isEmpty() && !schemas.isChange()) {
            schema.put("required", required);
        }
        components.stream()
                .flatMap(component -> Optional.ofNullable(component.unless()).map(AlternativeTo::value).stream())
                .distinct()
                .forEach(other -> schema.putAll(replaced(components, other, schemas)));
        if (components.stream().noneMatch(Component::isInline)) {
            schema.put("additionalProperties", false);
        }
        return schema;
    }

    /** A key and its replacement exclude each other; without the replacement the required ones must be present. */
    private static Map<String, Object> replaced(List<Component> components, String other, Schemas schemas) {
        List<String> needed = new ArrayList<>();
        Map<String, Object> none = new LinkedHashMap<>();
        for (Component component : components) {
            AlternativeTo alternativeTo = component.unless();
            if (alternativeTo != null && alternativeTo.value().equals(other)) {
                none.put(component.key(), Map.of("type", "null"));
                if (alternativeTo.needed()) {
                    needed.add(component.key());
                }
            }
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(
                "if",
                Map.of("required", List.of(other), "properties", Map.of(other, Map.of("not", Map.of("type", "null")))));
        schema.put("then", Map.of("properties", none));
        if (!needed.isEmpty() && !schemas.isChange()) {
            schema.put("else", Map.of("required", needed));
        }
        return schema;
    }
}
