/** Tests of what the connector has inside. */
@NullMarked
package io.sedge.connector.sparkplug.internal;

import org.jspecify.annotations.NullMarked;
