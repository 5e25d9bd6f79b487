/**
 * Detectors. {@link io.sedge.learning.internal.Detector} first, then {@link
 * io.sedge.learning.internal.DetectorKinds}. The thread of their task.
 */
@NullMarked
package io.sedge.learning.internal;

import org.jspecify.annotations.NullMarked;
