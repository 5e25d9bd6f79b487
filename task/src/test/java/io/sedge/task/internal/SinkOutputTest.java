package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sedge.connector.Awaited;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.task.RowNumbers;
import io.sedge.task.testkit.FakeConnector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class SinkOutputTest {
  private final FoundSink sink = new FoundSink();
  private long first = 1;

  /** A sink whose far end has rows from before. */
  private static final class FoundSink implements Sink {
    private final List<String> taken = new ArrayList<>();
    private long durable;
    private boolean full;

    @Override
    public boolean offer(NumberedBatch batch) {
      if (!full) {
        taken.add(batch.first() + "-" + batch.last());
      }
      return !full;
    }

    @Override
    public long flush() {
      return durable;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private Optional<Awaited> awaited = Optional.empty();

  private SinkOutput outboxOutput() {
    RowNumbers numbers =
        new RowNumbers() {
          @Override
          public Delivery delivery(String table) {
            throw new UnsupportedOperationException("the sink is open");
          }

          @Override
          public long first(String table) {
            return first;
          }

          @Override
          public Optional<Awaited> awaited(String table) {
            return awaited;
          }
        };
    return new SinkOutput("out", "table out", sink, false, Optional.of(numbers));
  }

  private static Batch rows(int rows) {
    BatchBuilder builder = new BatchBuilder(FakeConnector.SCHEMA);
    for (long n = 0; n < rows; n++) {
      builder.addRow(n);
    }
    return builder.build();
  }

  @Test
  void whatTheFarEndHasIsNotOfferedAgain() {
    sink.durable = 20;
    SinkOutput output = outboxOutput();
    for (long next : new long[] {11, 16, 21, 31}) {
      first = next;
      assertThat(output.offer(rows(5))).isTrue();
    }
    assertThat(sink.taken).containsExactly("21-25", "31-35");
    assertThat(output.rows()).isEqualTo(10);
  }

  @Test
  void aBatchIsFlushedWhenItsLastRowIsDurable() {
    SinkOutput output = outboxOutput();
    output.offer(rows(5));
    sink.durable = 4;
    assertThat(output.flush()).isFalse();
    sink.durable = 5;
    assertThat(output.flush()).isTrue();
  }

  @Test
  void aFarEndThatHasHalfABatchIsAnError() {
    sink.durable = 3;
    SinkOutput output = outboxOutput();
    assertThatIllegalStateException()
        .isThrownBy(() -> output.offer(rows(5)))
        .withMessage("table out: its sink has rows up to 3, which is amid a batch of rows 1 to 5");
  }

  @Test
  void rowsOfARunAreNumberedAsTheyAreTaken() {
    SinkOutput output = new SinkOutput("out", "table out", sink, false, Optional.empty());
    assertThat(output.offer(rows(2))).isTrue();
    sink.full = true;
    assertThat(output.offer(rows(3))).isFalse();
    sink.full = false;
    assertThat(output.offer(rows(3))).isTrue();
    assertThat(sink.taken).containsExactly("1-2", "3-5");
  }

  /** The sink was full for longer than the row's time. */
  @Test
  void aRowWhoseTimeIsOverIsPassedOverThoughItWasOffered() {
    AtomicBoolean over = new AtomicBoolean();
    List<String> said = new ArrayList<>();
    awaited =
        Optional.of(
            new Awaited() {
              @Override
              public boolean isOver() {
                return over.get();
              }

              @Override
              public void confirmed() {
                said.add("confirmed");
              }

              @Override
              public void failed(String why) {
                said.add(why);
              }

              @Override
              public void expired(String detail) {
                said.add("expired");
              }
            });
    SinkOutput output = outboxOutput();
    sink.full = true;
    assertThat(output.offer(rows(1))).isFalse();
    assertThat(output.hasRefused()).isTrue();
    over.set(true);
    assertThat(output.offer(rows(1))).isTrue();
    assertThat(output.hasRefused()).isFalse();
    sink.full = false;
    awaited = Optional.empty();
    first = 2;
    assertThat(output.offer(rows(2))).isTrue();
    assertThat(sink.taken).containsExactly("2-3");
    assertThat(said).containsExactly("expired");
  }
}
