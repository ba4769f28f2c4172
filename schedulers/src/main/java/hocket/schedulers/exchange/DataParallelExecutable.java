package hocket.schedulers.exchange;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import hocket.programs.execution.Lowering.Binding;
import hocket.programs.execution.ThreadTeam;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.FurtherResult;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program for rows that workers share: an executable for each worker of this process, and their joint results. */
final class DataParallelExecutable implements Executable {
    /** The part of one worker of this process. */
    private record Share(Executable executable, int first, int rows) {}

    /** Numbers that all workers compute and that are averaged by their numbers of rows, with their index among all. */
    private record Mean(int first, int count) {}

    private final Program program;
    private final Parameters parameters;
    private final ElementType type;
    private final int rows;

    /** The shares that are combined here: this process's, or all. */
    private final int counted;

    private final List<Share> shares = new ArrayList<>();
    private final List<Device.Array> feeds = new ArrayList<>();
    private final List<@Nullable Mean> singles = new ArrayList<>();
    private final List<Device.Array> targets = new ArrayList<>();
    private final List<Mean> places = new ArrayList<>();
    private final List<Device.Array> gradients = new ArrayList<>();
    private final List<BatchMoments> batchMoments = new ArrayList<>();
    private final Device.Array numbers;
    private final Exchange.@Nullable Channel channel;
    private final @Nullable ThreadTeam threadTeam;
    private final ThreadTeam.Task task = this::part;
    private final RowMeans means;

    /** @param apart whether results of other processes' rows are ignored here */
    DataParallelExecutable(Lowering lowering, DataParallelSplit dataParallelSplit, boolean apart, Binding binding) {
        program = binding.program();
        parameters = binding.parameters();
        type = program.floatType();
        rows = binding.batch();
        if (rows < dataParallelSplit.shares()) {
            throw new IllegalArgumentException(
                    "program " + program.name() + ": " + rows + (rows == 1 ? " row" : " rows")
                            + " cannot be divided among " + dataParallelSplit.shares() + " workers");
        }
        int rank = dataParallelSplit.exchange().rank();
        counted = apart
                ? dataParallelSplit.first((rank + 1) * dataParallelSplit.workers(), rows)
                        - dataParallelSplit.first(rank * dataParallelSplit.workers(), rows)
                : rows;
        Layout layout = new Layout();
        binding.gradients()
                .forEach(path -> places.add(
                        layout.add(parameters.declaration(path).shape().size())));
        program.targets().forEach(target -> singles.add(single(target, layout)));
        for (int i = 0; i < program.targets().size(); i++) {
            Value target = program.targets().get(i);
            if (target.operator() instanceof FurtherResult result && result.index() == BatchNorm.BATCH_MEAN) {
                batchMoments.add(moments(i, target.inputs().get(0), layout));
            }
        }
        boolean isAlone = apart || dataParallelSplit.exchange().processes() == 1;
        List<Mean> spread = new ArrayList<>();
        for (Value target : program.targets()) {
            if (target.batched() && apart) {
                throw new IllegalArgumentException("program " + program.name() + ": " + target
                        + " is looked at row by row, and each process has rows of its own alone");
            } else if (target.batched() && !isAlone) {
                requireReal(target);
                spread.add(layout.add(Math.multiplyExact(rows, target.shape().size())));
            }
        }
        if (isAlone) {
            channel = null;
            numbers = Device.jvm().allocate(Shape.of(Math.max(1, layout.count)), type);
        } else {
            channel = dataParallelSplit.exchange().open(program.name(), type, layout.count);
            numbers = Device.over(channel.numbers(), Shape.of(layout.count), type);
        }
        program.feeds()
                .forEach(feed -> feeds.add(Device.jvm().allocate(feed.shape().prepend(rows), feed.type())));
        places.forEach(place -> gradients.add(part(place)));
        int at = 0;
        for (int i = 0; i < singles.size(); i++) {
            Value target = program.targets().get(i);
            @Nullable Mean single = singles.get(i);
            if (single != null) {
                targets.add(part(single));
            } else if (isAlone || !target.batched()) {
                Shape shape = target.batched() ? target.shape().prepend(rows) : target.shape();
                targets.add(Device.jvm().allocate(shape, target.type()));
            } else {
                targets.add(part(spread.get(at++)));
            }
        }
        boolean beside = dataParallelSplit.workers() > 1 && lowering.runsBeside();
        try {
            bind(lowering, dataParallelSplit, binding, beside);
        } catch (RuntimeException | Error e) {
            shares.forEach(share -> share.executable().close());
            throw e;
        }
        means = new RowMeans(type, counted);
        threadTeam = beside ? ThreadTeam.shared(Math.min(dataParallelSplit.workers(), binding.threads())) : null;
    }

    /** Counts the indices of numbers. */
    private static final class Layout {
        private int count;

        Mean add(int more) {
            Mean mean = new Mean(count, more);
            count = Math.addExact(count, more);
            return mean;
        }
    }

