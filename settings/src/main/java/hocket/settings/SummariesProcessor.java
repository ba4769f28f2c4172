package hocket.settings;

import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.Diagnostic;
import javax.tools.StandardLocation;

/**
 * Writes the resource {@code META-INF/hocket/summaries}: for each class that the module's {@code META-INF/hocket/classes} lists
 * and that has a docstring, a line of its name, a tab, and the docstring's first sentence without markup. A module without that
 * list gets none; a list that names no class of the module's sources is an error.
 */
@SupportedAnnotationTypes("*")
public final class SummariesProcessor extends AbstractProcessor {
    private static final String CLASSES = "META-INF/hocket/classes";
    private static final String SUMMARIES = "META-INF/hocket/summaries";

    /** The first paragraph ends at the tag of a block, or at a line that begins with {@code @}. */
    private static final Pattern BLOCK = Pattern.compile("<(p|ul|ol|pre|table|dl)>|(?m)^\\s*@");

    /** A sentence ends at a point and a space, as in Javadoc, but not at "et al." and such. */
    private static final Pattern END = Pattern.compile("(?<!\\b(al|e\\.g|i\\.e|cf|eq|vs))\\.\\s");

    /** A link names a class or a member, perhaps with parameters, before its label. */
    private static final Pattern TARGET = Pattern.compile("^[^\\s(]+(\\([^)]*\\))?");

    private boolean isDone;

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        if (!isDone) {
            isDone = true;
            List<String> listed = listed();
            List<String> summaries = new ArrayList<>();
            Elements elements = processingEnv.getElementUtils();
            for (String name : listed) {
                TypeElement type = elements.getTypeElement(name.replace('$', '.'));
                if (type == null || Trees.instance(processingEnv).getPath(type) == null) {
                    error(CLASSES + " lists " + name + ", which is no class of this module's sources");
                    continue;
                }
                String docstring = elements.getDocComment(type);
                String summary = docstring == null ? "" : summary(docstring);
                if (!summary.isEmpty()) {
                    summaries.add(name + "\t" + summary + "\n");
                }
            }
            if (!listed.isEmpty()) {
                write(summaries);
            }
        }
        return false;
    }

    private void error(String message) {
        processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, message);
    }

    private List<String> listed() {
        try {
            return processingEnv
                    .getFiler()
                    .getResource(StandardLocation.CLASS_OUTPUT, "", CLASSES)
                    .getCharContent(true)
                    .toString()
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            return List.of(); // the module lists none
        }
    }

    private void write(List<String> summaries) {
        try (Writer writer = processingEnv
                .getFiler()
                .createResource(StandardLocation.CLASS_OUTPUT, "", SUMMARIES)
                .openWriter()) {
            writer.write(String.join("", summaries));
        } catch (IOException e) {
            error(SUMMARIES + " cannot be written: " + e.getMessage());
        }
    }

    /** Returns the first sentence of a docstring as plain text, with a point at its end; empty if there is none. */
    static String summary(String docstring) {
        Matcher block = BLOCK.matcher(docstring);
        String text = plain(block.find() ? docstring.substring(0, block.start()) : docstring)
                .replaceAll("\\s+", " ")
                .strip();
        Matcher end = END.matcher(text);
        String first = end.find() ? text.substring(0, end.start()) : text;
        return first.isEmpty() ? "" : first.replaceFirst("[.:;,]$", "") + ".";
    }

    /** Returns a text without inline tags, HTML tags and entities. */
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        int done = 0;
        for (int open = text.indexOf("{@"); open >= 0; open = text.indexOf("{@", done)) {
            plain.append(withoutHtml(text.substring(done, open)));
            int close = close(text, open);
            plain.append(inline(text.substring(open + 2, close)));
            done = Math.min(close + 1, text.length());
        }
        return plain.append(withoutHtml(text.substring(done))).toString();
    }

    /** Returns the place of the brace that closes one; the text's end without it. */
    private static int close(String text, int open) {
        int depth = 0;
        for (int at = open; at < text.length(); at++) {
            depth += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
            if (depth == 0) {
                return at;
            }
        }
        return text.length();
    }

    /** Returns what a reader sees of an inline tag: code, or the label of a link, or the name of its target. */
    private static String inline(String tag) {
        String[] parts = tag.strip().split("\\s+", 2);
        String body = parts.length < 2 ? "" : parts[1];
        if (!parts[0].startsWith("link")) {
            return body;
        }
        String label = TARGET.matcher(body).replaceFirst("").strip();
        return label.isEmpty() ? body.replaceFirst("\\(.*", "").replaceFirst("^.*[.#]", "") : label;
    }

    private static String withoutHtml(String text) {
        return text.replaceAll("<[^>]*>", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
    }
}
