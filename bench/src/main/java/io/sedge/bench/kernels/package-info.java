/**
 * The engine's parts alone, under JMH. Read {@link io.sedge.bench.kernels.Kernels} first, then
 * {@link io.sedge.bench.kernels.QueryKernel}, then {@link io.sedge.bench.kernels.DecoderKernel}.
 */
@NullMarked
package io.sedge.bench.kernels;

import org.jspecify.annotations.NullMarked;
