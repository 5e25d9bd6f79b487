/**
 * Training of models for sensors: small networks over rows of numbers, in one process or on a
 * cluster with parameter servers. The gradients and all arithmetic are TensorFlow's.
 *
 * <p>Read first: {@link io.sedge.tensor.training.Model} (what is trained), {@link
 * io.sedge.tensor.training.LocalTraining} (training in one process), {@link
 * io.sedge.tensor.training.TrainedModel} (what comes out).
 */
@NullMarked
package io.sedge.tensor.training;

import org.jspecify.annotations.NullMarked;
