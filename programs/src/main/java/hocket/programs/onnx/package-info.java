/** Writes EVAL programs as ONNX models; the one place that knows this format. */
@NullMarked
package hocket.programs.onnx;

import org.jspecify.annotations.NullMarked;