    private void bind(Lowering lowering, DataParallelSplit dataParallelSplit, Binding binding, boolean beside) {
        DataParallelExecutable pool = (DataParallelExecutable) binding.pool();
        for (int worker = 0; worker < dataParallelSplit.workers(); worker++) {
            int share = dataParallelSplit.exchange().rank() * dataParallelSplit.workers() + worker;
            int first = dataParallelSplit.first(share, rows);
            int own = dataParallelSplit.first(share + 1, rows) - first;
            Binding part = new Binding(
                    program,
                    parameters,
                    binding.gradients(),
                    own,
                    beside ? dataParallelSplit.threads(worker, binding.threads()) : binding.threads(),
                    beside ? worker + 1 : 0,
                    pool == null ? null : pool.shares.get(worker).executable());
            shares.add(new Share(lowering.bind(part), first, own));
        }
    }

    private BatchMoments moments(int target, Value norm, Layout layout) {
        Parameters.Cell running =
                parameters.cell(program.stored(norm.inputs().get(BatchNorm.MEAN).path()));
        int channels = running.declaration().shape().size();
        int each = norm.shape().size() / channels;
        // Who takes the variance to that of a population reckons with all rows.
        double all = (double) rows * each;
        double own = (double) counted * each;
        if (own < 2) {
            throw new IllegalArgumentException(norm.path()
                    + ": a batch norm in TRAIN mode needs more than one value a channel, and a process has one row");
        }
        double unbiased = own / (own - 1) * (all - 1) / all;
        return new BatchMoments(target, layout.add(2 * channels).first(), running, unbiased);
    }

    private @Nullable Mean single(Value target, Layout layout) {
        if (target.batched() || target.operator() instanceof FurtherResult) {
            return null;
        }
        requireReal(target);
        return layout.add(target.shape().size());
    }

    private void requireReal(Value target) {
        if (!target.type().isFloating()) {
            throw new IllegalArgumentException("program " + program.name() + ": what workers compute of " + target
                    + " cannot be put together, as it is " + target.type());
        }
    }

    /** Some of the joint numbers. */
    private Device.Array part(Mean mean) {
        ByteBuffer some = numbers.buffer().slice(mean.first() * type.bytes(), mean.count() * type.bytes());
        return Device.over(some, Shape.of(mean.count()), type);
    }

    @Override
    public Device.Array feed(int index) {
        return feeds.get(index);
    }

    @Override
    public void run() {
        ThreadTeam others = threadTeam;
        if (others == null) {
            for (int i = 0; i < shares.size(); i++) {
                run(shares.get(i));
            }
        } else {
            for (int i = 0; i < shares.size(); i++) {
                shares.get(i).executable().prepare();
            }
            others.run(task);
        }
        gather();
        if (channel != null) {
            exchange(channel);
        }
        for (int i = 0; i < batchMoments.size(); i++) {
            batchMoments.get(i).into(targets);
        }
    }

    private void exchange(Exchange.Channel with) {
        for (BatchMoments each : batchMoments) {
            each.into(numbers.buffer(), type);
        }
        with.sum();
        for (BatchMoments each : batchMoments) {
            each.take(numbers.buffer(), type);
        }
    }

    /** With fewer threads than workers, a thread runs several workers one after the other. */
    private void part(int part, int parts) {
        for (int i = part; i < shares.size(); i += parts) {
            run(shares.get(i));
        }
    }

    private void run(Share share) {
        for (int i = 0; i < feeds.size(); i++) {
            ByteBuffer whole = feeds.get(i).buffer();
            int row = whole.capacity() / rows;
            share.executable().feed(i).buffer().put(0, whole, share.first() * row, share.rows() * row);
        }
        share.executable().run();
    }

    /** Combines the results of the workers of this process. */
    private void gather() {
        for (int i = 0; i < gradients.size(); i++) {
            means.clear();
            for (int s = 0; s < shares.size(); s++) {
                means.add(shares.get(s).executable().gradient(i), shares.get(s).rows());
            }
            means.into(gradients.get(i).view(), 0, places.get(i).count());
        }
        for (int i = 0; i < targets.size(); i++) {
            @Nullable Mean single = singles.get(i);
            if (single == null && program.targets().get(i).batched()) {
                rows(i);
            } else if (single != null) {
                means.clear();
                for (int s = 0; s < shares.size(); s++) {
                    means.add(
                            shares.get(s).executable().target(i), shares.get(s).rows());
                }
                means.into(targets.get(i).view(), 0, single.count());
            }
        }
        for (int i = 0; i < batchMoments.size(); i++) {
            batchMoments.get(i).begin();
            for (int s = 0; s < shares.size(); s++) {
                batchMoments
                        .get(i)
                        .add(shares.get(s).executable(), (double) shares.get(s).rows() / counted);
            }
        }
    }

    /** Copies the rows of a target to their places, with zeros for rows of other processes. */
    private void rows(int target) {
        ByteBuffer whole = targets.get(target).buffer();
        int row = whole.capacity() / rows;
        for (int i = 0; i < whole.capacity() && channel != null; i += Float.BYTES) {
            whole.putFloat(i, 0);
        }
        for (int s = 0; s < shares.size(); s++) {
            Share share = shares.get(s);
            whole.put(share.first() * row, share.executable().target(target).buffer(), 0, share.rows() * row);
        }
    }

    @Override
    public Device.Array target(int index) {
        return targets.get(index);
    }

    @Override
    public Device.Array gradient(int index) {
        return gradients.get(index);
    }

    @Override
    public boolean outgrown() {
        return shares.stream().anyMatch(share -> share.executable().outgrown());
    }

    @Override
    public void close() {
        shares.forEach(share -> share.executable().close());
        if (threadTeam != null) {
            threadTeam.release();
        }
    }
}
