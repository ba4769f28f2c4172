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

/** Generates a class for each annotated class, by rewriting its source file. */
abstract class RewritingProcessor extends AbstractProcessor {
    private final Class<? extends Annotation> annotation;

    RewritingProcessor(Class<? extends Annotation> annotation) {
        this.annotation = annotation;
    }

    /** Returns the simple name of the generated class. */
    abstract String name(TypeElement type);

    /** Returns the source of the generated class, without the annotation and imports of this package. */
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
