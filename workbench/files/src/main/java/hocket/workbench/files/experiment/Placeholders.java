package hocket.workbench.files.experiment;

import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills in a file's placeholders: <code>{workspace}</code>, the folder of the file, <code>${NAME}</code>, an
 * environment variable, and <code>${NAME:-otherwise}</code>, one that may be missing; <code>$${</code> is a literal
 * <code>${</code>.
 *
 * @param workspace the folder
 * @param environment the variables
 */
record Placeholders(String workspace, Map<String, String> environment) {
    private static final Pattern VARIABLE = Pattern.compile("(?<!\\$)\\$\\{([A-Za-z_][A-Za-z_0-9]*)(:-([^}]*))?}");
    private static final String WORKSPACE = "{workspace}";

    /** Returns a tree with all placeholders filled in. */
    YamlNode in(YamlNode root, FileProblems fileProblems) {
        return root.map("", (path, scalar) -> in(scalar, path, fileProblems));
    }

    private YamlNode.Scalar in(YamlNode.Scalar scalar, String path, FileProblems fileProblems) {
        String text = scalar.text();
        if (!text.contains("{")) {
            return scalar;
        }
        Matcher matcher = VARIABLE.matcher(text.replace(WORKSPACE, workspace));
        StringBuilder filled = new StringBuilder();
        while (matcher.find()) {
            String value = environment.get(matcher.group(1));
            if (value == null && matcher.group(2) != null) {
                value = matcher.group(3);
            }
            if (value == null) {
                fileProblems.add(
                        scalar.spot(),
                        path,
                        "there is no environment variable " + matcher.group(1) + "; ${" + matcher.group(1)
                                + ":-default} gives a default");
                return scalar;
            }
            matcher.appendReplacement(filled, Matcher.quoteReplacement(value));
        }
        matcher.appendTail(filled);
        boolean whole = VARIABLE.matcher(text).matches(); // then it may be a number
        return new YamlNode.Scalar(scalar.spot(), filled.toString().replace("$${", "${"), scalar.quoted() && !whole);
    }

    /** Returns the tree with placeholders escaped, so that it reads back unchanged. */
    static YamlNode escaped(YamlNode root) {
        return root.map(
                "",
                (path, scalar) ->
                        new YamlNode.Scalar(scalar.spot(), scalar.text().replace("${", "$${"), scalar.quoted()));
    }
}
