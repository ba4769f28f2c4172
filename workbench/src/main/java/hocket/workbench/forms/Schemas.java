package hocket.workbench.forms;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A JSON schema (draft 2020-12) as it is made: definitions by name, which may refer to each other. */
public final class Schemas {
    private static final String PLACEHOLDER = "^\\$\\{[A-Za-z_][A-Za-z_0-9]*(:-[^}]*)?\\}$";

    private final Classes classes;
    private final Map<String, Object> definitions = new LinkedHashMap<>();

    /** @param classes whose settings are described */
    public Schemas(Classes classes) {
        this.classes = classes;
    }

    /** The whole schema of a form. */
    public Map<String, Object> whole(Form form, String title) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", title);
        schema.putAll(form.schema(this));
        schema.put("$defs", definitions);
        return schema;
    }

    Classes classes() {
        return classes;
    }

    /** A reference to the schema of a type, which is made once. */
    Map<String, Object> defined(Class<?> type, Supplier<Map<String, Object>> schema) {
        String name = type.getName().substring(type.getName().lastIndexOf('.') + 1);
        if (!definitions.containsKey(name)) {
            definitions.put(name, Map.of()); // it may refer to itself
            definitions.put(name, schema.get());
        }
        return Map.of("$ref", "#/$defs/" + name);
    }

    /** With a line of help. */
    Map<String, Object> described(Map<String, Object> schema, String help) {
        if (help.isEmpty()) {
            return schema;
        }
        Map<String, Object> described = new LinkedHashMap<>(schema);
        described.put("description", help);
        return described;
    }

    /** What also may be an environment variable. */
    Map<String, Object> orPlaceholder(Map<String, Object> schema) {
        return Map.of("anyOf", List.of(schema, Map.of("type", "string", "pattern", PLACEHOLDER)));
    }
}
