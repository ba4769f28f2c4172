package hocket.workbench.files.forms;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Builds a JSON schema (draft 2020-12): definitions by name, which may refer to each other. */
public record Schemas(Classes classes, boolean isChange, Map<String, Object> definitions) {
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
    private static final String PLACEHOLDER = "^\\$\\{[A-Za-z_][A-Za-z_0-9]*(:-[^}]*)?\\}$";

    /**
     * Returns the whole schema of a form: for files that are complete, and for those that change another.
     *
     * @param classes classes whose settings are described
     * @param include the key of files that change another: there no key is required, and an empty value removes one
     */
    public static Map<String, Object> whole(Form form, String title, String include, Classes classes) {
        Map<String, Object> definitions = new LinkedHashMap<>();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", DIALECT);
        schema.put("title", title);
        schema.put("if", Map.of("required", List.of(include)));
        schema.put("then", form.schema(new Schemas(classes, true, definitions)));
        schema.put("else", form.schema(new Schemas(classes, false, definitions)));
        schema.put("$defs", definitions);
        return schema;
    }

    /** Returns the whole schema of a form whose files change no others. */
    public static Map<String, Object> alone(Form form, String title, Classes classes) {
        Map<String, Object> definitions = new LinkedHashMap<>();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", DIALECT);
        schema.put("title", title);
        schema.putAll(form.schema(new Schemas(classes, false, definitions)));
        schema.put("$defs", definitions);
        return schema;
    }

    /** Returns a reference to the schema of a type, which is built once. */
    Map<String, Object> defined(Class<?> type, Supplier<Map<String, Object>> schema) {
        String name = type.getName().substring(type.getName().lastIndexOf('.') + 1) + (isChange ? "-change" : "");
        if (!definitions.containsKey(name)) {
            definitions.put(name, Map.of()); // it may refer to itself
            definitions.put(name, schema.get());
        }
        return Map.of("$ref", "#/$defs/" + name);
    }

    /** Returns the schema of a component, with its line of help. */
    Map<String, Object> component(Component component) {
        Map<String, Object> schema = component.form().schema(this);
        boolean mayBeEmpty = isChange || component.mayBeEmpty();
        return described(
                mayBeEmpty ? Map.of("anyOf", List.of(schema, Map.of("type", "null"))) : schema, component.help());
    }

    private static Map<String, Object> described(Map<String, Object> schema, String help) {
        if (help.isEmpty()) {
            return schema;
        }
        Map<String, Object> described = new LinkedHashMap<>(schema);
        described.put("description", help);
        return described;
    }

    /** Returns the schema of a value that may also be an environment variable. */
    Map<String, Object> orPlaceholder(Map<String, Object> schema) {
        return Map.of("anyOf", List.of(schema, Map.of("type", "string", "pattern", PLACEHOLDER)));
    }
}
