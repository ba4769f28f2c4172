package hocket.schedulers.inference;

import hocket.programs.json.ProgramJson;
import hocket.schedulers.checkpoint.Checksums;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.formats.Safetensors;
import hocket.scopes.Path;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A model as files: {@value #PROGRAM} says what it computes, {@value #PARAMETERS} holds its parameters by the paths of the
 * program, and notes the SHA-256 sums of both.
 */
public final class ExportedModel {
    /** The file of the program. */
    public static final String PROGRAM = "program.json";

    /** The file of the parameters. */
    public static final String PARAMETERS = "model.safetensors";

    private static final String STEP = "step";
    private static final String CAUTION = "caution";
    private static final String PROGRAM_SUM = "program_sha256";
    private static final String PARAMETERS_SUM = "parameters_sha256";

    private ExportedModel() {}

    /**
     * Both files, by name.
     *
     * @param step turns of training that the parameters have taken
     * @param weights by the paths of the program, which may differ from those of the store
     * @param caution a warning for users who load it, by {@link TrainedModel#warnings}
     * @param notes what else the file of the parameters notes, for people
     */
    public static SortedMap<String, List<ByteBuffer>> files(
            ProgramInference function,
            long step,
            SortedMap<String, Tensor> weights,
            Optional<String> caution,
            Map<String, String> notes) {
        byte[] program = ProgramJson.write(function.drawing()).getBytes(StandardCharsets.UTF_8);
        SortedMap<String, String> all = new TreeMap<>(notes);
        all.put(STEP, Long.toString(step));
        caution.ifPresent(sentence -> all.put(CAUTION, sentence));
        all.put(PROGRAM_SUM, sum(program));
        all.put(PARAMETERS_SUM, digest(weights));
        SortedMap<String, List<ByteBuffer>> files = new TreeMap<>();
        files.put(PROGRAM, List.of(ByteBuffer.wrap(program)));
        files.put(PARAMETERS, Safetensors.parts(weights, all));
        return files;
    }

    private static String sum(byte[] bytes) {
        MessageDigest digest = Checksums.digest();
        digest.update(bytes);
        return Checksums.hex(digest);
    }

    private static String digest(SortedMap<String, Tensor> weights) {
        SortedMap<Path, Tensor> tensors = new TreeMap<>();
        weights.forEach((path, tensor) -> tensors.put(Path.of(path), tensor));
        return new Snapshot(tensors).digest();
    }

    static boolean isIn(java.nio.file.Path folder) {
        return Files.exists(folder.resolve(PROGRAM)) || Files.exists(folder.resolve(PARAMETERS));
    }

    static TrainedModel read(java.nio.file.Path folder) throws IOException {
        java.nio.file.Path file = folder.resolve(PROGRAM);
        try {
            byte[] text = Files.readAllBytes(file);
            file = folder.resolve(PARAMETERS);
            Safetensors saved = Safetensors.open(file);
            SortedMap<String, Tensor> weights = saved.tensors();
            Map<String, String> notes = saved.metadata();
            requireSame(PARAMETERS_SUM, digest(weights), notes);
            file = folder.resolve(PROGRAM);
            requireSame(PROGRAM_SUM, sum(text), notes);
            ProgramInference function = ProgramInference.of(ProgramJson.read(new String(text, StandardCharsets.UTF_8)));
            SortedMap<Path, Tensor> values = new TreeMap<>();
            function.program().parameters().forEach((stored, value) -> {
                Tensor weight = weights.get(value.path().text());
                if (weight != null) {
                    values.put(stored, weight);
                }
            });
            List<String> warnings =
                    Optional.ofNullable(notes.get(CAUTION)).stream().toList();
            long step = Long.parseLong(notes.getOrDefault(STEP, "0"));
            return new TrainedModel(folder.toString(), step, function, new Snapshot(values), warnings);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    file + " is missing"
                            + (file.endsWith(PROGRAM)
                                    ? ": an earlier version exported this folder; export the run once more"
                                    : ""),
                    e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + DiskFailureText.of(e), e);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static void requireSame(String note, String found, Map<String, String> notes) throws IOException {
        if (!found.equals(notes.get(note))) {
            throw new IOException("its SHA-256 is " + found + ", " + note + " of " + PARAMETERS + " is "
                    + notes.get(note) + ": one of the two was changed");
        }
    }
}
