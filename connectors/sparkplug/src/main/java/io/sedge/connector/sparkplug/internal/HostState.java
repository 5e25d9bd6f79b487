package io.sedge.connector.sparkplug.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.mqtt.Outgoing;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a host application says of itself (4.1.2, STATE): online once it has subscribed, offline
 * when it goes, by itself or by its will. The connection's thread; {@link #offline} any.
 */
final class HostState {
  private static final Pattern OFFLINE = Pattern.compile("\"online\"\\s*:\\s*false");

  private final String topic;
  private final InstantSource clock;
  private volatile long connectMillis;

  HostState(String id, InstantSource clock) {
    this.topic = "%s/STATE/%s".formatted(NodeTopic.NAMESPACE, id);
    this.clock = clock;
  }

  String topic() {
    return topic;
  }

  /** What the broker publishes if the next connection ends without a word. */
  Outgoing will() {
    connectMillis = clock.millis();
    return message(false, connectMillis);
  }

  /** To be published when it has subscribed; of the same time as the will. */
  Outgoing online() {
    return message(true, connectMillis);
  }

  /** To be published before it disconnects. */
  Outgoing offline() {
    return message(false, clock.millis());
  }

  /** Whether a message on its topic says that it is offline: the will of a former connection. */
  static boolean isOffline(byte[] payload) {
    return OFFLINE.matcher(new String(payload, UTF_8)).find();
  }

  private Outgoing message(boolean online, long millis) {
    return new Outgoing(
        topic,
        "{\"online\":%b,\"timestamp\":%d}".formatted(online, millis).getBytes(UTF_8),
        1,
        true,
        Optional.empty());
  }
}
