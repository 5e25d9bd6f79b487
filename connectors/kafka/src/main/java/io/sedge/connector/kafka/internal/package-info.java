/** What the connectors {@code kafka} and {@code upsert-kafka} are made of. */
@NullMarked
package io.sedge.connector.kafka.internal;

import org.jspecify.annotations.NullMarked;
