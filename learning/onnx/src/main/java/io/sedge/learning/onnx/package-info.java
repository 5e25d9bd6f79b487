/**
 * Models of ONNX files. {@link io.sedge.learning.onnx.OnnxProvider} is the entrance. ONNX Runtime's
 * native library is loaded when the first model is opened. The thread of a script opens models, the
 * thread of each task scores.
 */
@NullMarked
package io.sedge.learning.onnx;

import org.jspecify.annotations.NullMarked;
