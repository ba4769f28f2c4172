package hocket.settings;

import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.annotation.Annotation;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;

/** Writes one class for each class that has an annotation, by rewriting the source of the file that it stands in. */
abstract class RewritingProcessor extends AbstractProcessor {
    private final Class<? extends Annotation> annotation;

    RewritingProcessor(Class<? extends Annotation> annotation) {
        this.annotation = annotation;
    }

    /** The simple name of the class that is written. */
    abstract String name(TypeElement type);

    /** The source of the class that is written; imports of this package and the annotation are taken out of it. */
    abstract String rewritten(TypeElement type, TreePath path, String source);

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        return Set.of(annotation.getName());
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        String mark = "@" + annotation.getSimpleName() + "(\\([^)]*\\))?";
        String generated =
                "@javax.annotation.processing.Generated(\"" + getClass().getName() + "\")";
        for (TypeElement type : ElementFilter.typesIn(round.getElementsAnnotatedWith(annotation))) {
            TreePath path = Trees.instance(processingEnv).getPath(type);
            String name = processingEnv.getElementUtils().getPackageOf(type) + "." + name(type);
            try (Writer writer =
                    processingEnv.getFiler().createSourceFile(name, type).openWriter()) {
                CharSequence source = path.getCompilationUnit().getSourceFile().getCharContent(true);
                writer.write(rewritten(type, path, source.toString())
                        .replaceAll(mark, generated)
                        .replaceAll("import hocket\\.settings\\.\\w+;\n", ""));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return true;
    }
}
