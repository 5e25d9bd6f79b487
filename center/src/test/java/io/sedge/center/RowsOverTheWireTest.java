package io.sedge.center;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.StoreOptions;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
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
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows on their way to a center, over TLS, on a link that breaks within a batch of them. */
final class RowsOverTheWireTest {
  private static final Schema SCHEMA = Schema.builder().add("value", Type.BIGINT).build();
  private static final int ROWS = 20;

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init") // Before each test.
  private Center center;

  @BeforeEach
  void start() throws CenterException {
    center =
        Center.start(
            new CenterOptions(
                directory,
                StoreOptions.embedded(directory.resolve("results")),
                "127.0.0.1",
                0,
                0,
                List.of(),
                Duration.ofDays(90),
                Optional.empty(),
                "test"),
            Optional.empty(),
            (job, _) -> {
              throw new AssertionError(job);
            },
            InstantSource.system(),
            _ -> {});
  }

  @AfterEach
  void stop() {
    center.close();
  }

  @Test
  void aBatchThatIsCutHereAndThereIsStoredOnce() throws Exception {
    cutEach(139);
  }

  @Test
  @Tag("long")
  void aBatchThatIsCutAtEachByteIsStoredOnce() throws Exception {
    cutEach(1);
  }

  /**
   * Sends a batch for each place where its connection is cut, on the way to the center and then on
   * the way back, until one comes through; and each again, as a site does that has no answer.
   */
  private void cutEach(int step) throws Exception {
    SiteCredential own = TestEnrolment.of(center, "north");
    long sequence = 0;
    try (CuttingRelay relay = new CuttingRelay(center.siteAddress());
        UplinkClient whole = UplinkClient.of(own)) {
      StreamOpening opening = new StreamOpening("job", "task", "cut", "cut", SCHEMA, List.of());
      long stream = whole.open(opening).id();
      for (LongConsumer way : List.<LongConsumer>of(relay::toCenter, relay::toSite)) {
        relay.toCenter(Long.MAX_VALUE);
        relay.toSite(Long.MAX_VALUE);
        int cuts = 0;
        boolean through = false;
        for (long cut = 0; !through; cut += step) {
          way.accept(cut);
          List<RowBlock> batch = List.of(block(sequence + 1));
          sequence += ROWS;
          through = arrives(relay.through(own), stream, batch);
          cuts += through ? 0 : 1;
          whole.send(stream, batch);
          assertThat(whole.open(opening))
              .as("%d", cut)
              .isEqualTo(new StreamOpened(stream, sequence));
        }
        assertThat(cuts * step).as("bytes of a connection").isGreaterThan(1_000);
      }
    }
    assertThat(stored("count(*)")).isEqualTo(sequence);
    assertThat(stored("count(DISTINCT value)")).isEqualTo(sequence);
    assertThat(stored("sum(value)")).isEqualTo(sequence * (sequence + 1) / 2);
  }

  private static boolean arrives(SiteCredential credential, long stream, List<RowBlock> batch)
      throws Exception {
    try (UplinkClient site = UplinkClient.of(credential)) {
      site.send(stream, batch);
      return true;
    } catch (UplinkException e) {
      assertThat(e.reason()).isIn(Reason.UNREACHABLE, Reason.MALFORMED);
      return false;
    }
  }

  /** The value of a row is its sequence. */
  private static RowBlock block(long first) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (long sequence = first; sequence < first + ROWS; sequence++) {
      builder.addRow(sequence);
    }
    return new RowBlock(first, ROWS, new RowsCodec(SCHEMA).encode(List.of(builder.build())));
  }

  private long stored(String what) throws Exception {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("results/center.db"));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT " + what + " FROM cut")) {
      return result.next() ? result.getLong(1) : -1;
    }
  }
}
