/**
 * Numbers in named columns, and the examples that a model learns from. Needs no TensorFlow.
 *
 * <p>Read first: {@link io.sedge.tensor.training.data.Table} (checked rows), {@link
 * io.sedge.tensor.training.data.Examples} (normalised features and targets), {@link
 * io.sedge.tensor.training.data.Batches} (what is trained next, shard by shard).
 */
@NullMarked
package io.sedge.tensor.training.data;

import org.jspecify.annotations.NullMarked;
