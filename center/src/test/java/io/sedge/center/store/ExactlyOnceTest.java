package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.block;
import static io.sedge.center.store.TestRows.opening;
import static io.sedge.center.store.TestRows.row;
import static io.sedge.center.store.TestRows.windows;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.uplink.RowBlock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows are stored once, and rows of a site that went back not at all. */
class ExactlyOnceTest extends StoreTestBase {
  ExactlyOnceTest(TestDatabase database) {
    super(database);
  }

  @Test
  void aBlockThatComesAgainIsSkipped() throws Exception {
    long stream = stream("windows", WINDOWS);
    assertThat(append(stream, windows(1, 3))).isEqualTo(3);
    assertThat(append(stream, windows(1, 3))).isEqualTo(3);
    assertThat(append(stream, windows(1, 3), windows(4, 2))).isEqualTo(5);
    reopen();
    assertThat(append(stream, windows(4, 2), windows(6, 1))).isEqualTo(6);
    assertThat(ask("SELECT _seq, average FROM windows ORDER BY _seq"))
        .containsExactly(
            List.of(1L, 1.0),
            List.of(2L, 2.0),
            List.of(3L, 3.0),
            List.of(4L, 4.0),
            List.of(5L, 5.0),
            List.of(6L, 6.0));
    assertThat(said).isEmpty();
  }

  /** Rows of other tables have sequences too. */
  @Test
  void sequencesMayHaveGaps() throws Exception {
    long stream = stream("windows", WINDOWS);
    assertThat(append(stream, windows(5, 1), windows(100, 2))).isEqualTo(101);
    assertThat(store.openStream(SITE, opening("windows", WINDOWS)))
        .isEqualTo(new OpenedStream(stream, 101));
    assertThat(count("windows")).isEqualTo(3);
  }

  // A site that drops rows while the center is away, and dies, sends them after all.
  @Test
  void rowsBetweenOthersFindTheirPlaceOnce() throws Exception {
    long stream = stream("windows", WINDOWS);
    append(stream, windows(1, 2), windows(9, 2));
    assertThat(append(stream, windows(4, 2))).isEqualTo(10);
    assertThat(append(stream, windows(4, 2), windows(11, 1))).isEqualTo(11);
    assertThat(ask("SELECT _seq FROM windows ORDER BY _seq"))
        .containsExactly(
            List.of(1L),
            List.of(2L),
            List.of(4L),
            List.of(5L),
            List.of(9L),
            List.of(10L),
            List.of(11L));
    refusedWith(Reason.SEQUENCE_WENT_BACK, () -> append(stream, windows(5, 2)));
  }

  @Test
  void aStreamIsTheSameAfterTheStoreWasOpenedAnew() throws Exception {
    long stream = stream("windows", WINDOWS);
    append(stream, windows(1, 3));
    reopen();
    assertThat(store.openStream(SITE, opening("windows", WINDOWS)))
        .isEqualTo(new OpenedStream(stream, 3));
  }

  /** Two statements of a job may write into one table, each with sequences of its own. */
  @Test
  void streamsOfOneTableDoNotMeet() throws Exception {
    long one = store.openStream(SITE, opened("job", "a", "windows", WINDOWS)).id();
    long other = store.openStream(SITE, opened("job", "b", "windows", WINDOWS)).id();
    append(one, windows(1, 2));
    append(other, windows(1, 2));
    assertThat(count("windows")).isEqualTo(4);
  }

  @Test
  void nothingOfAnAppendIsStoredIfABlockOfItIsRefused() throws Exception {
    long stream = stream("windows", WINDOWS);
    append(stream, windows(1, 3));
    RowBlock other = block(WINDOWS, 1, row(1L, "x", 1.0), row(2L, "x", 2.0), row(3L, "x", 3.0));
    refusedWith(Reason.SEQUENCE_WENT_BACK, () -> append(stream, other, windows(4, 1)));
    assertThat(count("windows")).isEqualTo(3);
  }

