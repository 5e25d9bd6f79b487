package io.sedge.connector.kafka.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * A topic as the brokers have it.
 *
 * @param id another one if the topic was deleted and made anew
 * @param partitions how many there are, numbered from 0
 */
record TopicShape(Uuid id, int partitions) {
  private static final long PATIENCE_MS = Duration.ofMinutes(2).toMillis();

  /**
   * Those of the topics that there are, by name. Blocks for as long as the client's time-outs say.
   *
   * @throws KafkaException if the brokers cannot be asked
   */
  static Map<String, TopicShape> look(Admin admin, Collection<String> topics) {
    Map<String, TopicShape> shapes = new TreeMap<>();
    admin
        .describeTopics(topics)
        .topicNameValues()
        .forEach(
            (topic, future) -> {
              try {
                TopicDescription found = await(future);
                shapes.put(topic, new TopicShape(found.topicId(), found.partitions().size()));
              } catch (UnknownTopicOrPartitionException e) {
                // It is not there, which whoever asked sees.
              }
            });
    return shapes;
  }

  /**
   * What a future of the admin client gives.
   *
   * @throws KafkaException if it gives none
   */
  static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw Failures.cause(e) instanceof KafkaException known ? known : new KafkaException(e);
    } catch (TimeoutException e) {
      throw new org.apache.kafka.common.errors.TimeoutException(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
