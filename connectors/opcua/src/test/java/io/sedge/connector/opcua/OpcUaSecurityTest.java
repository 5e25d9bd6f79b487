package io.sedge.connector.opcua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.SourceReader;
import io.sedge.connector.opcua.testkit.Drain;
import io.sedge.connector.opcua.testkit.PlantServer;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Period;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections that are signed and encrypted, and those that are refused. */
final class OpcUaSecurityTest {
  private static final Schema SCHEMA = Schema.builder().add("value", Type.DOUBLE).build();
  private static final String SECURE = "Basic256Sha256";

  private final PlantServer server = PlantServer.shared();

  @TempDir private Path directory;

  private SourceReader open(PlantServer at, TestContext context, Map<String, String> more) {
    at.plant().add("secure.a", 1.5);
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url", at.url(),
                "nodes", at.plant().id("secure.a"),
                "publishing-interval", "20 ms",
                "reconnect.min-delay", "10 ms",
                "reconnect.max-delay", "50 ms"));
    options.putAll(more);
    return new OpcUaConnector().source(Tables.table(SCHEMA, options), context).orElseThrow().open();
  }

  private TestContext context() {
    return TestContext.live(directory);
  }

  private static String fingerprint(X509Certificate certificate) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
  }

  private void assertRefused(PlantServer at, Map<String, String> options, String... parts) {
    TestContext context = context();
    try (SourceReader reader = open(at, context, options)) {
      var thrown =
          assertThatExceptionOfType(ConnectorException.class)
              .isThrownBy(() -> new Drain(reader, context).next(1));
      for (String part : parts) {
        thrown.withMessageContaining(part);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Basic256Sha256, sign",
    "Basic256Sha256, sign-and-encrypt",
    "Aes128_Sha256_RsaOaep, sign-and-encrypt",
    "Aes256_Sha256_RsaPss, sign-and-encrypt"
  })
  void valuesComeOverEachPolicy(String policy, String mode) throws Exception {
    TestContext context = context();
    Map<String, String> options =
        Map.of(
            "security-policy",
            policy,
            "security-mode",
            mode,
            "server.fingerprint",
            fingerprint(server.certificate()),
            "username",
            "operator",
            "password",
            "secret");
    try (SourceReader reader = open(server, context, options)) {
      assertThat(new Drain(reader, context).next(1)).containsExactly(List.of(1.5));
    }
    Path file = directory.resolve(".sedge/opc-ua/client.pem");
    assertThat(context.reports())
        .singleElement()
        .asString()
        .contains("made this device's certificate for OPC UA: thumbprint ", file.toString());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void theFirstContactTellsTheFingerprintAndWhatToWrite() throws Exception {
    assertRefused(
        server,
        Map.of("security-policy", SECURE),
        "the server's certificate is not trusted: ",
        "CN=plant, SHA-256 fingerprint ",
        "write 'server.fingerprint' = '%s'".formatted(fingerprint(server.certificate())));
  }

  @Test
  void aDirectoryOfCertificatesVouchesForServersOfTheRightName() throws IOException {
    Path trusted = Files.createDirectory(directory.resolve("trusted"));
    Map<String, String> options =
        Map.of("security-policy", SECURE, "server.certificates", "trusted");
    assertRefused(server, options, "is not trusted", "or put the certificate into " + trusted);
    put(trusted, server.certificate());
    TestContext context = context();
    try (SourceReader reader = open(server, context, options)) {
      assertThat(new Drain(reader, context).next(1)).hasSize(1);
    }
  }

  private static void put(Path trusted, X509Certificate certificate) throws IOException {
    try {
      Files.write(trusted.resolve("server.der"), certificate.getEncoded());
    } catch (java.security.cert.CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCertificateOfAnotherHostOrTimeIsRefusedUnlessItIsPinned() throws Exception {
    Path trusted = Files.createDirectory(directory.resolve("trusted"));
    Map<String, String> options =
        Map.of("security-policy", SECURE, "server.certificates", "trusted");
    try (PlantServer other =
        new PlantServer(
            PlantServer.Identity.make("192.0.2.1", Period.ofYears(1)), (chain, uri, hosts) -> {})) {
      put(trusted, other.certificate());
      assertRefused(other, options, "is not for the host '127.0.0.1' of 'url', but for 192.0.2.1");
    }
    try (PlantServer old =
        new PlantServer(
            PlantServer.Identity.make("127.0.0.1", Period.ofDays(-1)), (chain, uri, hosts) -> {})) {
      put(trusted, old.certificate());
      assertRefused(old, options, "the server's certificate ended at ", "trust just this one");
      TestContext context = context();
      Map<String, String> pinned =
          Map.of("security-policy", SECURE, "server.fingerprint", fingerprint(old.certificate()));
      try (SourceReader reader = open(old, context, pinned)) {
        assertThat(new Drain(reader, context).next(1)).hasSize(1);
        assertThat(context.reports())
            .anyMatch(report -> report.contains("it is trusted all the same"));
      }
    }
  }

  @Test
  void aServerThatDoesNotTrustUsIsSaidAndTriedAgain() throws Exception {
    try (PlantServer strict =
        new PlantServer(
            PlantServer.Identity.make("127.0.0.1", Period.ofYears(1)),
            (chain, uri, hosts) -> {
              throw new UaException(StatusCodes.Bad_CertificateUntrusted);
            })) {
      TestContext context = context();
      Map<String, String> options =
          Map.of(
              "security-policy", SECURE, "server.fingerprint", fingerprint(strict.certificate()));
      try (SourceReader reader = open(strict, context, options)) {
        new Drain(reader, context)
            .pollUntil(
                "a word about our certificate",
                () ->
                    context.reports().stream()
                        .anyMatch(
                            report ->
                                report.contains("it does not trust this device's certificate")));
      }
    }
  }

  @Test
  void aWrongPasswordEndsTheJobAndIsNotShown() throws Exception {
    Map<String, String> options =
        Map.of(
            "security-policy",
            SECURE,
            "server.fingerprint",
            fingerprint(server.certificate()),
            "username",
            "operator",
            "password",
            "guess");
    TestContext context = context();
    try (SourceReader reader = open(server, context, options)) {
      assertThatExceptionOfType(ConnectorException.class)
          .isThrownBy(() -> new Drain(reader, context).next(1))
          .withMessageContaining("the server does not let user 'operator' in")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("guess"));
      assertThat(context.reports()).noneMatch(report -> report.contains("guess"));
    }
  }

  @Test
  void aWrongPasswordEndsAJobThatWritesToo() throws Exception {
    TestContext context = context();
    server.plant().add("secure.set", 1.0);
    SinkFactory sink =
        new OpcUaConnector()
            .sink(
                Tables.table(
                    SCHEMA,
                    Map.of(
                        "url",
                        server.url(),
                        "nodes",
                        server.plant().id("secure.set"),
                        "security-policy",
                        SECURE,
                        "server.fingerprint",
                        fingerprint(server.certificate()),
                        "username",
                        "operator",
                        "password",
                        "guess")),
                context)
            .orElseThrow();
    try (Feed feed = Feed.open(sink)) {
      feed.give(new BatchBuilder(SCHEMA).addRow(2.0).build());
      assertThatExceptionOfType(ConnectorException.class)
          .isThrownBy(feed::flushAll)
          .withMessageContaining("the server does not let user 'operator' in");
    }
  }
}
