/**
 * How models are found from sums ({@link io.sedge.learning.training.internal.Fitting}) and written
 * as ONNX files ({@link io.sedge.learning.training.internal.OnnxGraph}), and these as SavedModels
 * ({@link io.sedge.learning.training.internal.TensorFlowGraph}). One thread.
 */
@NullMarked
package io.sedge.learning.training.internal;

import org.jspecify.annotations.NullMarked;
