package io.sedge.connector.mqtt.internal;

import java.util.HashMap;
import java.util.Map;

/**
 * Which message of each topic is the latest, among those that are not settled. A message that is
 * sent again must not come after a later one of its topic: the broker would keep the older row.
 * Bounded by the messages of a sink; for one thread at a time.
 */
final class LatestRows {
  /** Of one topic: the greatest sequence, and how many messages are not settled. */
  private record Topic(long latest, int unsettled) {}

  private final Map<String, Topic> topics = new HashMap<>();

  /** A message that is to be sent. */
  void add(String topic, long sequence) {
    topics.merge(
        topic,
        new Topic(sequence, 1),
        (known, _) -> new Topic(Math.max(known.latest(), sequence), known.unsettled() + 1));
  }

  /** Whether a message that was added, and is not settled, has a later one of its topic. */
  boolean isReplaced(String topic, long sequence) {
    Topic known = topics.get(topic);
    return known != null && known.latest() > sequence;
  }

  /** A message that was added is acknowledged, or will never be sent. */
  void settle(String topic) {
    topics.computeIfPresent(
        topic,
        (_, known) ->
            known.unsettled() == 1 ? null : new Topic(known.latest(), known.unsettled() - 1));
  }
}
