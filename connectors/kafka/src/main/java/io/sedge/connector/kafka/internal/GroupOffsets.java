package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Tells the group of a table how far the job has come, for those who watch its lag. A job itself
 * goes on from its own commits. The last position counts; others are left out.
 */
final class GroupOffsets {
  private final String table;
  private final ConnectorContext context;
  private final Optional<String> group;
  private @Nullable ReadPosition acknowledged;
  private boolean said;

  /**
   * @param group empty if nobody is told
   */
  GroupOffsets(String table, ConnectorContext context, Optional<String> group) {
    this.table = table;
    this.context = context;
    this.group = group;
  }

  /** What comes before the position is committed. Any thread. */
  synchronized void acknowledge(ReadPosition position) {
    acknowledged = position;
  }

  private synchronized @Nullable ReadPosition takeAcknowledged() {
    ReadPosition position = acknowledged;
    acknowledged = null;
    return position;
  }

  /** Tells it, without waiting for the answer. The consumer's thread. */
  void commit(Consumer<byte[], byte[]> consumer) {
    ReadPosition position = group.isPresent() ? takeAcknowledged() : null;
    if (position == null) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    position
        .topics()
        .forEach(
            (topic, its) ->
                its.partitions()
                    .forEach(
                        (number, span) ->
                            offsets.put(
                                new TopicPartition(topic, number),
                                new OffsetAndMetadata(span.next()))));
    consumer.commitAsync(offsets, (_, thrown) -> committed(thrown));
  }

  private void committed(@Nullable Exception thrown) {
    if (thrown != null && !said) {
      said = true;
      context.report(
          Severity.WARNING,
          "table %s: group '%s' does not take offsets, so its lag is not right: %s"
              .formatted(table, group.orElse(""), Failures.explain(thrown)));
    }
  }
}
