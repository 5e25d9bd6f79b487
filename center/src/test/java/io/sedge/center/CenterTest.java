package io.sedge.center;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.center.store.StoreOptions;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.identity.SigningRequest;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.StreamOpened;
import io.sedge.uplink.StreamOpening;
import io.sedge.uplink.UplinkClient;
import io.sedge.uplink.UplinkException;
import io.sedge.uplink.UplinkException.Reason;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites enrol and send rows, over TLS, to a center that stores them. */
final class CenterTest {
  private static final MergeCompiler NO_MERGES =
      (job, _) -> {
        throw new AssertionError("nobody has a job " + job);
      };
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("value", Type.DOUBLE).build();
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init") // Before each test.
  private Center center;

  @BeforeEach
  void start() throws CenterException {
    center =
        Center.start(options(0, 0), Optional.empty(), NO_MERGES, InstantSource.system(), _ -> {});
  }

  @AfterEach
  void stop() {
    center.close();
  }

  private CenterOptions options(int sitePort, int apiPort) {
    return new CenterOptions(
        directory,
        StoreOptions.embedded(directory.resolve("results")),
        "127.0.0.1",
        sitePort,
        apiPort,
        List.of(),
        Duration.ofDays(90),
        Optional.empty(),
        "test");
  }

  private SiteCredential enrol(String token, String name, String ledger) throws Exception {
    return TestEnrolment.of(center, token, name, ledger);
  }

  private SiteCredential enrol(String name) throws Exception {
    return TestEnrolment.of(center, name);
  }

  private static StreamOpening opening() {
    return new StreamOpening("plant", "delivery", "machines", "machines", SCHEMA, List.of());
  }

