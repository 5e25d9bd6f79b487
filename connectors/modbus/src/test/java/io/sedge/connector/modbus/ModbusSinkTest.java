package io.sedge.connector.modbus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.NumberedBatch;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.testkit.AwaitedRow;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of commands, whatever the far end does. */
final class ModbusSinkTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("speed", Type.DOUBLE)
          .add("mode", Type.INT)
          .add("running", Type.BOOLEAN)
          .add("unit", Type.INT)
          .add("given", Type.timestampLtz(3))
          .build();

  private final FakeServer server = new FakeServer();
  private final TestContext context = TestContext.live(Path.of(""));

  @AfterEach
  void stop() {
    server.close();
  }

  private SinkFactory sink(Map<String, String> more) {
    return sink(more, context);
  }

  private SinkFactory sink(Map<String, String> more, TestContext of) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url", server.url(),
                "units", "1;2",
                "request-timeout", "10 s",
                "reconnect.min-delay", "30 ms",
                "reconnect.max-delay", "60 ms",
                "fields.speed.register", "holding:10:float32",
                "fields.mode.register", "holding:12",
                "fields.running.register", "coil:3"));
    options.putAll(more);
    return new ModbusConnector()
        .sink(Tables.table(SCHEMA, Map.of(3, "unit", 4, "timestamp"), options), of)
        .orElseThrow();
  }

  private static Batch row(@Nullable Object... values) {
    return new BatchBuilder(SCHEMA).addRow(values).build();
  }

  private boolean isReported(String... parts) {
    return context.reports().stream()
        .anyMatch(report -> List.of(parts).stream().allMatch(report::contains));
  }

  private List<String> refusals() {
    return context.malformed().stream().map(TestContext.Malformed::reason).toList();
  }

  @Test
  void neighboursAreWrittenTogetherAndReadBack() {
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(row(21.5, 7, true, 2, null));
      feed.flushAll();
    }
    assertThat(server.get(10)).isEqualTo(0x41AC);
    assertThat(server.get(12)).isEqualTo(7);
    assertThat(server.bit(3)).isTrue();
    assertThat(server.requests())
        .containsExactly(
            new FakeServer.Request(2, 5, 3, 1, 0xFF00),
            new FakeServer.Request(2, 1, 3, 1, 0),
            new FakeServer.Request(2, 16, 10, 3, 0),
            new FakeServer.Request(2, 3, 10, 3, 0));
  }

  @Test
  void whatIsNullIsNotWritten() {
    try (Feed feed = Feed.open(sink(Map.of("sink.read-back", "false")))) {
      feed.give(row(null, 7, null, 1, null));
      feed.give(row(null, null, null, 1, null));
      feed.flushAll();
    }
    assertThat(server.requests()).containsExactly(new FakeServer.Request(1, 6, 12, 1, 7));
  }

  @Test
  void aValueThatIsNotKeptIsWrittenAgainAndThenRefused() {
    AtomicInteger writes = new AtomicInteger();
    server.behave(
        (request, right) -> {
          if (request.function() == 6) {
            writes.incrementAndGet();
          }
          // Reads show something else than what was written.
          return new FakeServer.Reply(
              0, request.function() == 3 ? new byte[] {3, 2, 0, 99} : right);
        });
    try (Feed feed = Feed.open(sink(Map.of("sink.max-retries", "2")))) {
      feed.give(row(null, 7, null, 1, null));
      feed.flushAll();
      assertThat(writes).hasValue(3);
      assertThat(refusals())
          .containsExactly(
              "holding 12 was written 3 times and is still read back as something else");
      server.behaveWell();
      feed.give(row(null, 8, null, 1, null));
      feed.flushAll();
    }
    assertThat(server.get(12)).isEqualTo(8);
  }

  @Test
  void aCommandThatTheDeviceRefusesIsSaidAndTheNextIsWritten() {
    server.behave(
        (request, right) ->
            request.unit() == 1
                ? FakeServer.exception(request, 2)
                : new FakeServer.Reply(0, right));
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(row(null, 7, null, 1, null));
      feed.give(row(null, 8, null, 2, null));
      feed.flushAll();
    }
    assertThat(refusals())
        .containsExactly(
            "holding 12 is answered with exception 2, illegal data address: the device has no such"
                + " register; compare it, and 'addressing', with its manual");
    assertThat(server.get(12)).isEqualTo(8);
  }

  @Test
  void aDeviceThatIsBusyIsAskedAgain() {
    AtomicInteger times = new AtomicInteger();
    server.behave(
        (request, right) ->
            times.incrementAndGet() < 3
                ? FakeServer.exception(request, 6)
                : new FakeServer.Reply(0, right));
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(row(null, 7, null, 1, null));
      feed.flushAll();
    }
    assertThat(server.get(12)).isEqualTo(7);
    assertThat(isReported("takes no commands", "exception 6, server device busy")).isTrue();
    assertThat(isReported("takes commands again")).isTrue();
  }

  @Test
  void commandsWaitForAServerThatIsAway() {
    server.stop();
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(row(null, 7, null, 1, null));
      Drain.until("it is said", () -> isReported("WARNING", "unit 1 takes no commands"));
      assertThat(feed.flush()).isFalse();
      server.start();
      feed.flushAll();
    }
    assertThat(server.get(12)).isEqualTo(7);
  }

  // A write that was not answered may have been done: it is done again.
  @Test
  void aCommandIsWrittenAgainOnANewConnectionWhenTheOldOneIsHalfOpen() {
    try (Feed feed = Feed.open(sink(Map.of("request-timeout", "150 ms")))) {
      feed.give(row(null, 7, null, 1, null));
      feed.flushAll();
      server.fallSilentOnOpenConnections();
      feed.give(row(null, 8, null, 1, null));
      feed.flushAll();
    }
    assertThat(server.get(12)).isEqualTo(8);
    // Closing is a reset: what the kernel has not sent yet must not come after a newer command.
    Drain.until("the first connection was reset", () -> server.resets() > 0);
  }

  @Test
  void whatWasWrittenBeforeARetryIsNotWrittenAgain() {
    AtomicInteger times = new AtomicInteger();
    server.behave(
        (request, right) ->
            request.function() == 16 && times.incrementAndGet() == 1
                ? FakeServer.exception(request, 6)
                : new FakeServer.Reply(0, right));
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(row(21.5, 7, true, 1, null));
      feed.flushAll();
    }
    assertThat(functions()).containsExactly(5, 1, 16, 16, 3);
  }

  @Test
  void whatIsBusyWhenReadBackIsReadAgainAndNotWrittenAgain() {
    AtomicInteger times = new AtomicInteger();
    server.behave(
        (request, right) ->
            request.function() == 3 && times.incrementAndGet() < 3
                ? FakeServer.exception(request, 6)
                : new FakeServer.Reply(0, right));
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(row(null, 7, null, 1, null));
      feed.flushAll();
    }
    assertThat(functions()).containsExactly(6, 3, 3, 3);
    assertThat(isReported("holding 12 was written; reading it back: exception 6")).isTrue();
  }

  @Test
  void aRegisterThatCanOnlyBeWrittenIsSaidToBeWritten() {
    server.behave(
        (request, right) ->
            request.function() == 3
                ? FakeServer.exception(request, 2)
                : new FakeServer.Reply(0, right));
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(row(null, 7, true, 1, null));
      feed.flushAll();
    }
    assertThat(server.get(12)).isEqualTo(7);
    assertThat(refusals())
        .containsExactly(
            "holding 12 was written; reading it back: exception 2, illegal data address: the device"
                + " has no such register; compare it, and 'addressing', with its manual; written"
                + " before: `running`");
  }

  @Test
  void aRefusalSaysWhatOfTheRowWasWritten() {
    server.behave(
        (request, right) ->
            request.function() == 16
                ? FakeServer.exception(request, 3)
                : new FakeServer.Reply(0, right));
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(row(21.5, 7, true, 1, null));
      feed.flushAll();
    }
    assertThat(refusals())
        .containsExactly(
            "holding 10 to 12 is answered with exception 3, illegal data value: the device does not"
                + " take that value, or so many registers at once; written before: `running`");
  }

  @Test
  void anAnswerThatRepeatsSomethingElseIsNone() {
    server.behave((request, right) -> new FakeServer.Reply(0, new byte[] {6, 0, 12, 0, 8}));
    try (Feed feed = Feed.open(sink(Map.of("sink.max-retries", "1")))) {
      feed.give(row(null, 7, null, 1, null));
      feed.flushAll();
    }
    assertThat(functions()).containsExactly(6, 6);
    assertThat(refusals())
        .containsExactly(
            "holding 12 was written 2 times: the answer repeats address 12 and 8, not 12 and 7");
  }

  private List<Integer> functions() {
    return server.requests().stream().map(FakeServer.Request::function).toList();
  }

  // It was young enough when it was written, and is too old to be written again.
  @Test
  void aCommandThatHasBecomeTooOldIsNotWrittenAgain() {
    TestContext standing = new TestContext(Path.of(""));
    server.behave(
        (request, right) -> {
          if (request.function() == 3) {
            standing.pass(7_200_000);
          }
          return new FakeServer.Reply(
              0, request.function() == 3 ? new byte[] {3, 2, 0, 99} : right);
        });
    try (Feed feed = Feed.open(sink(Map.of("sink.max-age", "1 h"), standing))) {
      feed.give(row(null, 7, null, 1, standing.clock().millis() * 1_000));
      feed.flushAll();
    }
    assertThat(functions()).containsExactly(6, 3);
    assertThat(standing.malformed().getFirst().reason())
        .startsWith("holding 12 was sent, but not confirmed, and is not sent again: ")
        .endsWith("it was given at 2026-01-01T00:00:00Z, longer ago than 'sink.max-age'");
  }

  // Nobody knows whether it was done, and that is what the refusal says.
  @Test
  void aCommandThatWasNotAnsweredInTimeIsSaidToHaveBeenSent() {
    TestContext standing = new TestContext(Path.of(""));
    server.behave(
        (request, right) -> {
          standing.pass(7_200_000);
          return null;
        });
    Map<String, String> options = Map.of("sink.max-age", "1 h", "request-timeout", "150 ms");
    try (Feed feed = Feed.open(sink(options, standing))) {
      feed.give(row(null, 7, null, 1, standing.clock().millis() * 1_000));
      feed.flushAll();
    }
    assertThat(functions()).containsExactly(6);
    assertThat(standing.malformed().getFirst().reason())
        .startsWith("holding 12 was sent, but not confirmed, and is not sent again: ");
  }

  @Test
  void theRequestsOfARowThatComeTooLateAreNotSent() {
    TestContext standing = new TestContext(Path.of(""));
    server.behave(
        (request, right) -> {
          standing.pass(7_200_000);
          return new FakeServer.Reply(0, right);
        });
    Map<String, String> options = Map.of("sink.max-age", "1 h", "sink.read-back", "false");
    try (Feed feed = Feed.open(sink(options, standing))) {
      feed.give(row(null, 7, true, 1, standing.clock().millis() * 1_000));
      feed.flushAll();
    }
    assertThat(functions()).containsExactly(5);
    assertThat(standing.malformed().getFirst().reason()).endsWith("written before: `running`");
  }

  @Test
  void aCommandWithoutATimeIsRefusedWhereItsAgeCounts() {
    try (Feed feed = Feed.open(sink(Map.of("sink.max-age", "1 h")))) {
      feed.give(row(null, 7, null, 1, null));
      feed.flushAll();
    }
    assertThat(refusals())
        .containsExactly(
            "column `given` is NULL, but 'sink.max-age' needs to know when a command was given");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aCommandThatIsTooOldIsNeverWritten() {
    long now = context.clock().millis() * 1_000;
    try (Feed feed = Feed.open(sink(Map.of("sink.max-age", "1 h")))) {
      feed.give(row(null, 7, null, 1, now - 7_200_000_000L));
      feed.give(row(null, 8, null, 2, now));
      feed.flushAll();
    }
    assertThat(refusals())
        .singleElement()
        .asString()
        .startsWith("it was given at ")
        .endsWith(", longer ago than 'sink.max-age'");
    assertThat(server.requests()).allSatisfy(request -> assertThat(request.unit()).isEqualTo(2));
  }

  @Test
  void aRowThatNoRegisterHoldsIsRefusedBeforeAnythingIsSent() {
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(row(null, 70_000, null, 1, null));
      feed.give(row(null, 7, null, 9, null));
      feed.give(row(null, 7, null, null, null));
      feed.flushAll();
    }
    assertThat(refusals())
        .containsExactly(
            "column `mode`: 70000 is 70000 in the register, which uint16 does not hold",
            "the unit is 9, which 'units' does not have",
            "the unit is null, which 'units' does not have");
    assertThat(server.requests()).isEmpty();
  }

  // A task that is cancelled is interrupted: what it leaves behind is said all the same.
  @Test
  void whatIsLeftIsSaidToOneWhoIsInterruptedWhileClosing() {
    server.behave((request, right) -> null);
    Feed feed = Feed.open(sink(Map.of()));
    feed.give(row(null, 7, null, 1, null));
    Thread.currentThread().interrupt();
    feed.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(isReported("WARNING", "1 commands were not written")).isTrue();
  }

  @Test
  void whatCannotBeWrittenAtTheEndIsSaid() {
    server.stop();
    Feed feed = Feed.open(sink(Map.of()));
    feed.give(row(null, 7, null, 1, null));
    feed.close();
    assertThat(isReported("WARNING", "1 commands were not written")).isTrue();
  }

  private static NumberedBatch awaited(AwaitedRow waiting, @Nullable Object... values) {
    return new NumberedBatch(1, row(values), Optional.of(waiting));
  }

  @Test
  void whoWaitsForACommandHearsThatItWasReadBackOrWhyNot() {
    AwaitedRow written = new AwaitedRow();
    AwaitedRow sent = new AwaitedRow();
    AwaitedRow wrong = new AwaitedRow();
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(awaited(written, null, 7, null, 1, null));
      feed.flushAll();
    }
    try (Feed feed = Feed.open(sink(Map.of("sink.read-back", "false")))) {
      feed.give(awaited(sent, null, 7, null, 1, null));
      feed.flushAll();
    }
    try (Feed feed = Feed.open(sink(Map.of()))) {
      feed.give(awaited(wrong, null, 7, null, 9, null));
      feed.flushAll();
    }
    assertThat(written.said()).containsExactly("confirmed");
    assertThat(sent.said()).as("nobody has looked").isEmpty();
    assertThat(wrong.said()).containsExactly("failed: the unit is 9, which 'units' does not have");
  }

  /** The device was busy for longer than the command lived. */
  @Test
  void aCommandWhoseTimeIsOverIsNotWrittenWhenTheDeviceIsBack() {
    AtomicInteger asked = new AtomicInteger();
    AtomicBoolean busy = new AtomicBoolean(true);
    server.behave(
        (request, right) -> {
          boolean refuses = request.function() == 6 && busy.get();
          asked.addAndGet(refuses ? 1 : 0);
          return new FakeServer.Reply(0, refuses ? new byte[] {(byte) 0x86, 6} : right);
        });
    AwaitedRow late = new AwaitedRow();
    AwaitedRow next = new AwaitedRow();
    try (Feed feed = Feed.open(sink(Map.of("sink.max-age", "1 h")))) {
      feed.give(awaited(late, null, 7, null, 1, null));
      while (asked.get() < 2) {
        feed.flush();
        LockSupport.parkNanos(1_000_000);
      }
      late.end();
      feed.flushAll();
      busy.set(false);
      feed.give(new NumberedBatch(2, row(null, 8, null, 1, null), Optional.of(next)));
      feed.flushAll();
    }
    assertThat(late.said()).containsExactly("expired: its time is over");
    assertThat(next.said()).containsExactly("confirmed");
    assertThat(server.get(12)).isEqualTo(8);
  }
}
