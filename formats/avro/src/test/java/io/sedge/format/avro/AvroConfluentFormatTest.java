package io.sedge.format.avro;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.connector.testkit.Encoded;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.format.avro.testkit.RegistryStub;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a registry over HTTP that answers as Confluent's does, with its faults. */
final class AvroConfluentFormatTest {
  private static final Schema TABLE =
      Schema.builder().add("machine", Type.STRING.notNull()).add("level", Type.DOUBLE).build();

  private static final String MADE =
      "{\"type\":\"record\",\"name\":\"record\",\"namespace\":\"org.apache.flink.avro.generated\","
          + "\"fields\":[{\"name\":\"machine\",\"type\":\"string\"},{\"name\":\"level\",\"type\":"
          + "[\"null\",\"double\"],\"default\":null}]}";

  private static final String OLDER =
      "{\"type\":\"record\",\"name\":\"Reading\",\"fields\":[{\"name\":\"level\",\"type\":\"float\"},"
          + "{\"name\":\"machine\",\"type\":\"string\"}]}";

  @TempDir Path directory;
  private RegistryStub registry;
  private TestContext context;

  @BeforeEach
  void start() throws IOException {
    registry = new RegistryStub();
    context = TestContext.live(directory);
  }

  @AfterEach
  void stop() {
    registry.close();
  }

  private Map<String, String> options(String... more) {
    Map<String, String> options = new HashMap<>();
    options.put("avro-confluent.url", registry.url());
    options.put("avro-confluent.subject", "readings-value");
    for (int i = 0; i < more.length; i += 2) {
      options.put("avro-confluent." + more[i], more[i + 1]);
    }
    return options;
  }

  private RowDecoder decoder(String... more) {
    RowDecoder decoder =
        new AvroConfluentFormat().decoder(TABLE, Payloads.columns(TABLE), options(more));
    decoder.open("readings", context);
    return decoder;
  }

  private RowEncoder encoder(String... more) {
    RowEncoder encoder =
        new AvroConfluentFormat().encoder(TABLE, Payloads.columns(TABLE), options(more));
    encoder.open("readings", context);
    return encoder;
  }

  private static byte[] framed(int id, byte[] record) {
    return ByteBuffer.allocate(5 + record.length).put((byte) 0).putInt(id).put(record).array();
  }

