/** Tests of the pipeline and of the operators through it. */
@NullMarked
package io.sedge.engine.operator;

import org.jspecify.annotations.NullMarked;
