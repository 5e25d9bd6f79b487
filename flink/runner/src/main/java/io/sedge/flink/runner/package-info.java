/**
 * The program that a JobManager of Flink's runs: {@link io.sedge.flink.runner.ScriptRunner} gives a
 * translated script to Flink's planner. Java 11 and Flink's API alone. One thread, the
 * JobManager's.
 */
@NullMarked
package io.sedge.flink.runner;

import org.jspecify.annotations.NullMarked;
