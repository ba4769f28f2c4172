package hocket.settings;

import com.sun.source.util.TreePath;
import javax.lang.model.element.TypeElement;

/** Generates the classes for {@link DoubleTwin}. */
public final class DoubleTwinProcessor extends RewritingProcessor {
    public DoubleTwinProcessor() {
        super(DoubleTwin.class);
    }

    @Override
    String name(TypeElement type) {
        return twin(type.getSimpleName().toString());
    }

    @Override
    String rewritten(TypeElement type, TreePath path, String source) {
        return twin(source);
    }

    private static String twin(String text) {
        return text.replaceAll("\\bfloat(s?)\\b", "double$1").replace("Float", "Double");
    }
}
