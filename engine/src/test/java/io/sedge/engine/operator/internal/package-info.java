/** Tests of the operators. Read {@link io.sedge.engine.testkit.OperatorHarness} first. */
@NullMarked
package io.sedge.engine.operator.internal;

import org.jspecify.annotations.NullMarked;
