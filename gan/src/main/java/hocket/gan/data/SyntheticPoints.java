package hocket.gan.data;

import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Optional;

/** Points in the plane that follow from settings and a seed: a column {@code point} (FLOAT32, (2)). */
public interface SyntheticPoints extends SourceDefinition {
    /** The numbers of a point. */
    int DIMENSIONS = 2;

    /** The seed of the points, independent of the run's seed. */
    long seed();

    /** Draws all points, row-major (rows, 2); each call gives the same. */
    float[] sample();

    /** The mixture that the points are drawn from; empty if they are of another distribution. */
    default Optional<GaussianMixture> mixture() {
        return Optional.empty();
    }

    @Override
    default PointSource open(String name, int batch, boolean shuffled) {
        float[] points = sample();
        Rows rows = Rows.of("point", Tensor.of(Shape.of(points.length / DIMENSIONS, DIMENSIONS), points));
        return new PointBatches(this, rows.batches(name, batch, shuffled));
    }

    @Override
    default Optional<List<Source.Column>> declaredColumns() {
        return Optional.of(List.of(new Source.Column("point", Shape.of(DIMENSIONS), ElementType.FLOAT32)));
    }

    /** A source of batches of synthetic points. */
    final class PointBatches extends ForwardingSource implements PointSource {
        private final SyntheticPoints points;
        private final Source batches;

        private PointBatches(SyntheticPoints points, Source batches) {
            super(batches);
            this.points = points;
            this.batches = batches;
        }

        @Override
        public Optional<Source> fresh() {
            return batches.fresh().map(each -> new PointBatches(points, each));
        }

        @Override
        public SyntheticPoints points() {
            return points;
        }
    }
}
