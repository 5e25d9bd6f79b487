package io.sedge.connector.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.Awaited;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.MalformedValueException;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Reports;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The sink and its queue; the writer is the test. */
class CommandSinkTest {
  private static final Schema SCHEMA = Schema.builder().add("n", Type.BIGINT).build();

  private final TestContext context = new TestContext(Path.of("."));
  private final CommandQueue<Value> queue =
      new CommandQueue<>(
          Optional.of(Duration.ofSeconds(10)), new Reports("valves", context), 5, context::wakeUp);
  private final Writer writer = new Writer();
  private final CommandSink<Value> sink =
      new CommandSink<>("valves", context, new Numbers(), queue, writer);

  /** A command that writes a number. */
  private record Value(long sequence, long givenMicros, String text, Optional<Awaited> awaited)
      implements Command {}

  /** Numbers below zero are no commands. */
  private final class Numbers implements CommandMaker<Value> {
    @Override
    public Value command(long sequence, Batch batch, int row, Optional<Awaited> awaited)
        throws MalformedValueException {
      long number = (Long) batch.row(row).getFirst();
      if (number < 0) {
        throw new MalformedValueException("%d is below zero".formatted(number));
      }
      return new Value(sequence, nowMicros(), String.valueOf(number), awaited);
    }

    @Override
    public Value none(long sequence, String text, Optional<Awaited> awaited) {
      return new Value(sequence, Long.MAX_VALUE, text, awaited);
    }
  }

  private static final class Writer implements CommandWriter {
    private int added;
    private int closed;
    private @Nullable Throwable failure;

    @Override
    public void added() {
      added++;
    }

    @Override
    public @Nullable Throwable failure() {
      return failure;
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private long nowMicros() {
    return new Reports("valves", context).nowMicros();
  }

  private static NumberedBatch batch(long first, long... numbers) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (long number : numbers) {
      builder.addRow(number);
    }
    return new NumberedBatch(first, builder.build());
  }

  private Value first() {
    Value first = queue.first();
    assertThat(first).isNotNull();
    return first;
  }

  @Test
  void aRowIsDurableWhenItsCommandIsThroughAndThoseBeforeIt() throws InterruptedException {
    assertThat(sink.offer(batch(6, 10, 11, 12))).isTrue();
    assertThat(writer.added).isEqualTo(1);
    assertThat(sink.flush()).isEqualTo(5);
    List<Value> two = queue.await(2);
    assertThat(two).extracting(Value::text).containsExactly("10", "11");
    queue.finishBefore(two.getLast());
    assertThat(sink.flush()).isEqualTo(6);
    queue.written(8);
    queue.finish(two.getLast());
    assertThat(sink.flush()).isEqualTo(7);
    assertThat(sink.bytes()).isEqualTo(8);
    assertThat(first().text()).isEqualTo("12");
  }

  @Test
  void aRowThatIsNoCommandIsSaidAndHoldsNothingUp() {
    assertThat(sink.offer(batch(6, 10, -3))).isTrue();
    assertThat(context.malformed())
        .singleElement()
        .satisfies(
            malformed -> {
              assertThat(malformed.origin()).isEqualTo("row 7");
              assertThat(malformed.payload()).isEqualTo("[-3]");
              assertThat(malformed.reason()).isEqualTo("-3 is below zero");
            });
    queue.finish(first());
    queue.finish(first());
    assertThat(sink.flush()).isEqualTo(7);
  }

  @Test
  void aCommandThatIsRefusedIsSaidBeforeItCountsAsThrough() {
    assertThat(sink.offer(batch(6, 10))).isTrue();
    Value refused = first();
    queue.refuse(refused, "locked", false);
    assertThat(context.malformed()).isEmpty();
    queue.finish(refused);
    assertThat(sink.flush()).isEqualTo(6);
    assertThat(context.malformed())
        .extracting(TestContext.Malformed::reason)
        .containsExactly("locked");
  }

  @Test
  void aCommandBecomesTooOld() {
    assertThat(sink.offer(batch(6, 10, -1))).isTrue();
    Value command = first();
    assertThat(queue.isOld(command)).isFalse();
    context.pass(11_000);
    assertThat(queue.isOld(command)).isTrue();
    assertThat(queue.age(command))
        .startsWith("it was given at 2026-01-01T00:00:00Z, longer ago than");
    queue.finish(command);
    assertThat(queue.isOld(first())).as("of which the time is not known").isFalse();
  }

  @Test
  void aFullQueueTakesNoMore() {
    long[] many = LongStream.range(0, CommandQueue.CAPACITY).toArray();
    assertThat(sink.offer(batch(6, many))).isTrue();
    assertThat(sink.offer(batch(6 + many.length, 1))).isFalse();
    queue.finish(first());
    assertThat(sink.offer(batch(6 + many.length, 1))).isTrue();
  }

  @Test
  void aFarEndThatTakesNothingIsSaidOnce() {
    queue.works("plant");
    queue.stuck("plant", "no answer");
    queue.stuck("plant", "no answer");
    queue.works("plant");
    queue.works("plant");
    assertThat(context.reports())
        .containsExactly(
            "WARNING table valves: plant takes no commands: no answer; it is tried again",
            "WARNING table valves: plant takes commands again");
  }

  @Test
  void whatIsLeftAtTheEndIsSaid() throws InterruptedException {
    assertThat(sink.offer(batch(6, 10, 11))).isTrue();
    queue.stuck("plant", "no answer");
    assertThat(queue.end(Duration.ofMinutes(1), () -> false)).isEqualTo(2);
    assertThat(context.reports()).contains("WARNING table valves: 2 commands were not written");
    assertThat(queue.await(9)).isEmpty();
    assertThat(queue.end(Duration.ofMinutes(1), () -> false)).isZero();
    sink.close();
    assertThat(writer.closed).isEqualTo(1);
  }

  @Test
  void theEndDoesNotWaitForAWriterThatHasFailed() {
    assertThat(sink.offer(batch(6, 10))).isTrue();
    assertThat(queue.end(Duration.ofDays(1), () -> true)).isEqualTo(1);
  }

  @Test
  void aWriterThatHasFailedEndsTheJob() {
    writer.failure = new IllegalStateException("what");
    assertThatThrownBy(sink::flush)
        .isInstanceOf(ConnectorException.class)
        .hasMessage("table valves: writing has failed: java.lang.IllegalStateException: what");
    writer.failure = new ConnectorException(ConnectorException.Kind.USER, "no such login");
    assertThatThrownBy(() -> sink.offer(batch(6, 1)))
        .isInstanceOf(ConnectorException.class)
        .hasMessage("no such login");
    writer.failure = new OutOfMemoryError("heap");
    assertThatThrownBy(sink::flush).isInstanceOf(OutOfMemoryError.class);
  }
}
