/**
 * What a connector implements, ours and anybody's. Read {@link io.sedge.connector.ConnectorFactory}
 * first, then {@link io.sedge.connector.SourceReader} and {@link io.sedge.connector.Sink}.
 * Factories are found with {@link java.util.ServiceLoader}; readers and sinks are called by their
 * task's thread alone.
 */
@NullMarked
package io.sedge.connector;

import org.jspecify.annotations.NullMarked;
