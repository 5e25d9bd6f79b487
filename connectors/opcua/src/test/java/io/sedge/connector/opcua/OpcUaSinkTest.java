package io.sedge.connector.opcua;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.NumberedBatch;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.opcua.testkit.Drain;
import io.sedge.connector.opcua.testkit.Plant;
import io.sedge.connector.opcua.testkit.PlantServer;
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
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UShort;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes to the nodes of a server of Milo. */
final class OpcUaSinkTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("value", Type.DOUBLE)
          .add("node", Type.STRING)
          .add("given", Type.timestampLtz(3))
          .build();

  private final PlantServer server = PlantServer.shared();
  private final TestContext context = TestContext.live(Path.of(""));

  @AfterEach
  void letWritesBe() {
    server.plant().onWrite((node, value) -> null);
  }

  private SinkFactory factory(Map<String, String> more) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url",
                server.url(),
                "nodes",
                server.plant().id("set.*"),
                "reconnect.min-delay",
                "10 ms",
                "reconnect.max-delay",
                "50 ms"));
    options.putAll(more);
    return new OpcUaConnector()
        .sink(Tables.table(SCHEMA, Map.of(1, "node", 2, "source-timestamp"), options), context)
        .orElseThrow();
  }

  private void write(Map<String, String> options, @Nullable Object... row) {
    try (Feed feed = Feed.open(factory(options))) {
      feed.give(new BatchBuilder(SCHEMA).addRow(row).build());
      feed.flushAll();
    }
  }

  private void assertRefused(String reason) {
    assertThat(context.malformed())
        .last()
        .satisfies(one -> assertThat(one.reason()).contains(reason));
  }

  private @Nullable Object last() {
    return server.plant().written().getLast().getValue().value().value();
  }

  @Test
  void valuesAreWrittenInTheTypeOfTheNode() {
    Plant plant = server.plant();
    Map<String, Object> nodes =
        Map.of(
            "set.double",
            0.0,
            "set.float",
            0f,
            "set.int",
            0,
            "set.short",
            (short) 0,
            "set.ushort",
            UShort.valueOf(0));
    nodes.forEach(
        (name, value) -> {
          plant.add(name, value);
          write(Map.of(), 7.0, plant.id(name), null);
          assertThat(last()).isInstanceOf(value.getClass()).hasToString(last() + "");
          assertThat(((Number) java.util.Objects.requireNonNull(last())).intValue()).isEqualTo(7);
        });
    assertThat(context.malformed()).isEmpty();
  }

  @Test
  void whatANodeCannotHoldOrTheServerDoesNotTakeIsRefusedWithTheReason() {
    Plant plant = server.plant();
    plant.add("set.a", (short) 0);
    String node = plant.id("set.a");
    write(Map.of(), 40_000.0, node, null);
    assertRefused("40000.0 is no Short: it is out of range or has a fraction");
    write(Map.of(), 0.5, node, null);
    assertRefused("0.5 is no Short");
    write(Map.of(), 1.0, plant.id("set.nowhere"), null);
    assertRefused("BadNodeIdUnknown: the server has no such node");
    write(Map.of(), 1.0, plant.id("other.a"), null);
    assertRefused("which 'nodes' does not have");
    plant.onWrite((id, value) -> new StatusCode(StatusCodes.Bad_OutOfRange));
    write(Map.of(), 1.0, node, null);
    assertRefused("BadOutOfRange: the server takes no such value");
    assertThat(context.malformed()).hasSize(5);
  }

  @Test
  void whatIsReadBackAsSomethingElseIsRefused() {
    server.plant().add("set.limited", 5.0);
    // The server says that it is good, and keeps what it had.
    server.plant().onWrite((id, value) -> StatusCode.GOOD);
    write(Map.of(), 6.0, server.plant().id("set.limited"), null);
    assertRefused("was written, and is read back as 5.0");
    write(Map.of("sink.read-back", "false"), 6.0, server.plant().id("set.limited"), null);
    assertThat(context.malformed()).hasSize(1);
  }

  @Test
  void whatPassesIsTriedAgainAndSaid() {
    server.plant().add("set.busy", 5.0);
    int[] calls = {0};
    server
        .plant()
        .onWrite(
            (id, value) -> calls[0]++ < 3 ? new StatusCode(StatusCodes.Bad_NotConnected) : null);
    write(Map.of(), 6.0, server.plant().id("set.busy"), null);
    assertThat(last()).isEqualTo(6.0);
    assertThat(context.malformed()).isEmpty();
    assertThat(context.reports())
        .anyMatch(
            report -> report.contains("takes no commands") && report.contains("BadNotConnected"))
        .anyMatch(report -> report.contains("takes commands again"));
  }

  @Test
  void aNodeThatHasAnotherTypeNowIsAskedForItAgain() {
    server.plant().add("set.typed", 5.0);
    int[] calls = {0};
    server
        .plant()
        .onWrite(
            (id, value) -> calls[0]++ == 0 ? new StatusCode(StatusCodes.Bad_TypeMismatch) : null);
    write(Map.of(), 6.0, server.plant().id("set.typed"), null);
    assertThat(last()).isEqualTo(6.0);
    server.plant().onWrite((id, value) -> new StatusCode(StatusCodes.Bad_TypeMismatch));
    write(Map.of(), 7.0, server.plant().id("set.typed"), null);
    assertRefused("BadTypeMismatch: the server wants another type");
  }

  @Test
  void anOldCommandIsNeverWritten() {
    server.plant().add("set.old", 5.0);
    String node = server.plant().id("set.old");
    int before = server.plant().written().size();
    Map<String, String> options = Map.of("sink.max-age", "10 s");
    write(options, 6.0, node, 1_000_000L);
    assertRefused("longer ago than 'sink.max-age'");
    write(options, 6.0, node, null);
    assertRefused("needs to know when a command was given");
    assertThat(server.plant().written()).hasSize(before);
    write(options, 6.0, node, context.clock().millis() * 1_000);
    assertThat(last()).isEqualTo(6.0);
  }

  @Test
  void commandsWaitForAServerThatIsAway() {
    try (PlantServer own = new PlantServer()) {
      own.plant().add("set.a", 0.0);
      Map<String, String> options = Map.of("url", own.url(), "nodes", own.plant().id("set.*"));
      String node = own.plant().id("set.a");
      try (Feed feed = Feed.open(factory(options))) {
        feed.give(new BatchBuilder(SCHEMA).addRow(1.0, node, null).build());
        feed.flushAll();
        own.stop();
        feed.give(new BatchBuilder(SCHEMA).addRow(2.0, node, null).build());
        Drain.until(
            "a word",
            () -> context.reports().stream().anyMatch(r -> r.contains("takes no commands")));
        own.startAgain();
        own.plant().add("set.a", 0.0);
        feed.flushAll();
      }
      assertThat(own.plant().written())
          .last()
          .satisfies(write -> assertThat(write.getValue().value().value()).isEqualTo(2.0));
      assertThat(List.copyOf(context.malformed())).isEmpty();
    }
  }

  private List<String> awaited(AwaitedRow waiting, String node, double value) {
    try (Feed feed = Feed.open(factory(Map.of()))) {
      Batch row = new BatchBuilder(SCHEMA).addRow(value, node, null).build();
      feed.give(new NumberedBatch(1, row, Optional.of(waiting)));
      feed.flushAll();
    }
    return waiting.said();
  }

  @Test
  void whoWaitsForACommandHearsThatItWasReadBackOrWhyNot() {
    Plant plant = server.plant();
    plant.add("set.awaited", (short) 0);
    String node = plant.id("set.awaited");
    assertThat(awaited(new AwaitedRow(), node, 7)).containsExactly("confirmed");
    assertThat(awaited(new AwaitedRow(), node, 0.5)).singleElement().asString().contains("failed");
    int written = plant.written().size();
    AwaitedRow late = new AwaitedRow();
    late.end();
    assertThat(awaited(late, node, 8)).containsExactly("expired: its time is over");
    assertThat(plant.written()).hasSize(written);
  }
}
