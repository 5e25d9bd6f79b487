package io.sedge.connector.opcua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.opcua.testkit.Drain;
import io.sedge.connector.opcua.testkit.Plant;
import io.sedge.connector.opcua.testkit.PlantServer;
import io.sedge.connector.opcua.testkit.Wire;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.Variant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reads the nodes of a server of Milo, through its misfortunes. */
final class OpcUaSourceTest {
  private static final Schema NODE_AND_VALUE =
      Schema.builder()
          .add("value", Type.DOUBLE)
          .add("node", Type.STRING.notNull())
          .add("status", Type.STRING.notNull())
          .build();

  private final PlantServer server = PlantServer.shared();
  private final TestContext context = TestContext.live(Path.of(""));

  private static Source source(
      String url, TestContext context, String nodes, Map<String, String> more) {
    return source(url, context, NODE_AND_VALUE, Map.of(1, "node", 2, "status"), nodes, more);
  }

  private static Source source(
      String url,
      TestContext context,
      Schema schema,
      Map<Integer, String> metadata,
      String nodes,
      Map<String, String> more) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url", url,
                "nodes", nodes,
                "publishing-interval", "20 ms",
                "reconnect.min-delay", "10 ms",
                "reconnect.max-delay", "50 ms",
                "request-timeout", "2 s",
                "connection-timeout", "2 s"));
    options.putAll(more);
    return new OpcUaConnector()
        .source(Tables.table(schema, metadata, options), context)
        .orElseThrow();
  }

  private void awaitReport(Drain drain, String part) {
    drain.pollUntil(
        part, () -> context.reports().stream().anyMatch(report -> report.contains(part)));
  }

  @Test
  void eachChangeOfAValueIsARowInOrder() {
    server.plant().add("each.a", 0.0);
    String id = server.plant().id("each.a");
    try (SourceReader reader = source(server.url(), context, id, Map.of()).open()) {
      Drain drain = new Drain(reader, context);
      assertThat(drain.next(1)).containsExactly(List.of(0.0, id, "Good"));
      for (int i = 1; i <= 50; i++) {
        server.plant().put("each.a", Plant.value((double) i, i));
      }
      List<List<Object>> expected = new java.util.ArrayList<>();
      for (int i = 1; i <= 50; i++) {
        expected.add(List.of((double) i, id, "Good"));
      }
      assertThat(drain.next(50)).isEqualTo(expected);
      assertThat(reader.counters().readings()).isEqualTo(51);
    }
  }

  @Test
  void patternsAndBrowsePathsFindNodesAndGiveColumns() {
    Plant plant = server.plant();
    plant.add("find.pump1.flow", 1.0);
    plant.add("find.pump2.flow", 2.0);
    plant.add("find.pump1.heat", 3.0);
    plant.add("lookup.tank", 4.0);
    Schema schema =
        Schema.builder()
            .add("machine", Type.STRING)
            .add("value", Type.DOUBLE)
            .add("name", Type.STRING.notNull())
            .build();
    String nodes = plant.id("find.{machine}.flow") + ";/Objects/Plant/lookup.tank";
    try (SourceReader reader =
        source(server.url(), context, schema, Map.of(2, "browse-name"), nodes, Map.of()).open()) {
      String namespace = plant.id("").replaceAll("\\D", "");
      assertThat(new Drain(reader, context).next(3))
          .containsExactlyInAnyOrder(
              List.of("pump1", 1.0, namespace + ":find.pump1.flow"),
              List.of("pump2", 2.0, namespace + ":find.pump2.flow"),
              java.util.Arrays.asList(null, 4.0, namespace + ":lookup.tank"));
    }
  }

  @Test
  void aBadStatusIsNullOrKeptOrDroppedAndSaid() {
    server.plant().add("bad.a", 7.0);
    String id = server.plant().id("bad.a");
    DataValue broken =
        new DataValue(new Variant(8.0), new StatusCode(StatusCodes.Bad_SensorFailure));
    for (String policy : List.of("null", "keep", "drop")) {
      TestContext own = TestContext.live(Path.of(""));
      server.plant().put("bad.a", Plant.value(7.0, 1));
      try (SourceReader reader =
          source(server.url(), own, id, Map.of("bad-values", policy)).open()) {
        Drain drain = new Drain(reader, own);
        drain.next(1);
        server.plant().put("bad.a", broken);
        server.plant().put("bad.a", Plant.value(9.0, 2));
        List<Object> first = drain.next(1).getFirst();
        switch (policy) {
          case "null" ->
              assertThat(first).isEqualTo(java.util.Arrays.asList(null, id, "BadSensorFailure"));
          case "keep" -> assertThat(first).isEqualTo(List.of(8.0, id, "BadSensorFailure"));
          default -> {
            assertThat(first).isEqualTo(List.of(9.0, id, "Good"));
            assertThat(reader.counters().dropped()).isEqualTo(1);
          }
        }
        assertThat(own.reports())
            .anyMatch(report -> report.contains(id + " has a bad status, BadSensorFailure"));
      }
    }
  }

  @Test
  void aNodeThatChangesItsTypeGivesMalformedValuesAndTheJobGoesOn() {
    server.plant().add("type.a", 1.0);
    String id = server.plant().id("type.a");
    try (SourceReader reader = source(server.url(), context, id, Map.of()).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(1);
      server.plant().put("type.a", Plant.value("a text", 1));
      server.plant().put("type.a", Plant.value(2, 2));
      assertThat(drain.next(1)).containsExactly(List.of(2.0, id, "Good"));
      assertThat(reader.counters().malformed()).isEqualTo(1);
      assertThat(context.malformed())
          .singleElement()
          .satisfies(
              one -> {
                assertThat(one.origin()).isEqualTo(id);
                assertThat(one.reason())
                    .isEqualTo("a text is String, which the column cannot hold, as it is DOUBLE");
              });
    }
  }

  @Test
  void aNodeThatIsNotThereIsSaidAndTheOthersGoOn() {
    server.plant().add("there.a", 1.0);
    String there = server.plant().id("there.a");
    String missing = server.plant().id("there.b");
    try (SourceReader reader =
        source(server.url(), context, there + ";" + missing, Map.of()).open()) {
      assertThat(new Drain(reader, context).next(1)).containsExactly(List.of(1.0, there, "Good"));
      assertThat(context.reports())
          .anyMatch(report -> report.contains(missing + " is not watched: BadNodeIdUnknown"));
    }
  }

  @Test
  void aNodeThatVanishesHasABadStatus() {
    server.plant().add("vanish.a", 1.0);
    String id = server.plant().id("vanish.a");
    try (SourceReader reader = source(server.url(), context, id, Map.of()).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(1);
      server.plant().remove("vanish.a");
      assertThat(drain.next(1))
          .containsExactly(java.util.Arrays.asList(null, id, "BadNodeIdUnknown"));
    }
  }

  @Test
  void anOverflowOfTheServersQueueIsSaid() {
    server.plant().add("overflow.a", 0.0);
    String id = server.plant().id("overflow.a");
    Map<String, String> options =
        Map.of("queue-size", "5", "sampling-interval", "50 ms", "publishing-interval", "500 ms");
    try (SourceReader reader = source(server.url(), context, id, options).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(1);
      for (int i = 1; i <= 100; i++) {
        server.plant().put("overflow.a", Plant.value((double) i, i));
      }
      assertThat(drain.nextWhere("the last", row -> Double.valueOf(100).equals(row.getFirst())))
          .isNotNull();
      awaitReport(drain, "the server's queue of " + id + " was full");
      awaitReport(drain, "gives " + id + " a queue that is full before it is sent");
    }
  }

  // The clock of a server is its own: rows have it, and the connector does nothing by it.
  @Test
  void aServerWhoseClockIsADayOffIsReadAsAnyOther() {
    server.plant().add("clock.a", 1.0);
    String id = server.plant().id("clock.a");
    Schema schema =
        Schema.builder().add("value", Type.DOUBLE).add("ts", Type.timestampLtz(3)).build();
    try (SourceReader reader =
        source(server.url(), context, schema, Map.of(1, "source-timestamp"), id, Map.of()).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(1);
      for (long day : new long[] {-1, 1}) {
        server.plant().put("clock.a", Plant.value((double) day, 86_400 * day));
        assertThat(drain.next(1))
            .containsExactly(List.of((double) day, 1_767_225_600_000_000L + day * 86_400_000_000L));
      }
    }
  }

  @Test
  void aConnectionThatIsCutTakesItsSubscriptionAlong() throws Exception {
    server.plant().add("cut.a", 0.0);
    String id = server.plant().id("cut.a");
    try (Wire wire = new Wire(server.port());
        SourceReader reader = source(wire.url(), context, id, Map.of()).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(1);
      wire.refuse(true);
      wire.cut();
      for (int i = 1; i <= 20; i++) {
        server.plant().put("cut.a", Plant.value((double) i, i));
      }
      awaitReport(drain, "gives nothing since");
      wire.refuse(false);
      assertThat(drain.next(20).stream().map(row -> row.getFirst()))
          .as("what the server has kept for the subscription")
          .containsExactly(
              java.util.stream.IntStream.rangeClosed(1, 20)
                  .mapToObj(i -> (Object) (double) i)
                  .toArray());
      awaitReport(drain, "gives values again");
      assertThat(server.plant().watched("cut.a")).isEqualTo(1);
    }
  }

  // The far end is there by TCP, and says nothing.
  @Test
  void aHalfOpenConnectionIsNoticed() throws Exception {
    server.plant().add("half.a", 0.0);
    String id = server.plant().id("half.a");
    try (Wire wire = new Wire(server.port());
        SourceReader reader =
            source(wire.url(), context, id, Map.of("request-timeout", "500 ms")).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(1);
      wire.swallow(true);
      awaitReport(drain, "gives nothing since");
      wire.swallow(false);
      server.plant().put("half.a", Plant.value(1.0, 1));
      assertThat(drain.next(1)).containsExactly(List.of(1.0, id, "Good"));
    }
  }

  @Test
  void twoReadersHaveAllValuesEach() {
    server.plant().add("two.a", 0.0);
    String id = server.plant().id("two.a");
    TestContext other = TestContext.live(Path.of(""));
    try (SourceReader one = source(server.url(), context, id, Map.of()).open();
        SourceReader two = source(server.url(), other, id, Map.of()).open()) {
      Drain first = new Drain(one, context);
      Drain second = new Drain(two, other);
      first.next(1);
      second.next(1);
      server.plant().put("two.a", Plant.value(1.0, 1));
      assertThat(first.next(1)).isEqualTo(second.next(1)).containsExactly(List.of(1.0, id, "Good"));
    }
  }

  @Test
  void whatWasMissedIsReadFromHistoryAndSaidOfNodesWithoutOne() {
    Plant plant = server.plant();
    plant.add("past.a", 0.0);
    plant.keepHistory("past.a");
    plant.add("past.b", 0.0);
    String nodes = plant.id("past.a") + ";" + plant.id("past.b");
    byte[] position;
    try (SourceReader reader = source(server.url(), context, nodes, Map.of()).open()) {
      Drain drain = new Drain(reader, context);
      drain.next(2);
      plant.put("past.a", Plant.value(1.0, 1));
      drain.next(1);
      position = reader.position();
    }
    for (int i = 2; i <= 9; i++) {
      plant.put("past.a", Plant.value((double) i, i));
    }
    try (SourceReader reader = source(server.url(), context, nodes, Map.of()).open()) {
      reader.seek(position);
      Drain drain = new Drain(reader, context);
      plant.put("past.b", Plant.value(5.0, 5));
      List<@Nullable Object> values =
          drain.next(9).stream()
              .filter(row -> plant.id("past.a").equals(row.get(1)))
              .map(row -> row.getFirst())
              .toList();
      assertThat(values).containsExactly(2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
      assertThat(context.reports())
          .anyMatch(report -> report.contains("8 were read from the server's history"))
          .anyMatch(
              report ->
                  report.contains("nothing was read of " + plant.id("past.b"))
                      && report.contains("keeps no past"));
    }
  }

  @Test
  void thePastOfSeveralNodesIsReadTogetherWithoutALoss() {
    Plant plant = server.plant();
    List<String> names = List.of("pasts.a", "pasts.b", "pasts.c");
    for (String name : names) {
      plant.add(name, 0.0);
      plant.keepHistory(name);
      plant.put(name, Plant.value(1.0, 1));
    }
    String nodes = String.join(";", names.stream().map(plant::id).toList());
    byte[] position;
    try (SourceReader reader = source(server.url(), context, nodes, Map.of()).open()) {
      new Drain(reader, context).next(3);
      position = reader.position();
    }
    for (int i = 2; i <= 8; i++) {
      for (String name : names.subList(0, i < 4 ? 3 : 2)) {
        plant.put(name, Plant.value((double) i, i));
      }
    }
    try (SourceReader reader = source(server.url(), context, nodes, Map.of()).open()) {
      reader.seek(position);
      Drain drain = new Drain(reader, context);
      List<List<Object>> rows = drain.next(16);
      for (String name : names) {
        assertThat(
                rows.stream().filter(row -> plant.id(name).equals(row.get(1))).map(List::getFirst))
            .containsExactlyElementsOf(
                java.util.stream.IntStream.rangeClosed(2, name.endsWith("c") ? 3 : 8)
                    .mapToObj(i -> (Object) (double) i)
                    .toList());
      }
      plant.put("pasts.c", Plant.value(9.0, 9));
      assertThat(drain.next(1)).containsExactly(List.of(9.0, plant.id("pasts.c"), "Good"));
    }
  }

  // Each node goes on where it was itself: whoever dies amid a message has rows of some of them.
  @Test
  void nodesWithoutARowYetAreNotTakenForThoseThatHaveOne() {
    Plant plant = server.plant();
    for (String name : List.of("own.a", "own.b", "own.c")) {
      plant.add(name, 0.0);
      plant.put(name, Plant.value(1.0, 100));
    }
    String nodes = plant.id("own.a") + ";" + plant.id("own.b") + ";" + plant.id("own.c");
    byte[] position;
    try (SourceReader reader = source(server.url(), context, plant.id("own.a"), Map.of()).open()) {
      new Drain(reader, context).next(1);
      position = reader.position();
    }
    try (SourceReader reader = source(server.url(), context, nodes, Map.of()).open()) {
      reader.seek(position);
      Drain drain = new Drain(reader, context);
      assertThat(drain.next(2).stream().map(row -> row.get(1)))
          .containsExactlyInAnyOrder(plant.id("own.b"), plant.id("own.c"));
      plant.put("own.b", Plant.value(2.0, 101));
      drain.next(1);
      position = reader.position();
    }
    try (SourceReader reader = source(server.url(), context, nodes, Map.of()).open()) {
      reader.seek(position);
      Drain drain = new Drain(reader, context);
      awaitReport(drain, "nothing was read of");
      plant.put("own.c", Plant.value(3.0, 102));
      assertThat(drain.next(1)).containsExactly(List.of(3.0, plant.id("own.c"), "Good"));
    }
  }

  @Test
  void aClockThatWasAheadAndIsSetBackSilencesNoNode() {
    Plant plant = server.plant();
    plant.add("ahead.a", 0.0);
    plant.keepHistory("ahead.a");
    String id = plant.id("ahead.a");
    plant.put("ahead.a", Plant.value(1.0, 3_153_600_000L));
    byte[] position;
    try (SourceReader reader = source(server.url(), context, id, Map.of()).open()) {
      new Drain(reader, context).next(1);
      position = reader.position();
    }
    plant.put("ahead.a", Plant.value(2.0, 5));
    try (SourceReader reader = source(server.url(), context, id, Map.of()).open()) {
      reader.seek(position);
      Drain drain = new Drain(reader, context);
      assertThat(drain.next(1)).containsExactly(List.of(2.0, id, "Good"));
      plant.put("ahead.a", Plant.value(3.0, 6));
      assertThat(drain.next(1)).containsExactly(List.of(3.0, id, "Good"));
      awaitReport(drain, "have times after the server's clock");
    }
  }

  // Death between any two calls: whoever opens the table next has all that comes after the commit.
  @Test
  void aReaderThatDiesBetweenAnyTwoCallsIsFollowedByAnotherWithoutALoss() {
    Plant plant = server.plant();
    plant.add("die.a", 0.0);
    plant.keepHistory("die.a");
    String id = plant.id("die.a");
    byte[] position = {};
    int value = 0;
    List<Object> committed = new java.util.ArrayList<>();
    for (int calls = 0; calls < 4; calls++) {
      try (SourceReader reader = source(server.url(), context, id, Map.of()).open()) {
        if (position.length > 0) {
          reader.seek(position);
        }
        Drain drain = new Drain(reader, context);
        if (calls == 0) {
          committed.addAll(drain.next(1).stream().map(List::getFirst).toList());
          position = reader.position();
        }
        for (int call = 0; call < calls; call++) {
          value++;
          plant.put("die.a", Plant.value((double) value, value));
          if (call % 2 == 0) {
            int missing = value + 1 - committed.size();
            committed.addAll(drain.next(missing).stream().map(List::getFirst).toList());
            position = reader.position();
            reader.acknowledge(position);
          }
        }
      }
    }
    try (SourceReader reader = source(server.url(), context, id, Map.of()).open()) {
      reader.seek(position);
      int missing = value + 1 - committed.size();
      Drain drain = new Drain(reader, context);
      plant.put("die.a", Plant.value(99.0, 99));
      committed.addAll(drain.next(missing + 1).stream().map(List::getFirst).toList());
    }
    List<Object> expected = new java.util.ArrayList<>();
    for (int i = 0; i <= value; i++) {
      expected.add((double) i);
    }
    expected.add(99.0);
    assertThat(committed).isEqualTo(expected);
  }

  @Test
  void aServerThatRestartsIsFoundAgain() {
    try (PlantServer own = new PlantServer()) {
      own.plant().add("restart.a", 1.0);
      String id = own.plant().id("restart.a");
      try (SourceReader reader = source(own.url(), context, id, Map.of()).open()) {
        Drain drain = new Drain(reader, context);
        drain.next(1);
        own.stop();
        awaitReport(drain, "gives nothing since");
        own.startAgain();
        own.plant().add("restart.a", 2.0);
        own.plant().put("restart.a", Plant.value(2.0, 5));
        assertThat(
                drain.nextWhere("the new value", row -> Double.valueOf(2).equals(row.getFirst())))
            .isNotNull();
        assertThat(context.reports())
            .anyMatch(
                report ->
                    report.contains("nothing was read of " + id) && report.contains("no past"));
      }
    }
  }

  @Test
  void shardsAreFoundByLooking() throws InterruptedException {
    server.plant().add("shard.m1.flow", 1.0);
    server.plant().add("shard.m2.flow", 1.0);
    Schema schema = Schema.builder().add("machine", Type.STRING).add("value", Type.DOUBLE).build();
    Source source =
        source(
            server.url(),
            context,
            schema,
            Map.of(),
            server.plant().id("shard.{machine}.flow"),
            Map.of("shard.by", "machine", "shard.values", "*"));
    assertThat(source.division()).isInstanceOf(Division.Undiscovered.class);
    assertThat(source.values()).containsExactly("m1", "m2");
  }

  @Test
  void tenThousandNodesAreWatched() {
    Map<String, String> root = Map.of("browse.root", server.plant().addFolder("many", 10_000));
    try (SourceReader reader =
        source(server.url(), context, server.plant().id("many.*"), root).open()) {
      Drain drain = new Drain(reader, context);
      assertThat(drain.next(10_000).stream().map(List::getFirst).distinct()).hasSize(10_000);
      for (int i = 0; i < 10_000; i++) {
        server.plant().put("many.%d".formatted(i), Plant.value(-1.0 - i, 1));
      }
      assertThat(drain.next(10_000).stream().map(List::getFirst).distinct()).hasSize(10_000);
    }
  }

  @Test
  void aServerThatIsNotThereIsTriedAgainAndAWrongNameIsSaid() {
    try (SourceReader reader =
        source("opc.tcp://127.0.0.1:1", context, "i=2258", Map.of()).open()) {
      awaitReport(new Drain(reader, context), "nothing listens there: look at host and port");
    }
    try (SourceReader reader =
        source("opc.tcp://no.such.host.invalid:4840", context, "i=2258", Map.of()).open()) {
      awaitReport(new Drain(reader, context), "there is no host of that name");
    }
  }

  @Test
  void noNodeThatFitsIsAnError() {
    try (SourceReader reader =
        source(server.url(), context, server.plant().id("nothing.*"), Map.of()).open()) {
      assertThatExceptionOfType(ConnectorException.class)
          .isThrownBy(() -> new Drain(reader, context).next(1))
          .withMessageContaining("no node of the server fits 'nodes'")
          .withMessageContaining("below 'browse.root' = 'i=85'");
    }
  }
}