  private static RowBlock block(long first, int rows) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (long sequence = first; sequence < first + rows; sequence++) {
      builder.addRow("m" + sequence, (double) sequence);
    }
    return new RowBlock(first, rows, new RowsCodec(SCHEMA).encode(List.of(builder.build())));
  }

  private String stored(String what) throws Exception {
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:sqlite:" + directory.resolve("results").resolve("center.db"));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT " + what + " FROM machines")) {
      return result.next() ? String.valueOf(result.getString(1)) : "";
    }
  }

  private static void assertRefused(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            UplinkException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void rowsOfTwoSitesAreStoredOnceEach() throws Exception {
    for (String name : List.of("north", "south")) {
      try (UplinkClient site = UplinkClient.of(enrol(name))) {
        StreamOpened stream = site.open(opening());
        assertThat(stream.sequence()).isZero();
        List<RowBlock> blocks = List.of(block(1, 3), block(7, 2));
        site.send(stream.id(), blocks);
        assertThat(site.open(opening())).isEqualTo(new StreamOpened(stream.id(), 8));
        site.send(stream.id(), blocks); // Once more.
        assertThat(site.open(opening())).isEqualTo(new StreamOpened(stream.id(), 8));
      }
    }
    assertThat(stored("count(*)")).isEqualTo("10");
    assertThat(stored("group_concat(DISTINCT _site)")).isEqualTo("north,south");
  }

  @Test
  void aCenterThatStartsAnewGoesOnWhereItWas() throws Exception {
    SiteCredential credential = enrol("north");
    long id;
    try (UplinkClient site = UplinkClient.of(credential)) {
      id = site.open(opening()).id();
      site.send(id, List.of(block(1, 3)));
      String[] sites = center.siteAddress().split(":", -1);
      String[] api = center.apiAddress().split(":", -1);
      center.close();
      assertRefused(Reason.UNREACHABLE, () -> site.send(id, List.of(block(4, 1))));
      center =
          Center.start(
              options(
                  Integer.parseInt(sites[sites.length - 1]), Integer.parseInt(api[api.length - 1])),
              Optional.empty(),
              NO_MERGES,
              InstantSource.system(),
              _ -> {});
      site.send(id, List.of(block(4, 1)));
      assertThat(site.open(opening())).isEqualTo(new StreamOpened(id, 4));
    }
    assertThat(stored("count(*)")).isEqualTo("4");
  }

  /** What is put back under a center that runs would be lost, or tear its database. */
  @Test
  void nothingIsRestoredIntoADirectoryWhereACenterRuns() {
    assertThatThrownBy(
            () ->
                Center.restore(
                    directory.resolve("b.db"),
                    directory,
                    StoreOptions.embedded(directory.resolve("elsewhere"))))
        .isInstanceOf(CenterException.class)
        .hasMessageContaining("another center runs in it");
    assertThat(directory.resolve("elsewhere")).doesNotExist();
  }

  @Test
  void twoSitesCannotHaveOneNameAndTheTokenIsGoodStill() throws Exception {
    var _ = enrol("north");
    String token = center.siteToken(Optional.empty(), HOUR);
    assertRefused(Reason.NAME_TAKEN, () -> enrol(token, "north", "another ledger"));
    assertThat(enrol(token, "south", "another ledger").site()).isEqualTo("south");
  }

  @Test
  void aTokenLetsOneSiteInAndOnlyTheOneThatItIsFor() throws Exception {
    String token = center.siteToken(Optional.of("north"), HOUR);
    assertRefused(Reason.TOKEN_REFUSED, () -> enrol(token, "south", "a ledger"));
    assertThat(enrol(token, "", "a ledger").site()).isEqualTo("north");
    assertRefused(Reason.TOKEN_REFUSED, () -> enrol(token, "", "another ledger"));
  }

  @Test
  void aSiteWithoutANameIsCalledByItsLedger() throws Exception {
    String token = center.siteToken(Optional.empty(), HOUR);
    assertThat(enrol(token, "", "ca98b042-3954").site()).isEqualTo("site-ca98b042");
  }

  // Who has a certificate of the center may write its own streams and no others'.
  @Test
  void aSiteCannotWriteAnothersStream() throws Exception {
    try (UplinkClient north = UplinkClient.of(enrol("north"));
        UplinkClient south = UplinkClient.of(enrol("south"))) {
      long id = north.open(opening()).id();
      assertRefused(Reason.UNKNOWN_SITE, () -> south.send(id, List.of(block(1, 1))));
    }
    assertThat(stored("count(*)")).isEqualTo("0");
  }

  @Test
  void aCertificateOfAnotherCenterIsRefused() throws Exception {
    SiteCredential own = enrol("north");
    Path elsewhere = directory.resolve("elsewhere");
    CenterOptions options =
        new CenterOptions(
            elsewhere,
            StoreOptions.embedded(elsewhere.resolve("results")),
            "127.0.0.1",
            0,
            0,
            List.of(),
            Duration.ofDays(90),
            Optional.empty(),
            "test");
    try (Center other =
        Center.start(options, Optional.empty(), NO_MERGES, InstantSource.system(), _ -> {})) {
      SiteCredential misled =
          new SiteCredential(
              other.siteAddress(), own.site(), 0, own.certificate(), own.authority(), own.key());
      try (UplinkClient site = UplinkClient.of(misled)) {
        assertRefused(Reason.UNREACHABLE, () -> site.open(opening()));
      }
    }
  }

  @Test
  void aSiteGetsAnotherCertificateForItsKey() throws Exception {
    SiteCredential credential = enrol("north");
    try (UplinkClient site = UplinkClient.of(credential)) {
      SiteCredential renewed =
          credential.renewed(
              site.renew(SigningRequest.create(credential.site(), credential.keys())));
      assertThat(renewed.certificate()).isNotEqualTo(credential.certificate());
      assertRefused(
          Reason.UNKNOWN_SITE,
          () -> site.renew(SigningRequest.create("north", SiteCredential.newKeys())));
    }
  }

  @Test
  void aSecondCenterInOneDirectoryIsRefused() {
    assertThatThrownBy(
            () ->
                Center.start(
                    options(0, 0), Optional.empty(), NO_MERGES, InstantSource.system(), _ -> {}))
        .isInstanceOf(CenterException.class)
        .hasMessageContaining("another center runs in it");
  }

  @Test
  void aPortThatIsTakenIsSaid() {
    String[] parts = center.siteAddress().split(":", -1);
    CenterOptions taken =
        new CenterOptions(
            directory.resolve("b"),
            StoreOptions.embedded(directory.resolve("b")),
            "127.0.0.1",
            Integer.parseInt(parts[1]),
            0,
            List.of(),
            Duration.ofDays(90),
            Optional.empty(),
            "test");
    assertThatThrownBy(
            () -> Center.start(taken, Optional.empty(), NO_MERGES, InstantSource.system(), _ -> {}))
        .isInstanceOf(CenterException.class)
        .hasMessageContaining("cannot listen on 127.0.0.1");
  }
}
