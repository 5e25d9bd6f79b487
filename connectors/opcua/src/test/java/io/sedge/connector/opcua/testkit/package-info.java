/** An OPC UA server for tests, in their own process. */
@NullMarked
package io.sedge.connector.opcua.testkit;

import org.jspecify.annotations.NullMarked;