  @Test
  void rowsOfASiteThatWentBackAreRefusedUntilAPersonAcceptsThem() throws Exception {
    long stream = stream("windows", WINDOWS);
    append(stream, windows(1, 3), windows(4, 3));
    RowBlock other = block(WINDOWS, 4, row(1L, "x", -1.0), row(2L, "x", -2.0), row(3L, "x", -3.0));

    refusedWith(Reason.SEQUENCE_WENT_BACK, () -> append(stream, other))
        .hasMessageContaining("site 'north' sends rows 4 to 6 of job job")
        .hasMessageContaining("others are stored under these sequences");
    assertThat(said).singleElement().asString().contains("restored from an older state");
    assertThat(store.audit().latest(1).getFirst().what()).isEqualTo("hold");
    assertThat(store.sites().find(SITE).orElseThrow().held()).isPresent();
    refusedWith(Reason.SEQUENCE_WENT_BACK, () -> append(stream, windows(7, 1)));
    refusedWith(
        Reason.SEQUENCE_WENT_BACK, () -> store.openStream(SITE, opening("windows", WINDOWS)));

    assertThat(store.sites().acceptRestored(SITE)).isEqualTo(1);
    assertThat(store.openStream(SITE, opening("windows", WINDOWS)))
        .isEqualTo(new OpenedStream(stream, 0));
    assertThat(append(stream, other)).isEqualTo(6);
    assertThat(append(stream, other)).isEqualTo(6);
    assertThat(ask("SELECT _seq, average FROM windows ORDER BY _seq"))
        .hasSize(9)
        .contains(List.of(4L, 4.0), List.of((1L << 48) + 4, -1.0));
  }

  /** A site need not open its streams anew: those that it knows begin anew too. */
  @Test
  void anOpenStreamBeginsAnewInTheNextGeneration() throws Exception {
    long stream = stream("windows", WINDOWS);
    append(stream, windows(1, 3));
    store.sites().acceptRestored(SITE);
    assertThat(append(stream, windows(1, 2))).isEqualTo(2);
    assertThat(count("windows")).isEqualTo(5);
  }

  @Test
  void aBlockThatOverlapsStoredRowsIsRefused() throws Exception {
    long stream = stream("windows", WINDOWS);
    append(stream, windows(1, 3));
    refusedWith(Reason.SEQUENCE_WENT_BACK, () -> append(stream, windows(3, 3)));
    assertThat(count("windows")).isEqualTo(3);
  }

  @Test
  void aBlockOfAnotherVersionOfTheCodecIsARepetition() throws Exception {
    Schema schema = Schema.builder().add("n", Type.INT).build();
    long stream = stream("numbers", schema);
    append(stream, block(schema, 1, row(7)));
    // Version 1 has row after row: what it does, then its values, each after whether it is NULL.
    byte[] old = {1, 0, 1, 0, 0, 0, 7};
    assertThat(new RowsCodec(schema).decode(1, old).row(0)).isEqualTo(List.of(7));
    assertThat(append(stream, new RowBlock(1, 1, old))).isEqualTo(1);
    assertThat(count("numbers")).isEqualTo(1);
  }

  @Test
  void aStreamBelongsToItsSite() throws Exception {
    store.sites().enrol("south", "ledger-south", "key-south");
    long stream = stream("windows", WINDOWS);
    refusedWith(Reason.UNKNOWN_SITE, () -> append("south", stream, windows(1, 1)))
        .hasMessage("site 'south' has no stream %d: open it anew".formatted(stream));
  }

  @Test
  void rowsOfARevokedSiteAreRefused() throws Exception {
    long stream = stream("windows", WINDOWS);
    store.sites().revoke(SITE);
    refusedWith(Reason.REVOKED, () -> append(stream, windows(1, 1)));
    refusedWith(Reason.REVOKED, () -> store.openStream(SITE, opening("windows", WINDOWS)));
    assertThat(count("windows")).isZero();
  }

  @Test
  void bytesThatAreNoRowsAreRefusedAlone() throws Exception {
    long stream = stream("windows", WINDOWS);
    refusedWith(
            Reason.MALFORMED,
            () -> append(stream, windows(1, 1), new RowBlock(2, 1, new byte[] {2, 0, 9})))
        .hasMessageStartingWith("rows 2 to 2 of job job do not have the columns");
    assertThat(append(stream, windows(1, 1))).isEqualTo(1);
  }
}
