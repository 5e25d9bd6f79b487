package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static io.sedge.center.store.TestRows.block;
import static io.sedge.center.store.TestRows.row;
import static io.sedge.engine.column.ChangeKind.DELETE;
import static io.sedge.engine.column.ChangeKind.INSERT;
import static io.sedge.engine.column.ChangeKind.UPDATE_AFTER;
import static io.sedge.engine.column.ChangeKind.UPDATE_BEFORE;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of a table with a key replace each other, in the order in which they were sent. */
class KeyedTablesTest extends StoreTestBase {
  private static final Schema STATES =
      Schema.builder()
          .add("machine", Type.STRING.notNull())
          .add("part", Type.INT.notNull())
          .add("state", Type.STRING)
          .build();

  KeyedTablesTest(TestDatabase database) {
    super(database);
  }

  private List<List<Object>> states() throws StoreException {
    return ask("SELECT machine, part, state FROM states ORDER BY 1, 2");
  }

  @Test
  void theLastChangeOfAKeyCounts() throws Exception {
    long stream = stream("states", STATES, 0, 1);
    append(
        stream,
        block(
            STATES,
            1,
            row(INSERT, "a", 1, "off"),
            row(INSERT, "a", 2, "off"),
            row(UPDATE_BEFORE, "a", 1, "off"),
            row(UPDATE_AFTER, "a", 1, "on"),
            row(INSERT, "b", 1, "off"),
            row(DELETE, "b", 1, "off")));
    assertThat(states()).containsExactly(List.of("a", 1L, "on"), List.of("a", 2L, "off"));

    append(
        stream,
        block(
            STATES,
            7,
            row(DELETE, "a", 1, "on"),
            row(INSERT, "a", 1, "new"),
            row(DELETE, "a", 2, "off"),
            row(INSERT, "a", 2, "off"),
            row(DELETE, "a", 2, "off"),
            row(DELETE, "c", 9, "never was")));
    assertThat(states()).containsExactly(List.of("a", 1L, "new"));
  }

  @Test
  void eachSiteHasRowsOfItsOwn() throws Exception {
    store.sites().enrol("south", "ledger-south", "key-south");
    long north = stream("states", STATES, 0, 1);
    long south = store.openStream("south", TestRows.opening("states", STATES, 0, 1)).id();
    append(north, block(STATES, 1, row("a", 1, "north")));
    append("south", south, block(STATES, 1, row("a", 1, "south")));
    append(north, block(STATES, 2, row(DELETE, "a", 1, "north")));
    assertThat(states()).containsExactly(List.of("a", 1L, "south"));
  }

  /** Zero and minus zero are one key for a database, so they are one for the store. */
  @Test
  void keysAreEqualWhereTheDatabaseHoldsThemEqual() throws Exception {
    Schema schema =
        Schema.builder()
            .add("level", Type.DOUBLE.notNull())
            .add("price", Type.decimal(10, 2).notNull())
            .add("at", Type.timestamp(3).notNull())
            .add("n", Type.INT)
            .build();
    long stream = stream("levels", schema, 0, 1, 2);
    append(
        stream,
        block(
            schema,
            1,
            row(0.0, new BigDecimal("1.50"), 1_000L, 1),
            row(-0.0, new BigDecimal("1.50"), 1_999L, 2)));
    assertThat(ask("SELECT n FROM levels")).containsExactly(List.of(2L));
  }

  /** One such row must not stop the stream for ever. */
  @Test
  void aRowWhoseKeyIsNullIsLeftOutAndSaid() throws Exception {
    Schema schema = Schema.builder().add("k", Type.STRING).add("v", Type.INT).build();
    long stream = stream("nulls", schema, 0);
    append(stream, block(schema, 1, row(null, 1), row("a", 2)));
    assertThat(ask("SELECT k, v FROM nulls")).containsExactly(List.of("a", 2L));
    assertThat(store.status().rejectedRows()).isEqualTo(1);
    assertThat(said)
        .containsExactly(
            "left out of table nulls: 1 row of job job at site 'north', as a column of the key"
                + " is NULL");
  }

  @Test
  void aTableWithoutAKeyTakesNoRowsThatReplaceOthers() throws Exception {
    long stream = stream("states", STATES);
    refusedWith(
            Reason.SCHEMA_REFUSED,
            () -> append(stream, block(STATES, 1, row(DELETE, "a", 1, "on"))))
        .hasMessageStartingWith(
            "rows of job job replace others in table states, which has no primary key");
  }
}
