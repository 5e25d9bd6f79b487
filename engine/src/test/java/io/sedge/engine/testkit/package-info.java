/**
 * Helpers of the engine's tests, for the tests of other modules too. Read {@link
 * io.sedge.engine.testkit.OperatorHarness} first, then {@link io.sedge.engine.testkit.Rows}, then
 * {@link io.sedge.engine.testkit.StateImage}.
 */
@NullMarked
package io.sedge.engine.testkit;

import org.jspecify.annotations.NullMarked;
