/**
 * The conformance suites of connectors, for ours and anybody's: extend {@link
 * io.sedge.connector.testkit.SourceConformance} and {@link
 * io.sedge.connector.testkit.SinkConformance}, say what the connector can do, and run them with
 * JUnit. {@link io.sedge.connector.testkit.TestContext} is what a connector runs in there.
 */
@NullMarked
package io.sedge.connector.testkit;

import org.jspecify.annotations.NullMarked;
