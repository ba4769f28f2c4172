package hocket.programs.mxnet;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A program bound to arrays: it reads its arguments where they lie, and leaves outputs and gradients in arrays of
 * theirs. Used by one thread at a time; passes allocate nothing on the Java side. Only one executor of a process binds
 * or runs a pass at a time: all threads share one pool of kernel workspace, which the engine does not synchronise.
 *
 * <p>Every head of the program must be a {@code MakeLoss} or a {@code BlockGrad}, since a backward pass brings no
 * gradients of its own.
 */
final class MxExecutor implements AutoCloseable {
    /** The executor that ran last on a shared pool of working memory; only its intermediate values are valid. */
    private static final class Pool {
        @Nullable
        MxExecutor last;
    }

    private final Handle handle;
    private final List<MxArray> outputs;
    private final Pool pool;
    private boolean readyForBackward;
    private @Nullable EngineException failure;

    private MxExecutor(long handle, List<MxArray> outputs, Pool pool) {
        this.handle = new Handle(this, handle, Mx::MXExecutorFree);
        this.outputs = outputs;
        this.pool = pool;
    }

    /**
     * Binds a program.
     *
     * @param symbol the program, as {@link SymbolJson} writes it
     * @param arguments an array for every variable that the program reads, by name; others are ignored. One array may
     *     be bound under several names
     * @param gradients where the gradients go, for those arguments that want one
     * @param auxiliary an array for every variable that an operator keeps its state in
     * @param pool an executor whose working memory this one may use as well. Of all that share it, none may run between
     *     another's forward and backward pass. Bind the largest first: blocks are reused only where they are big enough
     * @throws IllegalArgumentException if an array is missing or has another shape than the program needs, or a
     *     gradient request contradicts its argument or another request
     * @throws IllegalStateException if an array or the pool is closed, or the engine is not available
     * @throws EngineException if the engine refuses the program. Nothing remains allocated then
     */
    static MxExecutor bind(
            String symbol,
            Map<String, MxArray> arguments,
            Map<String, GradientRequest> gradients,
            Map<String, MxArray> auxiliary,
            @Nullable MxExecutor pool) {
        Engine.get();
        Handle.freeLost();
        long shared = pool == null ? 0 : pool.handle();
        try (MxSymbol program = new MxSymbol(symbol)) {
            List<MxArray> bound = arrays("argument", program.arguments, arguments);
            List<MxArray> scratch = arrays("auxiliary array", program.auxiliary, auxiliary);
            checkShapes(program, bound, scratch);
            checkGradients(program.arguments, bound, gradients);

            long[] gradientHandles = new long[bound.size() + 1];
            int[] requests = new int[bound.size() + 1];
            for (int i = 0; i < bound.size(); i++) {
                GradientRequest request = gradients.get(program.arguments.get(i));
                if (request != null) {
                    gradientHandles[i] = request.array().handle();
                    requests[i] = request.mode().code;
                }
            }
            return of(
                    bindNative(program, handles(bound), gradientHandles, requests, handles(scratch), shared),
                    pool == null ? new Pool() : pool.pool);
        } finally {
            Reference.reachabilityFence(arguments);
            Reference.reachabilityFence(gradients);
            Reference.reachabilityFence(auxiliary);
            Reference.reachabilityFence(pool);
        }
    }

    /** Alone, also since the engine keeps the graph at hand in one object for all threads meanwhile. */
    private static synchronized long bindNative(
            MxSymbol program, long[] arguments, long[] gradients, int[] requests, long[] auxiliary, long pool) {
        LongByReference executor = new LongByReference();
        Mx.check(
                Mx.MXExecutorBindEX(
                        program.handle,
                        Mx.CPU,
                        0,
                        0,
                        0,
                        0,
                        0,
                        program.arguments.size(),
                        arguments,
                        gradients,
                        requests,
                        program.auxiliary.size(),
                        auxiliary,
                        pool,
                        executor),
                "bind a program");
        return executor.getValue();
    }

