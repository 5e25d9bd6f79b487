/**
 * Flink as the oracle. {@link io.sedge.flink.FlinkScripts} runs a script on Flink; the tests run
 * the same script on Sedge and compare.
 */
@NullMarked
package io.sedge.flink;

import org.jspecify.annotations.NullMarked;
