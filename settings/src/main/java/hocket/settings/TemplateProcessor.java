package hocket.settings;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;

/** Generates the classes for {@link Template}. */
public final class TemplateProcessor extends RewritingProcessor {
    private static final Pattern DECLARATION = Pattern.compile("(?m)^ *[A-Z]\\w+ (\\w+) = [^;]*;\n");

    public TemplateProcessor() {
        super(Template.class);
    }

    @Override
    String name(TypeElement type) {
        return type.getAnnotation(Template.class).value();
    }

    @Override
    String rewritten(TypeElement type, TreePath path, String source) {
        Trees trees = Trees.instance(processingEnv);
        SourcePositions positions = trees.getSourcePositions();
        StringBuilder text = new StringBuilder();
        int done = 0;
        for (Tree member : ((ClassTree) path.getLeaf()).getMembers()) {
            Element element = trees.getElement(TreePath.getPath(path, member));
            int end = (int) positions.getEndPosition(path.getCompilationUnit(), member);
            if (member instanceof MethodTree method && element instanceof ExecutableElement executable && end > 0) {
                int start = (int) positions.getStartPosition(path.getCompilationUnit(), method.getBody());
                Unrolling unrolling = new Unrolling(source, path.getCompilationUnit(), positions);
                String head = source.substring(done, start).replaceAll("@Each(\\([^)]*\\))?\\s+", "");
                text.append(head).append(body(executable, method, unrolling));
                done = end;
            }
        }
        return text.append(source.substring(done))
                .toString()
                .replaceAll("\\b" + type.getSimpleName() + "\\b", name(type));
    }

    /** Returns the body of a method, followed by its copies. */
    private String body(ExecutableElement method, MethodTree tree, Unrolling unrolling) {
        List<? extends VariableElement> parameters = method.getParameters();
        List<VariableElement> each = parameters.stream()
                .filter(parameter -> parameter.getAnnotation(Each.class) != null)
                .collect(Collectors.toList());
        if (each.isEmpty()) {
            return unrolling.text(tree.getBody(), Map.of());
        }
        List<String> copies = new ArrayList<>();
        String others = parameters.stream()
                .filter(parameter -> !each.contains(parameter))
                .map(parameter -> parameter.getSimpleName().toString())
                .collect(Collectors.joining(", ", "(", ")"));
        String declared = IntStream.range(0, parameters.size())
                .filter(i -> !each.contains(parameters.get(i)))
                .mapToObj(i -> tree.getParameters().get(i).toString())
                .collect(Collectors.joining(", ", "(", ")"));
        boolean gives = method.getReturnType().getKind() != TypeKind.VOID;
        String calls = calls(each, method.getSimpleName().toString(), Map.of(), gives, (name, constants) -> {
            copies.add("\n\n    private static " + tree.getReturnType() + " " + name + declared + " "
                    + withoutUnused(unrolling.text(tree.getBody(), constants)));
            return name + others + ";";
        });
        return (gives ? "{\nreturn " + calls + "\n}" : calls) + String.join("", copies);
    }

    /** Omits the variables that a copy declares for others. */
    private static String withoutUnused(String body) {
        return DECLARATION
                .matcher(body)
                .replaceAll(found -> body.split("(?<!\\.)\\b" + found.group(1) + "\\b", -1).length > 2 ? "$0" : "");
    }

    private interface Copy {
        /** Writes a copy and returns the statement that calls it. */
        String call(String name, Map<String, String> constants);
    }

    private String calls(
            List<VariableElement> each, String name, Map<String, String> constants, boolean gives, Copy copy) {
        if (each.isEmpty()) {
            return copy.call(name, constants);
        }
        VariableElement parameter = each.get(0);
        String switched = parameter.getSimpleName().toString();
        StringBuilder cases = new StringBuilder("switch (" + switched + ") {\n");
        for (String value : values(parameter)) {
            Map<String, String> more = new HashMap<>(constants);
            more.put(switched, value);
            String call = calls(each.subList(1, each.size()), name + "_" + value, more, gives, copy);
            cases.append("case " + value + " -> " + call + "\n");
        }
        if (parameter.asType().getKind() == TypeKind.INT) {
            cases.append("default -> throw new IllegalArgumentException(\"" + switched + ": \" + " + switched + ");\n");
        }
        return gives ? cases + "};" : "{\n" + cases + "}\n}";
    }

    private List<String> values(VariableElement parameter) {
        int[] numbers = parameter.getAnnotation(Each.class).value();
        return numbers.length > 0
                ? IntStream.of(numbers).mapToObj(Integer::toString).collect(Collectors.toList())
                : processingEnv.getTypeUtils().asElement(parameter.asType()).getEnclosedElements().stream()
                        .filter(element -> element.getKind() == ElementKind.ENUM_CONSTANT)
                        .map(element -> element.getSimpleName().toString())
                        .collect(Collectors.toList());
    }
}
