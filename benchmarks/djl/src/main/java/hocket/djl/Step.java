package hocket.djl;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.util.stream.Stream;

/**
 * Prints the microseconds of a training step of a dense tanh network: {@code Step MXNet|PyTorch WIDTHS ROWS}, such as {@code Step
 * PyTorch 4-64-64-2 64}. A step is that of {@code dense_torch.py}: forward, mean squared error, backward, Adam, loss read; the
 * tensors are there. The least of blocks of a fifth of a second, after three seconds to warm up.
 */
public final class Step {
    private static final double WARM_UP = 3;
    private static final double BLOCK = 0.2;
    private static final int BLOCKS = 20;

    private Step() {}

    public static void main(String[] args) {
        String engine = args[0];
        int[] widths = Stream.of(args[1].split("-")).mapToInt(Integer::parseInt).toArray();
        int rows = Integer.parseInt(args[2]);
        DefaultTrainingConfig config = new DefaultTrainingConfig(Loss.l2Loss("mse", 1))
                .optDevices(new Device[] {Device.cpu()})
                .optOptimizer(Optimizer.adam()
                        .optLearningRateTracker(Tracker.fixed(1e-3f))
                        .build());
        try (Model model = Model.newInstance("dense", Device.cpu(), engine)) {
            model.setBlock(network(widths));
            try (Trainer trainer = model.newTrainer(config)) {
                trainer.initialize(new Shape(rows, widths[0]));
                NDManager manager = trainer.getManager();
                NDArray x = manager.randomUniform(-1, 1, new Shape(rows, widths[0]));
                NDArray y = manager.randomUniform(-1, 1, new Shape(rows, widths[widths.length - 1]));
                System.out.println(1e6 * least(() -> step(trainer, x, y)));
            }
        }
    }

    private static SequentialBlock network(int[] widths) {
        SequentialBlock network = new SequentialBlock();
        for (int i = 1; i < widths.length; i++) {
            network.add(Linear.builder().setUnits(widths[i]).build());
            if (i < widths.length - 1) {
                network.add(Activation::tanh);
            }
        }
        return network;
    }

    /** The body of {@code EasyTrain.trainBatch} for one device, and the update of the parameters. Returns the loss. */
    private static float step(Trainer trainer, NDArray x, NDArray y) {
        try (NDManager ofStep = trainer.getManager().newSubManager()) {
            NDList inputs = new NDList(x);
            NDList labels = new NDList(y);
            inputs.tempAttach(ofStep);
            labels.tempAttach(ofStep);
            float value;
            try (GradientCollector collector = trainer.newGradientCollector()) {
                NDArray loss = trainer.getLoss().evaluate(labels, trainer.forward(inputs, labels));
                collector.backward(loss);
                value = loss.getFloat();
            }
            trainer.step();
            return value;
        }
    }

    /** Returns the seconds of one step. */
    private static double least(Runnable step) {
        int times = 0;
        long start = System.nanoTime();
        while (seconds(start) < WARM_UP) {
            step.run();
            times++;
        }
        int timesOfBlock = Math.max(1, (int) (times * BLOCK / WARM_UP));
        double least = Double.POSITIVE_INFINITY;
        for (int block = 0; block < BLOCKS; block++) {
            long before = System.nanoTime();
            for (int i = 0; i < timesOfBlock; i++) {
                step.run();
            }
            least = Math.min(least, seconds(before) / timesOfBlock);
        }
        return least;
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) * 1e-9;
    }
}