    /**
     * Computes the outputs from the arguments as they are now.
     *
     * @param train whether operators behave as in training, and a {@link #backward} may follow
     * @throws IllegalStateException if the executor is closed, or a pass failed before
     * @throws EngineException if a kernel fails. The executor is of no use then, and neither may be the thread
     */
    void forward(boolean train) {
        long executor = handle();
        readyForBackward = false;
        pool.last = this;
        int status;
        synchronized (MxExecutor.class) {
            status = Mx.MXExecutorForward(executor, train ? 1 : 0);
        }
        if (status != 0) {
            throw failed("forward pass");
        }
        readyForBackward = train;
        Reference.reachabilityFence(this);
    }

    /**
     * Computes the requested gradients of the sum of the losses.
     *
     * @throws IllegalStateException unless the last thing that ran in this executor's working memory is its own
     *     {@code forward(true)}; anything else would give wrong gradients without an error of the engine's
     * @throws EngineException as {@link #forward} does
     */
    void backward() {
        long executor = handle();
        if (!readyForBackward) {
            throw new IllegalStateException("a backward pass needs a forward(true) before it, each its own");
        }
        if (pool.last != this) {
            throw new IllegalStateException("a backward pass must follow its forward(true) directly: "
                    + "another program with the same pool ran between them");
        }
        readyForBackward = false;
        int status;
        synchronized (MxExecutor.class) {
            status = Mx.MXExecutorBackwardEx(executor, 0, 0, 1);
        }
        if (status != 0) {
            throw failed("backward pass");
        }
        Reference.reachabilityFence(this);
    }

    /**
     * The array of one head, always the same one; every forward pass refills it. It is closed with the executor.
     *
     * @throws IllegalStateException if the executor is closed
     */
    MxArray output(int index) {
        handle();
        return outputs.get(index);
    }

    /** Frees the executor and its outputs. Arguments, gradients and auxiliary arrays stay with their owner. */
    @Override
    public void close() {
        if (pool.last == this) {
            pool.last = null;
        }
        outputs.forEach(MxArray::close);
        handle.free();
    }

    private long handle() {
        if (!handle.isOpen()) {
            throw new IllegalStateException("the program with outputs "
                    + outputs.stream().map(output -> output.shape().toString()).collect(Collectors.joining(", "))
                    + " is closed");
        }
        if (failure != null) {
            throw new IllegalStateException(
                    "the program failed before and must be bound again: " + failure.getMessage(), failure);
        }
        return handle.value();
    }

    /** The engine prepares an executor in its first passes; one that failed in them stays half prepared. */
    private EngineException failed(String pass) {
        EngineException error = EngineException.last(pass, true);
        failure = error;
        return error;
    }

    private static MxExecutor of(long executor, Pool pool) {
        List<MxArray> outputs = new ArrayList<>();
        try {
            IntByReference count = new IntByReference();
            PointerByReference table = new PointerByReference();
            Mx.check(Mx.MXExecutorOutputs(executor, count, table), "ask for outputs");
            Pointer handles = table.getValue();
            long[] copied = count.getValue() == 0 ? new long[0] : handles.getLongArray(0, count.getValue());
            for (int i = 0; i < copied.length; i++) {
                try {
                    outputs.add(MxArray.adopt(copied[i]));
                } catch (RuntimeException e) {
                    Arrays.stream(copied, i, copied.length).forEach(Mx::MXNDArrayFree);
                    throw e;
                }
            }
            return new MxExecutor(executor, List.copyOf(outputs), pool);
        } catch (RuntimeException e) {
            outputs.forEach(MxArray::close);
            Mx.MXExecutorFree(executor);
            throw e;
        }
    }

