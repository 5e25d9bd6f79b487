/** A broker of Kafka in the test's process, and what writes to it and reads from it. */
@NullMarked
package io.sedge.connector.kafka.testkit;

import org.jspecify.annotations.NullMarked;
