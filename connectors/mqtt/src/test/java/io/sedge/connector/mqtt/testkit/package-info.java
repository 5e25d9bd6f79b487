/** Brokers, links that break, and what a program gives a connector, for the tests of mqtt. */
@NullMarked
package io.sedge.connector.mqtt.testkit;

import org.jspecify.annotations.NullMarked;
