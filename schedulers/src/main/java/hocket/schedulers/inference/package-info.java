/**
 * Trained models in a service: {@link hocket.schedulers.inference.Inferencer} loads one from a folder and answers calls from
 * any number of threads, without a trainer. Also here: what a model computes for a caller ({@link
 * hocket.schedulers.inference.InferenceFunction}), and the files of an exported model. Run folders are read by the workbench,
 * which implements {@link hocket.schedulers.inference.ModelReader}.
 */
@NullMarked
package hocket.schedulers.inference;

import org.jspecify.annotations.NullMarked;