  private static byte[] older(int id) throws IOException {
    return framed(
        id,
        Payloads.written(
            new GenericRecordBuilder(new org.apache.avro.Schema.Parser().parse(OLDER))
                .set("level", 2.5f)
                .set("machine", "press-1")
                .build()));
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    Instant end = Instant.now().plus(Duration.ofSeconds(30));
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(end);
      Thread.sleep(5);
    }
  }

  @Test
  void whatIsWrittenIsRegisteredUnderTheSubjectAndReadByItsNumber()
      throws MalformedPayloadException {
    RowEncoder encoder = encoder();
    byte[] payload = Encoded.row(TABLE, encoder, "press-1", 2.5);
    assertThat(registry.schemas()).containsExactly(MADE);
    assertThat(registry.asked()).containsExactly("POST /subjects/readings-value/versions");
    assertThat(ByteBuffer.wrap(payload).get()).isZero();
    assertThat(ByteBuffer.wrap(payload).getInt(1)).isEqualTo(1);
    RowDecoder decoder = decoder();
    for (int i = 0; i < 3; i++) {
      assertThat(Payloads.decode(TABLE, decoder, payload)).containsExactly("press-1", 2.5);
    }
    assertThat(registry.asked())
        .as("a schema is fetched once")
        .containsExactly("POST /subjects/readings-value/versions", "GET /schemas/ids/1");
  }

  @Test
  void aSchemaThatMustBeThereIsLookedFor() {
    assertThatThrownBy(() -> encoder("auto.register.schemas", "false"))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(
            "table readings: schema registry at %s: the registry has not this schema under the subject 'readings-value': Schema not found; without the number of its schema nothing can be written"
                .formatted(registry.url()));
    registry.add(MADE);
    var _ = encoder("auto.register.schemas", "false");
    assertThat(registry.schemas()).hasSize(1);
  }

  @Test
  void recordsOfSeveralSchemasAreRead() throws IOException, MalformedPayloadException {
    int id = registry.add(OLDER);
    RowDecoder decoder = decoder();
    assertThat(Payloads.decode(TABLE, decoder, older(id))).containsExactly("press-1", 2.5);
    byte[] newer = Encoded.row(TABLE, encoder(), "press-2", null);
    assertThat(Payloads.decode(TABLE, decoder, newer)).containsExactly("press-2", null);
    assertThat(Payloads.decode(TABLE, decoder, older(id))).containsExactly("press-1", 2.5);
  }

  /** A reader that can do something else does not wait: it is told when the schema is there. */
  @Test
  void aSlowRegistryHoldsNobodyUpWhoAsksFirst() throws Exception {
    int id = registry.add(OLDER);
    CountDownLatch late = registry.holdAnswers();
    RowDecoder decoder = decoder();
    byte[] payload = older(id);
    assertThat(decoder.isReady(payload, 0, payload.length)).isFalse();
    assertThat(decoder.isReady(payload, 0, payload.length)).isFalse();
    int before = context.wakeUps();
    late.countDown();
    await("woken up", () -> context.wakeUps() > before);
    assertThat(decoder.isReady(payload, 0, payload.length)).isTrue();
    assertThat(Payloads.decode(TABLE, decoder, payload)).containsExactly("press-1", 2.5);
    assertThat(registry.asked()).as("once").hasSize(1);
  }

  @Test
  void anOutageIsSaidOnceAndNothingIsMalformed() throws Exception {
    int id = registry.add(OLDER);
    registry.fail(1, 503, "{\"error_code\":50003,\"message\":\"no leader\"}");
    RowDecoder decoder = decoder();
    byte[] payload = older(id);
    await("it is back", () -> decoder.isReady(payload, 0, payload.length));
    assertThat(Payloads.decode(TABLE, decoder, payload)).containsExactly("press-1", 2.5);
    assertThat(context.reports())
        .containsExactly(
            "WARNING table readings: schema registry at %s: it answers with 503: no leader; it is tried again"
                .formatted(registry.url()),
            "INFO table readings: schema registry at %s: it works again".formatted(registry.url()));
  }

  @Test
  void aRegistryThatIsDownIsSaidByItsReason() throws Exception {
    String down;
    try (ServerSocket socket = new ServerSocket(0)) {
      down = "http://127.0.0.1:" + socket.getLocalPort();
    }
    RowDecoder decoder = decoder("url", down);
    byte[] payload = older(1);
    assertThat(decoder.isReady(payload, 0, payload.length)).isFalse();
    await("said", () -> !context.reports().isEmpty());
    assertThat(context.reports().getFirst())
        .isEqualTo(
            "WARNING table readings: schema registry at %s: nobody listens there; it is tried again"
                .formatted(down));
    assertThatThrownBy(() -> encoder("url", down))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining(
            "schema registry at %s: nobody listens there; without".formatted(down));
    int id = registry.add(OLDER);
    assertThat(Payloads.decode(TABLE, decoder("url", down + "," + registry.url()), older(id)))
        .as("the second of two")
        .containsExactly("press-1", 2.5);
  }

  @Test
  void whatHasNoSchemaIsMalformed() throws IOException {
    RowDecoder decoder = decoder();
    assertMalformed(decoder, older(77), "the registry has no schema 77: Schema not found");
    assertMalformed(
        decoder,
        "{\"a\":1}".getBytes(UTF_8),
        "it does not begin with a zero byte and the number of a schema; without a registry use"
            + " 'avro'");
    assertMalformed(
        decoder,
        new byte[] {0, 0, 0},
        "it does not begin with a zero byte and the number of a schema; without a registry use"
            + " 'avro'");
    int json = registry.add("{\"type\":\"object\"}", ",\"schemaType\":\"JSON\"");
    assertMalformed(decoder, older(json), "the registry has a schema of JSON, not of Avro");
    int broken = registry.add("{\"type\":\"recor");
    assertThatThrownBy(() -> Payloads.decode(TABLE, decoder, older(broken)))
        .hasMessageStartingWith(
            "schema %d of the registry is no schema of Avro: ".formatted(broken));
    int other =
        registry.add(
            "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"x\",\"type\":\"int\"}]}");
    assertThatThrownBy(() -> Payloads.decode(TABLE, decoder, older(other)))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessageContaining("machine");
  }

  private static void assertMalformed(RowDecoder decoder, byte[] payload, String message) {
    assertThatThrownBy(() -> Payloads.decode(TABLE, decoder, payload))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage(message);
  }

  @Test
  void aSchemaMayUseThoseOfOtherSubjects() throws Exception {
    registry.version(
        "plant-state",
        3,
        "{\"type\":\"enum\",\"name\":\"plant.State\",\"symbols\":[\"OFF\",\"ON\"]}");
    String uses =
        "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"machine\",\"type\":"
            + "\"plant.State\"}]}";
    int id =
        registry.add(
            uses,
            ",\"references\":[{\"name\":\"plant.State\",\"subject\":\"plant-state\",\"version\":3}]");
    assertThat(Payloads.decode(TABLE, decoder(), framed(id, new byte[] {2})))
        .containsExactly("ON", null);
  }

  @Test
  void aSchemaThatTheRegistryDoesNotTakeIsSaid() {
    registry.fail(1, 409, "{\"error_code\":409,\"message\":\"incompatible with version 3\"}");
    assertThatThrownBy(this::encoder)
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("the registry refuses the schema: incompatible with version 3");
  }

  @Test
  void theLoginGoesAlongAndIsInNoMessage() throws Exception {
    registry.demand("Basic bGluZTM6czNjcmV0"); // line3:s3cret
    int id = registry.add(OLDER);
    assertThat(Payloads.decode(TABLE, decoder("basic-auth.user-info", "line3:s3cret"), older(id)))
        .containsExactly("press-1", 2.5);
    RowDecoder wrong = decoder("bearer-auth.token", "t0ken");
    byte[] payload = older(id);
    assertThat(wrong.isReady(payload, 0, payload.length)).isFalse();
    await("said", () -> !context.reports().isEmpty());
    assertThat(context.reports())
        .containsExactly(
            "WARNING table readings: schema registry at %s: it refuses the login (401): Unauthorized; it is tried again"
                .formatted(registry.url()));
  }

  /** It may be of this number alone: records of others must not wait for it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | {\"error_code\":400,\"message\":\"no such id\"} | the registry has no schema 1"
            + " (400): no such id",
        "403 | {\"error_code\":40301,\"message\":\"Denied\"} | the registry has no schema 1 (403):"
            + " Denied",
        "404 | <html>no such page</html> | the registry has no schema 1: status 404",
      })
  void whatIsRefusedForOneNumberIsMalformed(int status, String body, String message)
      throws Exception {
    int id = registry.add(OLDER);
    int next = registry.add(OLDER);
    registry.fail(1, status, body);
    RowDecoder decoder = decoder();
    assertMalformed(decoder, older(id), message);
    assertThat(Payloads.decode(TABLE, decoder, older(next))).containsExactly("press-1", 2.5);
    assertThat(context.reports()).isEmpty();
  }

  @Test
  void anAnswerThatIsTooLargeIsMalformed() throws Exception {
    int id = registry.add(OLDER);
    registry.fail(1, 200, " ".repeat((4 << 20) + 1));
    assertMalformed(decoder(), older(id), "the registry answers with more than 4,194,304 bytes");
  }

  /** The library throws exceptions of other kinds for these. */
  @ParameterizedTest
  @ValueSource(strings = {"7", "\"up\""})
  void aSchemaThatTheLibraryFailsOnIsMalformed(String order) throws Exception {
    int id =
        registry.add(
            "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"machine\",\"type\":\"string\","
                + "\"order\":%s}]}".formatted(order));
    RowDecoder decoder = decoder();
    assertThatThrownBy(() -> Payloads.decode(TABLE, decoder, older(id)))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessageStartingWith("schema 1 of the registry is no schema of Avro: ");
    assertThat(context.reports()).isEmpty();
  }

  @Test
  void whatOneRegistryRefusesAnotherMayHave() throws Exception {
    try (RegistryStub other = new RegistryStub()) {
      int id = registry.add(OLDER);
      RowDecoder decoder = decoder("url", other.url() + "," + registry.url());
      assertThat(Payloads.decode(TABLE, decoder, older(id))).containsExactly("press-1", 2.5);
    }
  }

  @Test
  void aFieldThatMeansSomethingElseIsMalformed() throws Exception {
    Schema table = Schema.builder().add("price", Type.decimal(20, 2)).build();
    int id =
        registry.add(
            "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"price\",\"type\":\"string\"}]}");
    RowDecoder decoder =
        new AvroConfluentFormat().decoder(table, Payloads.columns(table), options());
    decoder.open("readings", context);
    byte[] payload = framed(id, new byte[] {6, '1', '.', '5'});
    assertThatThrownBy(() -> Payloads.decode(table, decoder, payload))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage(
            "schema %d: column `price` is DECIMAL(20, 2), which is not read from string"
                .formatted(id));
  }

  /** Who writes needs a number: a page of something else says nothing of the schema. */
  @Test
  void whatIsNoRegistryTakesNoSchema() {
    registry.fail(1, 404, "<html>no such page</html>");
    assertThatThrownBy(this::encoder).hasMessageContaining("it answers with 404: status 404");
    registry.fail(1, 403, "{\"error_code\":40301,\"message\":\"Denied\"}");
    assertThatThrownBy(this::encoder).hasMessageContaining("it refuses the login (403): Denied");
    registry.fail(1, 200, "{}");
    assertThatThrownBy(this::encoder)
        .hasMessageContaining("its answer has no id; is it a registry of schemas?");
  }

  @Test
  void optionsThatDoNotFitAreSaidAtOnce() {
    assertRefused(
        "'avro-confluent.url' is not of the form http://HOST:PORT or https://HOST:PORT",
        "url",
        "registry:8081");
    assertRefused(
        "'avro-confluent.url' has a login; put it into 'avro-confluent.basic-auth.user-info'",
        "url",
        "http://a:b@registry");
    assertRefused(
        "'avro-confluent.basic-auth.user-info' has no ':' between name and password",
        "basic-auth.user-info",
        "line3");
    assertRefused(
        "'avro-confluent.ssl.keystore.location' needs 'avro-confluent.ssl.keystore.password' too",
        "ssl.keystore.location",
        "own.p12");
    assertRefused(
        "'avro-confluent.basic-auth.user-info' and 'avro-confluent.bearer-auth.token' are both"
            + " there; leave one out",
        "basic-auth.user-info",
        "a:b",
        "bearer-auth.token",
        "t");
    for (String token : List.of("t0ken\n", "t0 ken", "t\u00f6ken")) {
      assertRefused(
          "'avro-confluent.bearer-auth.token' has a blank, an end of line or another character that"
              + " is in no token",
          "bearer-auth.token",
          token);
    }
    assertRefused(
        "option 'avro-confluent.subject' is missing: the subject under which the schema is"
            + " registered",
        "subject",
        "");
    assertThatThrownBy(
            () ->
                new AvroConfluentFormat()
                    .decoder(
                        Schema.builder().add("ts", Type.timestampLtz(3)).build(),
                        List.of(0),
                        options()))
        .hasMessage(
            "column `ts` is TIMESTAMP_LTZ(3): set 'avro-confluent.timestamp_mapping.legacy' ="
                + " 'false'");
  }

  private void assertRefused(String message, String... more) {
    assertThatThrownBy(() -> new AvroConfluentFormat().encoder(TABLE, List.of(0, 1), options(more)))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(message);
  }

  @Test
  void tlsIsSpokenWithTheAuthoritiesOfTheTable() throws Exception {
    KeyStores stores = new KeyStores(directory);
    try (RegistryStub secure = RegistryStub.over(stores.server())) {
      int id = secure.add(OLDER);
      String[][] ways = {
        {"ssl.truststore.location", "trust.p12", "ssl.truststore.password", KeyStores.PASSWORD},
        {"ssl.truststore.location", "authority.pem"},
      };
      for (String[] way : ways) {
        String[] more = Arrays.copyOf(way, way.length + 2);
        more[way.length] = "url";
        more[way.length + 1] = secure.url();
        assertThat(Payloads.decode(TABLE, decoder(more), older(id)))
            .as(way[1])
            .containsExactly("press-1", 2.5);
      }
      assertThatThrownBy(() -> encoder("url", secure.url()))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("TLS fails: ")
          .hasMessageContaining(
              "does 'avro-confluent.ssl.truststore.location' have its authority?");
    }
  }
}
