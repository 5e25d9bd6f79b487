package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Outage;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Fetches records into an {@link Inbox}, on a thread of its own that alone uses the clients. While
 * no broker answers it goes on trying; what a person must put right (a password, a permission)
 * before the first record could be read is a {@link #failure}.
 */
final class Fetcher implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration CLOSING = Duration.ofSeconds(2);

  /** After so long without a record the brokers are asked whether they are there. */
  private static final long QUIET_NANOS = Duration.ofSeconds(5).toNanos();

  private static final String NOBODY = "no broker answers";

  private final String table;
  private final ConnectorContext context;
  private final SourceSettings settings;
  private final Clients clients;
  private final BrokerProbe probe;
  private final Inbox inbox;
  private final Assignment assignment;
  private final GroupOffsets group;
  private final Outage outage;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable ConnectorException failure;
  private volatile @Nullable Consumer<byte[], byte[]> running;

  /** Used by the thread alone, as all below. */
  private boolean reached;

  /** Whether the clients in use know the partitions. */
  private boolean looked;

  private long lookNanos;
  private long heardNanos;

  Fetcher(String table, ConnectorContext context, SourceSettings settings, Inbox inbox) {
    this.table = table;
    this.context = context;
    this.settings = settings;
    this.clients = new Clients(settings.client());
    this.probe = new BrokerProbe(settings.client());
    this.inbox = inbox;
    this.assignment = new Assignment(table, context, settings, inbox);
    this.group = new GroupOffsets(table, context, settings.client().find("group.id"));
    this.outage =
        new Outage("table %s: Kafka at %s".formatted(table, settings.client().servers()), context);
    this.thread = Thread.ofPlatform().name("kafka-source-" + table).daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Why reading has failed for good, if it has. */
  @Nullable ConnectorException failure() {
    return failure;
  }

  /** A partition that was full has room: it is to be fetched at once. */
  void wakeUp() {
    Consumer<byte[], byte[]> consumer = running;
    if (consumer != null) {
      consumer.wakeup();
    }
  }

  /** What comes before a position is committed, which is told to the group, if there is one. */
  void acknowledge(ReadPosition position) {
    group.acknowledge(position);
  }

  /** The boundary of the thread. */
  private void run() {
    while (!isClosed() && failure == null) {
      try {
        attempt();
      } catch (WakeupException | InterruptException e) {
        var _ = Thread.interrupted(); // Closed, or only a partition that has room.
      } catch (ConnectorException e) {
        fail(e);
      } catch (KafkaException e) {
        failed(e);
      } catch (RuntimeException | Error e) {
        fail(Failures.external("table %s: reading fails: %s".formatted(table, e), e));
      }
    }
  }

  private void failed(KafkaException e) {
    Throwable cause = Failures.cause(e);
    String reason = Failures.explain(cause);
    if (Failures.isLasting(cause) && !reached) {
      fail(
          Failures.external(
              "table %s: Kafka at %s: %s".formatted(table, settings.client().servers(), reason),
              cause));
    } else {
      pause(outage.failed(reason, () -> explained(cause, reason)));
    }
  }

  /** A client that has waited in vain does not say for what. Asks brokers, so it takes seconds. */
  private String explained(Throwable cause, String reason) {
    boolean isVague =
        cause instanceof TimeoutException
            || (cause instanceof ConfigException && !Failures.isLasting(cause));
    return isVague && !isClosed()
        ? probe.trouble().map(why -> "%s: %s".formatted(NOBODY, why)).orElse(reason)
        : reason;
  }

  private void fail(ConnectorException e) {
    failure = e;
    context.wakeUp();
  }

  private void pause(Duration delay) {
    try {
      var _ = closing.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      closing.countDown();
    }
  }

  private boolean isClosed() {
    return closing.getCount() == 0;
  }

  private void attempt() {
    probe.refuseTls();
    Consumer<byte[], byte[]> consumer = clients.consumer(table);
    running = consumer;
    looked = false;
    try (Admin admin = clients.admin(table)) {
      while (!isClosed()) {
        turn(admin, consumer);
      }
      group.commit(consumer);
    } finally {
      running = null;
      consumer.close(CloseOptions.timeout(CLOSING));
    }
  }

  private void look(Admin admin, Consumer<byte[], byte[]> consumer) {
    Set<TopicPartition> opened = assignment.look(admin, consumer);
    Map<TopicPartition, Long> fetched = inbox.fetched();
    Set<TopicPartition> had = Set.copyOf(consumer.assignment());
    consumer.assign(fetched.keySet());
    fetched.forEach(
        (partition, offset) -> {
          if (!had.contains(partition) || opened.contains(partition)) {
            consumer.seek(partition, offset);
          }
        });
    lookNanos = context.nanoTime();
    heardNanos = lookNanos;
    looked = true;
    reached = true;
    outage.ended();
    context.wakeUp(); // Perhaps there is nothing to read, and it has ended.
  }

  private void turn(Admin admin, Consumer<byte[], byte[]> consumer) {
    try {
      lookAndFetch(admin, consumer);
    } catch (WakeupException e) {
      // A partition has room, or it is closed. A look that was cut short is made again.
    }
  }

  private void lookAndFetch(Admin admin, Consumer<byte[], byte[]> consumer) {
    if (isLookDue()) {
      look(admin, consumer);
    }
    if (consumer.assignment().isEmpty()) {
      pause(POLL);
      return;
    }
    Set<TopicPartition> full = inbox.full();
    consumer.resume(consumer.assignment());
    consumer.pause(full);
    try {
      take(consumer, consumer.poll(POLL));
      group.commit(consumer);
      listen(consumer);
    } catch (OffsetOutOfRangeException e) {
      look(admin, consumer); // The topic may have been made anew.
      goOn(consumer, e.offsetOutOfRangePartitions().keySet());
    }
  }

  private boolean isLookDue() {
    if (!looked) {
      return true;
    }
    long age = context.nanoTime() - lookNanos;
    return assignment.isIncomplete()
        ? age >= QUIET_NANOS
        : !settings.discovery().isZero() && age >= settings.discovery().toNanos();
  }

  private void take(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
    boolean awaited = Intake.take(consumer, records, inbox);
    if (!records.isEmpty()) {
      heardNanos = context.nanoTime();
      outage.ended();
    }
    if (awaited || inbox.isHeld()) {
      context.wakeUp();
    }
  }

  /** A client that gets nothing does not say whether there is nothing or nobody. */
  private void listen(Consumer<byte[], byte[]> consumer) {
    if (context.nanoTime() - heardNanos >= QUIET_NANOS) {
      var _ = consumer.endOffsets(consumer.assignment());
      heardNanos = context.nanoTime();
      outage.ended();
    }
  }

  /** Records that were to be read next are gone: says how many, and goes on at what there is. */
  private void goOn(Consumer<byte[], byte[]> consumer, Set<TopicPartition> outOfRange) {
    Set<TopicPartition> wanted = new HashSet<>(outOfRange);
    wanted.retainAll(consumer.assignment());
    Map<TopicPartition, Long> oldest = consumer.beginningOffsets(wanted);
    Map<TopicPartition, Long> ends = consumer.endOffsets(wanted);
    inbox
        .fetched()
        .forEach(
            (partition, offset) -> {
              long from = oldest.getOrDefault(partition, 0L);
              long to = ends.getOrDefault(partition, Long.MAX_VALUE);
              if (offset < from) {
                context.report(
                    Severity.WARNING,
                    "table %s: %d records of %s are lost: Kafka has deleted offsets %d to %d before they were read; see the topic's retention.ms and retention.bytes"
                        .formatted(table, from - offset, partition, offset, from - 1));
                jump(consumer, partition, from);
              } else if (offset > to) {
                context.report(
                    Severity.WARNING,
                    "table %s: %s ends at offset %d, before %d, up to which it was read: its brokers have lost records; reading goes on at its end"
                        .formatted(table, partition, to, offset));
                jump(consumer, partition, to);
              }
            });
  }

  private void jump(Consumer<byte[], byte[]> consumer, TopicPartition partition, long offset) {
    inbox.jump(partition, offset);
    consumer.seek(partition, offset);
  }

  @Override
  public void close() {
    closing.countDown();
    wakeUp();
    Closing.join(thread, CLOSING.multipliedBy(2));
  }
}
