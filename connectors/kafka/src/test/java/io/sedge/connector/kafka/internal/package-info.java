/** Tests of the connector's inside. */
@NullMarked
package io.sedge.connector.kafka.internal;

import org.jspecify.annotations.NullMarked;
