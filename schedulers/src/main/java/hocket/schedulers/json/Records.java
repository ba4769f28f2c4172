package hocket.schedulers.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Records as text and back: what schedules remember. */
public final class Records {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    private Records() {}

    /** A record of numbers, texts, enums and records as JSON. */
    public static String text(Record value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "what a schedule remembers must be numbers, texts, enums and records: " + value, e);
        }
    }

    /**
     * The record again.
     *
     * @throws IllegalArgumentException if the text is not one of that class
     */
    public static <R extends Record> R record(String text, Class<R> type) {
        try {
            return MAPPER.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("saved for " + type.getName() + ", which it does not fit: " + text, e);
        }
    }
}