    private static List<MxArray> arrays(String kind, List<String> names, Map<String, MxArray> given) {
        List<MxArray> arrays = new ArrayList<>(names.size());
        for (String name : names) {
            MxArray array = given.get(name);
            if (array == null) {
                throw new IllegalArgumentException("the program needs an array for " + kind + " '" + name
                        + "', given are " + given.keySet().stream().sorted().toList());
            }
            arrays.add(array);
        }
        return arrays;
    }

    /** Adds a spare element, since an empty array has no address to pass. */
    private static long[] handles(List<MxArray> arrays) {
        long[] handles = new long[arrays.size() + 1];
        for (int i = 0; i < arrays.size(); i++) {
            handles[i] = arrays.get(i).handle();
        }
        return handles;
    }

    /** The engine's own check stops at the first contradiction and does not know which side was given by mistake. */
    private static void checkShapes(MxSymbol program, List<MxArray> arguments, List<MxArray> auxiliary) {
        Map<String, int[]> known = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            known.put(
                    program.arguments.get(i),
                    MxArray.nativeExtents(arguments.get(i).shape()));
        }
        MxSymbol.Extents inferred;
        try {
            inferred = program.infer(known);
        } catch (EngineException contradiction) {
            Map<String, int[]> needed = program.contradicted(known);
            if (needed.isEmpty()) {
                throw contradiction;
            }
            throw new IllegalArgumentException(
                    needed.entrySet().stream()
                            .map(entry -> "argument '" + entry.getKey() + "' has shape "
                                    + text(known.getOrDefault(entry.getKey(), new int[0])) + ", the program needs "
                                    + text(entry.getValue()))
                            .collect(Collectors.joining("; or ")),
                    contradiction);
        }
        checkShapes("argument", program.arguments, arguments, inferred.arguments());
        checkShapes("auxiliary array", program.auxiliary, auxiliary, inferred.auxiliary());
    }

    private static void checkShapes(
            String kind, List<String> names, List<MxArray> arrays, List<Optional<int[]>> inferred) {
        for (int i = 0; i < arrays.size(); i++) {
            int[] given = MxArray.nativeExtents(arrays.get(i).shape());
            int[] needed =
                    inferred.get(i).orElseThrow(() -> EngineException.of("no shape could be inferred for a " + kind));
            if (!Arrays.equals(given, needed)) {
                throw new IllegalArgumentException(kind + " '" + names.get(i) + "' has shape " + text(given)
                        + ", the program needs " + text(needed));
            }
        }
    }

    /** The engine checks none of this: it would write out of bounds, or silently keep one of two contributions. */
    private static void checkGradients(
            List<String> names, List<MxArray> arguments, Map<String, GradientRequest> gradients) {
        Map<MxArray, Map.Entry<String, GradientRequest>> written = new IdentityHashMap<>();
        for (Map.Entry<String, GradientRequest> entry : gradients.entrySet()) {
            String name = entry.getKey();
            MxArray gradient = entry.getValue().array();
            int index = names.indexOf(name);
            if (index < 0) {
                throw new IllegalArgumentException(
                        "a gradient by '" + name + "' is requested, but the program reads only " + names);
            }
            MxArray argument = arguments.get(index);
            if (!gradient.shape().equals(argument.shape()) || gradient.type() != argument.type()) {
                throw new IllegalArgumentException("the gradient by '" + name + "' goes to " + gradient
                        + ", which must be as the argument, " + argument);
            }
            Map.Entry<String, GradientRequest> other = written.put(gradient, entry);
            if (other != null
                    && (entry.getValue().mode() == GradientRequest.Mode.WRITE
                            || other.getValue().mode() == GradientRequest.Mode.WRITE)) {
                throw new IllegalArgumentException("the gradients by '" + other.getKey() + "' and '" + name
                        + "' go to one array, so both must be added to it, but one replaces its content");
            }
        }
    }

    private static String text(int[] extents) {
        return IntStream.of(extents).mapToObj(Integer::toString).collect(Collectors.joining(",", "(", ")"));
    }
}
