package io.sedge.task.testkit;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Division;
import io.sedge.connector.Guarantee;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A connector whose sources count from 0 and whose sinks count what they take. */
public final class FakeConnector implements ConnectorFactory {
  public static final Schema SCHEMA = Schema.builder().add("n", Type.BIGINT).build();

  /** How many rows there are. */
  public long total = Long.MAX_VALUE;

  /** How many of them are there by now. */
  public volatile long available = Long.MAX_VALUE;

  /** Into shards that all read the same. */
  public Division division = Division.WHOLE;

  /** Hears of each table that is prepared to be read or written; may throw. */
  public BiConsumer<TableDescriptor, ConnectorContext> onTable = (_, _) -> {};

  /** Run when a table is opened, and may throw or block. */
  public Runnable onOpen = () -> {};

  /** Makes the exception that reading throws, once there is one. */
  public Supplier<@Nullable RuntimeException> onPoll = () -> null;

  public boolean sinkFull;
  public final AtomicLong written = new AtomicLong();

  /** Takes what is written. */
  public volatile Consumer<Batch> onWrite = _ -> {};

  public final AtomicLong acknowledged = new AtomicLong();

  /** Counted down when the reader is closed. */
  public final CountDownLatch closed = new CountDownLatch(1);

  /** Whether a reader was told that nobody comes after it. */
  public volatile boolean retired;

  /** Run when a reader or sink is closed, and may throw or block. */
  public Runnable onClose = () -> {};

  /** Of the malformed payload at the beginning. */
  public String origin = "here";

  public String reason = "no number";

  public String payload = "x";

  /** Whether every payload is malformed, not the first alone. */
  public volatile boolean garbage;

  public volatile Thread taskThread = Thread.currentThread();

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public List<Option> options() {
    return List.of(Option.optional("password", Option.Kind.STRING, "Of no use but to be hidden."));
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    onTable.accept(table, context);
    return Optional.of(
        new Source() {
          @Override
          public boolean bounded() {
            return total != Long.MAX_VALUE;
          }

          @Override
          public Division division() {
            return division;
          }

          @Override
          public Source shard(String name) {
            return this;
          }

          @Override
          public SourceReader open() {
            onOpen.run();
            return new Reader(table.name(), context);
          }
        });
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    onTable.accept(table, context);
    return Optional.of(
        new SinkFactory() {
          @Override
          public ChangelogMode changelogMode() {
            return ChangelogMode.INSERT_ONLY;
          }

          @Override
          public boolean reachesSources() {
            return true;
          }

          @Override
          public Guarantee guarantee() {
            return Guarantee.AT_LEAST_ONCE;
          }

          @Override
          public Sink open(Delivery delivery) {
            return new CountingSink();
          }
        });
  }

  private final class Reader implements SourceReader {
    private final String table;
    private final ConnectorContext context;
    private long next;

    Reader(String table, ConnectorContext context) {
      this.table = table;
      this.context = context;
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      taskThread = Thread.currentThread();
      RuntimeException failure = onPoll.get();
      if (failure != null) {
        throw failure;
      }
      if (next >= Math.min(total, available)) {
        return null;
      }
      if (next == 0) {
        context.malformed(table, origin, payload.getBytes(StandardCharsets.UTF_8), reason);
      }
      if (garbage) {
        long from = next;
        next = Math.min(Math.min(total, available), next + 100);
        for (long n = Math.max(1, from); n < next; n++) {
          context.malformed(table, origin, payload.getBytes(StandardCharsets.UTF_8), reason);
        }
        return null;
      }
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      for (int i = 0; i < 100 && next < Math.min(total, available); i++) {
        builder.addRow(next++);
      }
      return builder.build();
    }

    @Override
    public boolean finished() {
      return next >= total;
    }

    @Override
    public byte[] position() {
      return Long.toString(next).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void seek(byte[] position) {
      next = Long.parseLong(new String(position, StandardCharsets.UTF_8));
    }

    @Override
    public void acknowledge(byte[] position) {
      acknowledged.set(Long.parseLong(new String(position, StandardCharsets.UTF_8)));
    }

    @Override
    public SourceCounters counters() {
      return garbage
          ? new SourceCounters(0, next * 8, next, 0)
          : new SourceCounters(next, next * 8, 1, 0);
    }

    @Override
    public void retire() {
      retired = true;
    }

    @Override
    public void close() {
      closed.countDown();
      onClose.run();
    }
  }

  private final class CountingSink implements Sink {
    private long taken;

    @Override
    public boolean offer(NumberedBatch batch) {
      if (sinkFull) {
        return false;
      }
      onWrite.accept(batch.batch());
      written.addAndGet(batch.batch().rows());
      taken = batch.last();
      return true;
    }

    @Override
    public long flush() {
      return taken;
    }

    @Override
    public long bytes() {
      return written.get();
    }

    @Override
    public void close() {
      onClose.run();
    }
  }
}
