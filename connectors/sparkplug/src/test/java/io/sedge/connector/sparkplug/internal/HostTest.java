package io.sedge.connector.sparkplug.internal;

import static io.sedge.connector.sparkplug.testkit.Messages.bdSeq;
import static io.sedge.connector.sparkplug.testkit.Messages.death;
import static io.sedge.connector.sparkplug.testkit.Messages.defined;
import static io.sedge.connector.sparkplug.testkit.Messages.message;
import static io.sedge.connector.sparkplug.testkit.Messages.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.sedge.connector.Reports;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.tahu.protobuf.SparkplugBProto.DataType;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Template;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a host makes of messages, good and bad; without a broker, by a clock that stands. */
final class HostTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Schema SCHEMA =
      Schema.builder()
          .add("name", Type.STRING)
          .add("device", Type.STRING)
          .add("value", Type.DOUBLE)
          .add("text", Type.STRING)
          .add("quality", Type.INT)
          .build();

  @TempDir private Path directory;
  private final List<String> asked = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private @Nullable TestContext context;
  private @Nullable Host host;
  private @Nullable MetricRows rows;
  private long nowNanos;

  private void open(boolean staleRows) {
    TestContext made = new TestContext(directory);
    MetricRows writer =
        new MetricRows(
            SCHEMA,
            List.of(2, 3),
            Map.of(0, SparkplugTables.NAME, 1, SparkplugTables.DEVICE, 4, SparkplugTables.QUALITY),
            name -> true);
    ReadSettings settings =
        new ReadSettings(
            List.of("+"),
            List.of("+"),
            Set.of(),
            Optional.empty(),
            staleRows,
            Optional.of(Duration.ofSeconds(10)),
            10,
            1000,
            1000);
    host =
        new Host(
            settings,
            writer,
            new Rebirths(settings.rebirth(), node -> asked.add(node.descriptor())),
            new Reports("plant", made),
            (topic, metric, reason) -> refused.add(reason));
    context = made;
    rows = writer;
  }

  private Host host() {
    if (host == null) {
      open(false);
    }
    return java.util.Objects.requireNonNull(host);
  }

  private List<String> reports() {
    return java.util.Objects.requireNonNull(context).reports();
  }

  private void take(String topic, byte[] payload) throws MalformedPayloadException {
    host()
        .take(
            NodeTopic.parse("spBv1.0/" + topic).orElseThrow(),
            payload,
            1_767_225_601_000_000L,
            nowNanos);
  }

  /** The rows since the last call, as name, device, value, text and quality. */
  private List<List<@Nullable Object>> rows() {
    List<List<@Nullable Object>> all = new ArrayList<>();
    Batch batch = java.util.Objects.requireNonNull(rows).rows().build();
    for (int row = 0; row < batch.rows(); row++) {
      all.add(batch.row(row));
    }
    return all;
  }

  private static List<@Nullable Object> row(
      String name, @Nullable String device, @Nullable Object value, @Nullable String text, int q) {
    return Arrays.asList(name, device, value, text, q);
  }

  private void born() throws MalformedPayloadException {
    take("g/NBIRTH/n", message(0, bdSeq(3), defined("speed", 1, 10.0), defined("load", 2, 20.0)));
    assertThat(rows())
        .containsExactly(row("speed", null, 10.0, null, 192), row("load", null, 20.0, null, 192));
  }

  @Test
  void valuesAreNamedByTheAliasesOfTheBirth() throws Exception {
    born();
    take("g/DBIRTH/n/press", message(1, defined("force", 7, 1.5)));
    take("g/NDATA/n", message(2, value(2, 21.0)));
    take("g/DDATA/n/press", message(3, value(7, 2.5)));
    assertThat(rows())
        .containsExactly(
            row("force", "press", 1.5, null, 192),
            row("load", null, 21.0, null, 192),
            row("force", "press", 2.5, null, 192));
    assertThat(host().dropped()).isZero();
    assertThat(asked).isEmpty();
    assertThat(reports()).isEmpty();
  }

  // An alias may mean another metric in each session (6.4.6), so nothing is guessed.
  @Test
  void whatComesBeforeABirthIsLeftOutAndTheBirthIsAskedFor() throws Exception {
    take("g/NDATA/n", message(9, value(1, 1.0), value(2, 2.0)));
    take("g/NDATA/n", message(10, value(1, 1.0)));
    assertThat(rows()).isEmpty();
    assertThat(asked).containsExactly("g/n");
    assertThat(host().dropped()).isEqualTo(3);
    born();
    assertThat(reports())
        .containsExactly(
            "WARNING table plant: edge node g/n publishes, but its birth was not seen: its values"
                + " are left out until it is born again, which is asked for",
            "WARNING table plant: edge node g/n is born; 3 values before that are left out");
  }

  @Test
  void aBirthIsAskedForEverMoreRarelyUntilItComes() throws Exception {
    int[] requests = new int[60];
    for (int second = 0; second < 600; second++) {
      nowNanos = second * SECOND;
      take("g/NDATA/n", message(second & 0xFF, value(1, 1.0)));
      requests[second / 10] = asked.size();
    }
    assertThat(requests[0]).isOne();
    // At 0, 10, 30, 70, 150, 310 s; the next is at 630 s.
    assertThat(requests[59]).isEqualTo(6);
    born();
    take("g/NDATA/n", message(5, value(1, 1.0)));
    assertThat(asked).hasSize(7);
  }

  @Test
  void requestsToManyEdgeNodesAreSpreadOverSeconds() throws Exception {
    for (int i = 0; i < 50; i++) {
      take("g/NDATA/n" + i, message(0, value(1, 1.0)));
    }
    assertThat(asked).hasSize(Rebirths.PER_SECOND);
  }

  @Test
  void theSequenceGoesFrom255To0() throws Exception {
    born();
    for (int i = 1; i <= 600; i++) {
      take("g/NDATA/n", message(i & 0xFF, value(1, i)));
    }
    assertThat(rows()).hasSize(600);
    assertThat(host().dropped()).isZero();
    assertThat(reports()).isEmpty();
  }

  @Test
  void aGapIsSaidWithItsTimesAndCountedAndValuesGoOn() throws Exception {
    born();
    take("g/NDATA/n", message(1, value(1, 11.0)));
    take("g/NDATA/n", message(4, value(1, 14.0)));
    take("g/NDATA/n", message(5, value(1, 15.0)));
    assertThat(rows()).hasSize(3);
    assertThat(host().dropped()).isEqualTo(2);
    assertThat(asked).containsExactly("g/n");
    assertThat(reports())
        .containsExactly(
            "WARNING table plant: of edge node g/n 2 messages or more are missing between"
                + " 2026-01-01T00:00:01Z and 2026-01-01T00:00:01Z: the sequence goes from 1 to 4;"
                + " a rebirth is asked for");
  }

  @Test
  void aRebirthBeginsTheSequenceAnewAndMayGiveAliasesAnotherMeaning() throws Exception {
    born();
    take("g/NDATA/n", message(9, value(1, 11.0)));
    take("g/NBIRTH/n", message(0, bdSeq(3), defined("load", 1, 5.0), defined("speed", 2, 6.0)));
    take("g/NDATA/n", message(1, value(1, 7.0)));
    assertThat(rows().getLast()).isEqualTo(row("load", null, 7.0, null, 192));
    assertThat(reports()).hasSize(1);
  }

  // A broker says an edge node's death when it has long connected anew (6.4.19).
  @Test
  void theDeathOfAnOlderSessionIsIgnored() throws Exception {
    born();
    take("g/NBIRTH/n", message(0, bdSeq(4), defined("speed", 1, 1.0)));
    take("g/NDEATH/n", death(3));
    take("g/NDATA/n", message(1, value(1, 2.0)));
    assertThat(rows()).hasSize(2);
    assertThat(reports())
        .containsExactly(
            "WARNING table plant: the death of session 3 of edge node g/n is ignored: its session"
                + " is 4");
    take("g/NDEATH/n", death(4));
    assertThat(reports()).contains("WARNING table plant: edge node g/n has died");
    assertThat(host().alive()).isEmpty();
  }

  @Test
  void afterADeathNothingIsTakenUntilTheNextBirth() throws Exception {
    born();
    take("g/NDEATH/n", death(3));
    take("g/NDATA/n", message(1, value(1, 2.0)));
    assertThat(rows()).isEmpty();
    assertThat(host().dropped()).isOne();
  }

  // 5.9: a host marks all metrics of what has died as stale.
  @Test
  void whatDiesGivesStaleRowsWhereTheyAreWanted() throws Exception {
    open(true);
    born();
    take("g/DBIRTH/n/press", message(1, defined("force", 7, 1.5)));
    take("g/DBIRTH/n/mill", message(2, defined("force", 8, 2.5)));
    assertThat(rows()).hasSize(2);
    take("g/DDEATH/n/press", message(3));
    assertThat(rows()).containsExactly(row("force", "press", null, null, 500));
    take("g/NDEATH/n", death(3));
    assertThat(rows())
        .containsExactlyInAnyOrder(
            row("speed", null, null, null, 500),
            row("load", null, null, null, 500),
            row("force", "mill", null, null, 500));
  }

  @Test
  void aDeviceWhoseBirthIsMissingIsAskedForThroughItsEdgeNode() throws Exception {
    born();
    take("g/DDATA/n/press", message(1, value(7, 2.5)));
    assertThat(rows()).isEmpty();
    assertThat(asked).containsExactly("g/n");
    assertThat(host().dropped()).isOne();
  }

  @Test
  void anAliasThatNoBirthHasIsLeftOutAndTheOthersAreTaken() throws Exception {
    born();
    take("g/NDATA/n", message(1, value(99, 1.0), value(1, 2.0)));
    assertThat(rows()).containsExactly(row("speed", null, 2.0, null, 192));
    assertThat(host().dropped()).isOne();
    assertThat(asked).containsExactly("g/n");
  }

  @Test
  void anAliasOfTwoMetricsSaysNothing() throws Exception {
    take(
        "g/NBIRTH/n",
        message(0, bdSeq(0), defined("a", 1, 1.0), defined("b", 1, 2.0), defined("c", 2, 3.0)));
    take("g/NDATA/n", message(1, value(1, 4.0), value(2, 5.0)));
    assertThat(rows()).hasSize(4).last().isEqualTo(row("c", null, 5.0, null, 192));
    assertThat(reports())
        .first()
        .asString()
        .contains("the NBIRTH of g/n has 1 aliases that two metrics have");
  }

  @Test
  void aMetricMayHaveAnotherTypeAfterABirth() throws Exception {
    born();
    Metric text =
        Metric.newBuilder()
            .setName("speed")
            .setAlias(1)
            .setDatatype(DataType.String_VALUE)
            .setStringValue("fast")
            .build();
    take("g/NBIRTH/n", message(0, bdSeq(3), text));
    take("g/NDATA/n", message(1, Metric.newBuilder().setAlias(1).setStringValue("slow").build()));
    assertThat(rows())
        .containsExactly(
            row("speed", null, null, "fast", 192), row("speed", null, null, "slow", 192));
    assertThat(refused).isEmpty();
  }

  @Test
  void aValueOfAnotherTypeThanItsBirthIsMalformedAndTheOthersAreTaken() throws Exception {
    born();
    take(
        "g/NDATA/n",
        message(1, Metric.newBuilder().setAlias(1).setStringValue("fast").build(), value(2, 1.0)));
    assertThat(rows()).hasSize(1);
    assertThat(refused)
        .containsExactly("metric 'speed': it is of type Double but has a STRING_VALUE");
  }

  @Test
  void templatesAreRefusedWithAWordAndTheOthersAreTaken() throws Exception {
    Metric template =
        Metric.newBuilder()
            .setName("axis")
            .setDatatype(DataType.Template_VALUE)
            .setTemplateValue(Template.newBuilder().setIsDefinition(false))
            .build();
    take("g/NBIRTH/n", message(0, template, defined("speed", 1, 1.0)));
    assertThat(rows()).hasSize(1);
    assertThat(refused)
        .containsExactly(
            "metric 'axis': it is a Template, which cannot be read; leave it out by 'metrics'");
  }

  @Test
  void hostilePayloadsAreMalformedAndHarmNobody() throws Exception {
    born();
    byte[] garbage = new byte[1000];
    Arrays.fill(garbage, (byte) 0xFF);
    assertMalformed(garbage, "it is no Sparkplug B payload");
    assertMalformed(new byte[] {0x12, 0x7F}, "it is no Sparkplug B payload");
    assertMalformed(deep(), "it is no Sparkplug B payload");
    byte[] many = new byte[400_000];
    for (int i = 0; i < many.length; i += 2) {
      many[i] = 0x12;
    }
    assertMalformed(many, "the payload has more than 65536 metrics");
    assertMalformed(
        Payload.newBuilder().setSeq(256).build().toByteArray(),
        "the sequence number 256 is not in 0 to 255");
    assertMalformed(
        Payload.newBuilder().setUuid("SPBV1.0_COMPRESSED").build().toByteArray(),
        "the payload is compressed");
    take("g/NDATA/n", message(1, value(1, 2.0)));
    assertThat(rows()).hasSize(1);
    assertThat(host().dropped()).isZero();
  }

  /** Templates in templates, deeper than any plant has them. */
  private static byte[] deep() {
    ByteString inner = ByteString.EMPTY;
    for (int i = 0; i < 400; i++) {
      // Metric.template_value is field 18, Template.metrics field 2.
      inner = field(18, field(2, inner));
    }
    return field(2, inner).toByteArray();
  }

  private static ByteString field(int number, ByteString content) {
    ByteString.Output out = ByteString.newOutput();
    varint(out, number << 3 | 2);
    varint(out, content.size());
    return out.toByteString().concat(content);
  }

  private static void varint(ByteString.Output out, int value) {
    int rest = value;
    while (rest > 0x7F) {
      out.write((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }

  private void assertMalformed(byte[] payload, String message) {
    assertThatExceptionOfType(MalformedPayloadException.class)
        .isThrownBy(() -> take("g/NDATA/n", payload))
        .withMessageContaining(message);
  }

  @Test
  void edgeNodesWithoutEndFindABound() throws Exception {
    byte[] birth = message(0, bdSeq(0), defined("x".repeat(10_000), 1, 1.0));
    int count = 0;
    try {
      while (count < 100_000) {
        take("g/NBIRTH/n" + count, birth);
        var _ = rows();
        count++;
      }
    } catch (MalformedPayloadException e) {
      assertThat(e).hasMessageContaining("more edge nodes and metrics than 64 MB hold");
    }
    assertThat(count).isBetween(1_000, 10_000);
    take("g/NDATA/n0", message(1, value(1, 2.0)));
    assertThat(rows()).hasSize(1);
  }

  @Test
  void theMetricsOfTheProtocolHaveNoRows() throws Exception {
    take(
        "g/NBIRTH/n",
        message(
            0,
            bdSeq(0),
            Metric.newBuilder()
                .setName("Node Control/Rebirth")
                .setDatatype(DataType.Boolean_VALUE)
                .setBooleanValue(false)
                .build()));
    assertThat(rows()).isEmpty();
  }

  @Test
  void theLossOfTheConnectionForgetsAliasesAndAsksForBirths() throws Exception {
    born();
    host().lost();
    host().subscribed(List.of("g/other"), nowNanos);
    assertThat(asked).containsExactlyInAnyOrder("g/n", "g/other");
    take("g/NDATA/n", message(1, value(1, 2.0)));
    assertThat(rows()).isEmpty();
    assertThat(host().dropped()).isOne();
  }
}
