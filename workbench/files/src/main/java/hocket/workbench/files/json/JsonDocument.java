package hocket.workbench.files.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.NameTransformer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes facts as one JSON document: records become objects, with keys such as {@code gradient_norm} for {@code
 * gradientNorm}. Unknown values are null.
 */
public final class JsonDocument {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .annotationIntrospector(new Parts())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // a terminal without this character would change it
            .build();

    /** Knows {@link Unwrapped} and {@link IfKnown}. */
    private static final class Parts extends JacksonAnnotationIntrospector {
        @Override
        public @Nullable NameTransformer findUnwrappingNameTransformer(AnnotatedMember member) {
            return member.hasAnnotation(Unwrapped.class) && !isMap(member) ? NameTransformer.NOP : null;
        }

        @Override
        public @Nullable Boolean hasAnyGetter(Annotated annotated) {
            return annotated.hasAnnotation(Unwrapped.class) && isMap(annotated) ? true : null;
        }

        @Override
        public Boolean hasRequiredMarker(AnnotatedMember member) {
            return !member.hasAnnotation(IfKnown.class);
        }

        @Override
        public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
            return annotated.hasAnnotation(IfKnown.class)
                    ? JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS)
                    : super.findPropertyInclusion(annotated);
        }

        private static boolean isMap(Annotated annotated) {
            return Map.class.isAssignableFrom(annotated.getRawType());
        }
    }

    private static final ObjectWriter LINE = MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT);

    private static final ObjectReader READER = MAPPER.reader()
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    private JsonDocument() {}

    /**
     * Returns the document, in several lines.
     *
     * @param facts a record of numbers, texts, enums, lists and such records
     */
    public static String of(Record facts) {
        return written(facts);
    }

    /** Returns an array of such documents. */
    public static String of(List<? extends Record> facts) {
        return written(facts);
    }

    /**
     * Reads a document that {@link #of(Record)} wrote.
     *
     * @throws IllegalArgumentException if the text is not such a document; the message says why and where
     */
    public static <T extends Record> T read(String text, Class<T> type) {
        return read(READER, text, type);
    }

    /** Reads a document from an untrusted source: no value may be {@code null}. */
    public static <T extends Record> T readWhole(String text, Class<T> type) {
        T read = read(READER.with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES), text, type);
        if (read == null) {
            throw new IllegalArgumentException("null");
        }
        return read;
    }

    private static <T extends Record> T read(ObjectReader reader, String text, Class<T> type) {
        try {
            return reader.forType(type).readValue(text);
        } catch (JsonProcessingException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) { // by the record itself
                throw new IllegalArgumentException(refused.getMessage(), e);
            }
            String place = e.getLocation() == null
                    ? ""
                    : " (line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ")";
            throw new IllegalArgumentException(e.getOriginalMessage() + place, e);
        }
    }

    /** Returns the document in one line. */
    public static String line(Record facts) {
        return written(facts, LINE);
    }

    private static String written(Object facts) {
        return written(facts, MAPPER.writer());
    }

    private static String written(Object facts, ObjectWriter writer) {
        try {
            return writer.writeValueAsString(facts);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(facts.getClass() + " cannot be written as JSON: " + e.getMessage(), e);
        }
    }
}
