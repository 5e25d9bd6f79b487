package io.sedge.connector.modbus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What devices, gateways and links do to a table, and what it says of that. */
final class ModbusSourceTest {
  private static final Schema SCHEMA =
      Schema.builder().add("flow", Type.INT).add("level", Type.INT).add("unit", Type.INT).build();

  private final FakeServer server = new FakeServer();
  private final TestContext context = TestContext.live(Path.of(""));

  @AfterEach
  void stop() {
    server.close();
  }

  private Source source(Map<String, String> more) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url", server.url(),
                "units", "1-3",
                "poll-interval", "20 ms",
                "request-timeout", "10 s",
                "reconnect.min-delay", "30 ms",
                "reconnect.max-delay", "60 ms",
                "fields.flow.register", "holding:0",
                "fields.level.register", "holding:4"));
    options.putAll(more);
    return new ModbusConnector()
        .source(Tables.table(SCHEMA, Map.of(2, "unit"), options), context)
        .orElseThrow();
  }

  private boolean isReported(String... parts) {
    return context.reports().stream()
        .anyMatch(report -> List.of(parts).stream().allMatch(report::contains));
  }

  @Test
  void everyUnitGivesARowInEachPollByOneRequest() {
    server.set(0, 7, 0, 0, 0, 9);
    try (SourceReader reader = source(Map.of()).open()) {
      assertThat(new Drain(reader, context).next(6))
          .containsExactly(
              List.of(7, 9, 1),
              List.of(7, 9, 2),
              List.of(7, 9, 3),
              List.of(7, 9, 1),
              List.of(7, 9, 2),
              List.of(7, 9, 3));
    }
    assertThat(server.requests().subList(0, 3))
        .containsExactly(
            new FakeServer.Request(1, 3, 0, 5, 0),
            new FakeServer.Request(2, 3, 0, 5, 0),
            new FakeServer.Request(3, 3, 0, 5, 0));
    // On a busy machine a poll may take longer than its interval, which is said, too.
    assertThat(context.reports())
        .filteredOn(report -> !report.contains("a poll took longer than 'poll-interval'"))
        .singleElement()
        .asString()
        .startsWith("INFO")
        .contains("no past");
  }

  // What nobody may notice is not enough: that it was away is said, with its times.
  @Test
  void aServerThatIsRestartedIsReadOnAndTheGapIsSaid() {
    try (SourceReader reader = source(Map.of()).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(3);
      server.stop();
      Drain.until("it is said", () -> isReported("WARNING", server.name(), "gives nothing since"));
      server.set(0, 42);
      server.start();
      drain.nextWhere("a row after the restart", row -> Integer.valueOf(42).equals(row.getFirst()));
    }
    assertThat(isReported("WARNING", server.name(), "answers again", "polls")).isTrue();
  }

  @Test
  void aServerThatIsAwayAtFirstIsWaitedFor() {
    server.stop();
    try (SourceReader reader = source(Map.of()).open()) {
      Drain.until("it is said", () -> isReported("WARNING", "Connection refused"));
      server.start();
      new Drain(reader, context).next(3);
    }
  }

  // Where a poll is an hour apart, one that is missed is made up as soon as that is possible.
  @Test
  void aPollThatWasMissedIsMadeUpBeforeTheNextIsDue() {
    server.stop();
    try (SourceReader reader =
        source(Map.of("poll-interval", "1 h", "request-timeout", "150 ms")).open()) {
      Drain drain = new Drain(reader, context);
      Drain.until("it is said", () -> isReported("WARNING", "gives nothing since"));
      server.behave(
          (request, right) -> request.unit() == 2 ? null : new FakeServer.Reply(0, right));
      server.start();
      drain.nextWhere("a row of unit 3", row -> Integer.valueOf(3).equals(row.get(2)));
      server.behaveWell();
      drain.nextWhere("a row of unit 2", row -> Integer.valueOf(2).equals(row.get(2)));
    }
    assertThat(server.requests().stream().filter(request -> request.unit() == 1)).hasSize(1);
  }

  // A converter that is plugged in later, or pulled out: the port comes and goes.
  @Test
  void aSerialPortThatIsNotThereIsSaidAndTheOtherConnectionsGoOn() {
    String url = "modbus-rtu:///dev/ttySedgeNone;" + server.url();
    try (SourceReader reader = source(Map.of("url", url)).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(6);
      drain.pollUntil(
          "it is said",
          () ->
              isReported(
                  "WARNING",
                  "/dev/ttySedgeNone gives nothing since",
                  "there is no port /dev/ttySedgeNone on this machine: is its adapter plugged"
                      + " in?"));
      drain.next(6);
    }
  }

  // What was read before a connection is lost is a row now, not after it is made anew.
  @Test
  void rowsThatWereReadBeforeAnOutageAreHandedOver() {
    server.behave(
        (request, right) -> {
          if (request.unit() == 2) {
            server.closeConnections();
            return null;
          }
          return new FakeServer.Reply(0, right);
        });
    try (SourceReader reader =
        source(
                Map.of(
                    "poll-interval", "1 h",
                    "reconnect.min-delay", "1 h",
                    "reconnect.max-delay", "1 h"))
            .open()) {
      assertThat(new Drain(reader, context).next(1))
          .allSatisfy(row -> assertThat(row.get(2)).isEqualTo(1));
    }
    assertThat(isReported("gives nothing since", "the connection was lost")).isTrue();
  }

  // Many controllers close a connection on which nothing was asked for half a minute.
  @Test
  void aConnectionThatIsClosedBetweenPollsIsMadeAnewWithoutAWord() {
    try (SourceReader reader = source(Map.of("poll-interval", "1 s")).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(3);
      server.closeConnections();
      drain.next(3);
    }
    assertThat(context.reports()).singleElement().asString().startsWith("INFO").contains("no past");
  }

  @Test
  void aHostWithoutAnAddressIsSaid() {
    try (SourceReader _ = source(Map.of("url", "modbus-tcp://nowhere.invalid:502")).open()) {
      Drain.until(
          "it is said", () -> isReported("nowhere.invalid:502", "the host's name is unknown"));
    }
  }

  // A link whose far end has gone without a word: only silence tells.
  @Test
  void aConnectionThatIsHalfOpenIsMadeAnew() {
    try (SourceReader reader = source(Map.of("request-timeout", "150 ms")).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(3);
      server.fallSilentOnOpenConnections();
      server.set(0, 42);
      drain.nextWhere(
          "a row on a new connection", row -> Integer.valueOf(42).equals(row.getFirst()));
    }
  }

  @Test
  void anAnswerToAnotherTransactionIsNotTaken() {
    server.behave(
        (request, right) -> {
          server.set(0, 13);
          return new FakeServer.Reply(-1, right);
        });
    try (SourceReader reader = source(Map.of("units", "1", "request-timeout", "150 ms")).open()) {
      Drain.until("it is said", () -> isReported("unit 1", "no answer within 150 ms"));
      server.behaveWell();
      server.set(0, 14);
      Drain drain = new Drain(reader, context);
      assertThat(drain.next(2)).allSatisfy(row -> assertThat(row.getFirst()).isEqualTo(14));
      drain.pollUntil("it answers again", () -> isReported("unit 1 gave nothing from"));
    }
  }

  @Test
  void aSilentUnitCostsTheOthersNothing() {
    server.behave((request, right) -> request.unit() == 2 ? null : new FakeServer.Reply(0, right));
    try (SourceReader reader =
        source(
                Map.of(
                    "request-timeout", "1 s",
                    "reconnect.min-delay", "1 ms",
                    "reconnect.max-delay", "1 ms"))
            .open()) {
      Drain drain = new Drain(reader, context);
      drain.pollUntil("it is asked three times", () -> questions(2).size() >= 3);
      // It is not left alone, so what the others were asked meanwhile was beside it.
      List<Integer> meanwhile =
          server.requests().subList(questions(2).get(1), questions(2).get(2)).stream()
              .map(FakeServer.Request::unit)
              .toList();
      assertThat(meanwhile.stream().filter(unit -> unit == 1).count()).isGreaterThan(3);
      assertThat(meanwhile.stream().filter(unit -> unit == 3).count()).isGreaterThan(3);
      drain.pollUntil("it is said", () -> isReported("WARNING", "unit 2 since", "no answer"));
      server.behaveWell();
      drain.nextWhere("a row of unit 2", row -> Integer.valueOf(2).equals(row.get(2)));
      drain.pollUntil("the gap is said", () -> isReported("unit 2 gave nothing from", "polls"));
    }
  }

  /** Which of the requests were for a unit. */
  private List<Integer> questions(int unit) {
    List<FakeServer.Request> requests = server.requests();
    return IntStream.range(0, requests.size())
        .filter(index -> requests.get(index).unit() == unit)
        .boxed()
        .toList();
  }

  // On a serial bus behind a gateway most units may be without power: the others are found.
  @Test
  void theUnitsThatAnswerAreFoundAmongManyThatDoNot() {
    server.behave((request, right) -> request.unit() == 9 ? new FakeServer.Reply(0, right) : null);
    try (SourceReader reader = source(Map.of("units", "1-9", "request-timeout", "50 ms")).open()) {
      assertThat(new Drain(reader, context).next(3))
          .allSatisfy(row -> assertThat(row.get(2)).isEqualTo(9));
    }
  }

  @Test
  void anExceptionIsSaidWithItsMeaningAndTheOthersGoOn() {
    server.behave(
        (request, right) ->
            request.unit() == 2
                ? FakeServer.exception(request, 4)
                : new FakeServer.Reply(0, right));
    try (SourceReader reader = source(Map.of()).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(6);
      drain.pollUntil(
          "it is said",
          () -> isReported("unit 2 since", "holding 0 to 4", "exception 4, server device failure"));
      server.behaveWell();
      drain.nextWhere("a row of unit 2", row -> Integer.valueOf(2).equals(row.get(2)));
    }
  }

  @Test
  void aUnitThatAGatewayDoesNotHearIsAskedMoreSeldom() {
    server.behave(
        (request, right) ->
            request.unit() == 2
                ? FakeServer.exception(request, 11)
                : new FakeServer.Reply(0, right));
    try (SourceReader reader =
        source(Map.of("reconnect.min-delay", "1 min", "reconnect.max-delay", "1 min")).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(10);
      drain.pollUntil(
          "it is said", () -> isReported("unit 2 since", "the gateway's target does not respond"));
    }
    assertThat(server.requests().stream().filter(request -> request.unit() == 2)).hasSize(1);
  }

  @Test
  void gapsThatADeviceDoesNotLetBeReadAreNotReadOver() {
    server.set(0, 7, 0, 0, 0, 9);
    server.behave(
        (request, right) ->
            request.count() > 1
                ? FakeServer.exception(request, 2)
                : new FakeServer.Reply(0, right));
    try (SourceReader reader = source(Map.of("units", "1")).open()) {
      assertThat(new Drain(reader, context).next(2)).containsOnly(List.of(7, 9, 1));
    }
    assertThat(context.reports().stream().filter(report -> report.contains("not read any more")))
        .singleElement()
        .asString()
        .contains("unit 1 answers holding 0 to 4 with exception 2, illegal data address");
    assertThat(server.requests().subList(0, 3))
        .containsExactly(
            new FakeServer.Request(1, 3, 0, 5, 0),
            new FakeServer.Request(1, 3, 0, 1, 0),
            new FakeServer.Request(1, 3, 4, 1, 0));
  }

  @Test
  void anAnswerOfAWrongLengthIsMalformed() {
    server.behave((request, right) -> new FakeServer.Reply(0, new byte[] {3, 4, 1, 2, 3, 4}));
    try (SourceReader reader = source(Map.of("units", "1")).open()) {
      Drain drain = new Drain(reader, context);
      drain.pollUntil("malformed", () -> reader.counters().malformed() > 0);
      assertThat(context.malformed().getFirst())
          .isEqualTo(
              new TestContext.Malformed(
                  "readings",
                  server.name() + " unit 1, holding 0 to 4",
                  "\u0001\u0002\u0003\u0004",
                  "the answer has 4 bytes, not 10"));
      server.behave((request, right) -> new FakeServer.Reply(0, new byte[] {3, 100, 1}));
      drain.pollUntil(
          "malformed too",
          () ->
              context.malformed().stream()
                  .anyMatch(it -> it.reason().equals("the answer is shorter than it says")));
      server.behaveWell();
      drain.next(1);
    }
  }

  // A gateway that mixes units up: the row would stand under the wrong one.
  @Test
  void anAnswerOfAnotherUnitIsMalformed() {
    server.behave((request, right) -> new FakeServer.Reply(0, 5, right));
    try (SourceReader reader = source(Map.of("units", "1")).open()) {
      Drain drain = new Drain(reader, context);
      drain.pollUntil("malformed", () -> reader.counters().malformed() > 0);
      assertThat(context.malformed().getFirst().reason())
          .isEqualTo("the answer is unit 6's, not unit 1's");
      // What has no units answers as 0 or 255.
      server.behave((request, right) -> new FakeServer.Reply(0, -1, right));
      drain.next(1);
      server.behave((request, right) -> new FakeServer.Reply(0, 254, right));
      drain.next(1);
    }
  }

  @Test
  void severalConnectionsAreReadBesideEachOther() {
    try (FakeServer other = new FakeServer()) {
      other.behave((request, right) -> null);
      try (SourceReader reader = source(Map.of("url", other.url() + ";" + server.url())).open()) {
        new Drain(reader, context).next(30);
      }
      assertThat(other.requests()).isNotEmpty();
    }
  }

  @Test
  void whatWasMissedWhileTheJobWasAwayIsSaidWithItsTimes() {
    try (SourceReader reader = source(Map.of()).open()) {
      // The last row was committed at the beginning of 2020.
      reader.seek(ByteBuffer.allocate(10).putLong(1_577_836_800_000_000L).array());
      new Drain(reader, context).next(1);
    }
    assertThat(isReported("WARNING", "nothing was read from 2020-01-01T00:00:00Z to")).isTrue();
  }

  // A unit that was silent when the job went away has a gap of its own, which began before.
  @Test
  void aUnitThatHadAGapBeforeTheJobWasAwayKeepsItsBeginning() {
    server.behave((request, right) -> new FakeServer.Reply(0, right));
    byte[] position;
    try (SourceReader reader = source(Map.of("request-timeout", "150 ms")).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(3);
      assertThat(reader.position()).hasSize(10);
      server.behave(
          (request, right) -> request.unit() == 2 ? null : new FakeServer.Reply(0, right));
      drain.pollUntil("unit 2 lags behind", () -> reader.position().length > 10);
      position = reader.position();
    }
    server.behaveWell();
    try (SourceReader reader = source(Map.of()).open()) {
      reader.seek(position);
      new Drain(reader, context)
          .nextWhere("a row of unit 2", row -> Integer.valueOf(2).equals(row.get(2)));
    }
    assertThat(isReported(server.name() + " unit 2 gave nothing from", "before the job was away"))
        .isTrue();
  }

  @Test
  void aJobThatDoesNotKeepUpIsSaidAndNothingOfWhatWasReadIsLost() {
    try (SourceReader reader = source(Map.of("units", "1-200", "poll-interval", "1 ms")).open()) {
      Drain.until("it is said", () -> isReported("WARNING", "the job does not keep up"));
      List<Integer> units =
          new Drain(reader, context).next(4_000).stream().map(row -> (Integer) row.get(2)).toList();
      for (int i = 0; i < units.size(); i++) {
        assertThat(units.get(i)).isEqualTo(1 + i % 200);
      }
    }
  }

  @Test
  void noThreadIsLeftWhenAReaderIsClosed() {
    try (SourceReader reader = source(Map.of()).open()) {
      new Drain(reader, context).next(1);
      assertThat(threads()).isEqualTo(1);
    }
    Drain.until("no thread of it is left", () -> threads() == 0);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("sedge-modbus-readings|modbus-.*|channel-fsm.*"))
        .count();
  }
}
