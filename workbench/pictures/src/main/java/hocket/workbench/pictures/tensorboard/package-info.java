/**
 * Writes TensorBoard's event files: metrics, images and parameter histograms, during training or later from a run's
 * folder. The format is TensorFlow's {@code event.proto}, {@code summary.proto} and TFRecord; no class of TensorFlow is
 * needed.
 */
@NullMarked
package hocket.workbench.pictures.tensorboard;

import org.jspecify.annotations.NullMarked;
