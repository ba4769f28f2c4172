/**
 * Event files of TensorBoard: the figures and pictures of a run and histograms of its parameters, while it trains or afterwards
 * from its folder. The format is that of TensorFlow's {@code event.proto}, {@code summary.proto} and TFRecord; no class of
 * TensorFlow is needed to write it.
 */
@NullMarked
package hocket.workbench.pictures.tensorboard;

import org.jspecify.annotations.NullMarked;
