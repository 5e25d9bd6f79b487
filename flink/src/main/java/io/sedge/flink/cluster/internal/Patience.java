package io.sedge.flink.cluster.internal;

import java.time.Duration;

/**
 * How long is waited for a JobManager.
 *
 * @param answer for an answer
 * @param submission for the upload of a jar, and for the JobManager to plan a script
 */
public record Patience(Duration answer, Duration submission) {}
