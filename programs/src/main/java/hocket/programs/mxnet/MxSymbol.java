package hocket.programs.mxnet;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A program as the engine has read it, before it is bound to arrays. Used while binding and closed after it. */
final class MxSymbol implements AutoCloseable {
    /** Inferred extents, in the order of the names; empty where the engine could not infer them. */
    record Extents(List<Optional<int[]>> arguments, List<Optional<int[]>> auxiliary) {}

    private interface Listing {
        int list(long symbol, IntByReference count, PointerByReference names);
    }

    final long handle;
    /** Names of the variables that are arguments, in the order in which they must be bound. */
    final List<String> arguments;
    /** Names of the variables that are auxiliary arrays, by the places where operators read them. */
    final List<String> auxiliary;

    /** @throws EngineException if the text is not a symbol, or has an operator or attribute that the engine refuses */
    MxSymbol(String json) {
        LongByReference created = new LongByReference();
        Mx.check(Mx.MXSymbolCreateFromJSON(Mx.text(json), created), "read a program");
        handle = created.getValue();
        try {
            arguments = list(Mx::MXSymbolListArguments);
            auxiliary = list(Mx::MXSymbolListAuxiliaryStates);
        } catch (EngineException e) {
            close();
            throw e;
        }
    }

    /**
     * Infers all extents from some.
     *
     * @throws EngineException if they contradict each other
     */
    Extents infer(Map<String, int[]> known) {
        Memory names = Mx.texts(List.copyOf(known.keySet()));
        int[] starts = new int[known.size() + 1];
        List<Integer> extents = new ArrayList<>();
        int next = 0;
        for (int[] some : known.values()) {
            for (int extent : some) {
                extents.add(extent);
            }
            starts[++next] = extents.size();
        }
        // One spare element: an array of none has no address to pass.
        int[] flat = new int[extents.size() + 1];
        for (int i = 0; i < extents.size(); i++) {
            flat[i] = extents.get(i);
        }
        IntByReference[] count = {new IntByReference(), new IntByReference(), new IntByReference()};
        PointerByReference[] ranks = {new PointerByReference(), new PointerByReference(), new PointerByReference()};
        PointerByReference[] tables = {new PointerByReference(), new PointerByReference(), new PointerByReference()};
        Mx.check(
                Mx.MXSymbolInferShapeEx(
                        handle,
                        known.size(),
                        names,
                        starts,
                        flat,
                        count[0],
                        ranks[0],
                        tables[0],
                        count[1],
                        ranks[1],
                        tables[1],
                        count[2],
                        ranks[2],
                        tables[2],
                        new IntByReference()),
                "infer shapes");
        return new Extents(
                extents(count[0].getValue(), ranks[0].getValue(), tables[0].getValue()),
                extents(count[2].getValue(), ranks[2].getValue(), tables[2].getValue()));
    }

    /**
     * Finds the likely causes of a contradiction that {@link #infer} reported: arguments that would need other extents
     * than the given ones to fit the rest.
     *
     * @return the extents they would need, by name
     */
    Map<String, int[]> contradicted(Map<String, int[]> known) {
        Map<String, int[]> needed = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            Map<String, int[]> others = new LinkedHashMap<>(known);
            others.remove(arguments.get(i));
            try {
                String name = arguments.get(i);
                infer(others).arguments().get(i).ifPresent(extents -> needed.put(name, extents));
            } catch (EngineException e) {
                // Still contradictory without this one, so it is not the only culprit.
                continue;
            }
        }
        return needed;
    }

    @Override
    public void close() {
        Mx.check(Mx.MXSymbolFree(handle), "free a program");
    }

    private List<String> list(Listing listing) {
        IntByReference count = new IntByReference();
        PointerByReference names = new PointerByReference();
        Mx.check(listing.list(handle, count, names), "list a program's variables");
        return Mx.texts(count.getValue(), names.getValue());
    }

    private static List<Optional<int[]>> extents(int count, Pointer ranks, Pointer table) {
        List<Optional<int[]>> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int rank = ranks.getInt((long) i * Integer.BYTES);
            int[] extents = rank <= 0
                    ? new int[0]
                    : table.getPointer((long) i * Long.BYTES).getIntArray(0, rank);
            boolean known = rank >= 0;
            for (int extent : extents) {
                known &= extent >= 0;
            }
            all.add(known ? Optional.of(extents) : Optional.empty());
        }
        return all;
    }
}
