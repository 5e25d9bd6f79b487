package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static io.sedge.center.store.TestRows.block;
import static io.sedge.center.store.TestRows.opening;
import static io.sedge.center.store.TestRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job that changes its columns changes the table, or is told why not. */
class SchemaChangeTest extends StoreTestBase {
  SchemaChangeTest(TestDatabase database) {
    super(database);
  }

  private static Schema one(Type type) {
    return Schema.builder().add("v", type).build();
  }

  @Test
  void aNewColumnIsAddedAndAColumnThatIsMissingStaysNull() throws Exception {
    Schema before = Schema.builder().add("a", Type.INT).add("b", Type.INT.notNull()).build();
    Schema after = Schema.builder().add("c", Type.STRING.notNull()).add("a", Type.INT).build();
    long stream = stream("t", before);
    append(stream, block(before, 1, row(1, 2)));
    assertThat(stream("t", after)).isEqualTo(stream);
    append(stream, block(after, 2, row("x", 3)));
    assertThat(ask("SELECT a, b, c FROM t ORDER BY a"))
        .containsExactly(Arrays.asList(1L, 2L, null), Arrays.asList(3L, null, "x"));
    assertThat(said)
        .containsExactly(
            "table t now has the columns (a INT, b INT NOT NULL, c STRING), for job job");
    assertThat(store.tables().getFirst().columns())
        .extracting(TableInfo.Column::type)
        .containsExactly("", "", "", "", "INT", "INT NOT NULL", "STRING");
  }

  @Test
  void aWiderTypeIsMigrated() throws Exception {
    record Change(Type before, Object first, Type after, Object second, String table) {}
    List<Change> changes =
        List.of(
            new Change(Type.INT, 1, Type.BIGINT, 1L << 40, "BIGINT"),
            new Change(Type.BIGINT, 1L << 40, Type.SMALLINT, 1, "BIGINT"),
            new Change(Type.FLOAT, 0.5f, Type.DOUBLE, 0.1, "DOUBLE"),
            new Change(Type.DOUBLE, 0.1, Type.FLOAT, 0.5f, "DOUBLE"),
            new Change(
                Type.decimal(4, 2),
                new BigDecimal("12.34"),
                Type.decimal(4, 3),
                new BigDecimal("1.234"),
                "DECIMAL(5, 3)"),
            new Change(Type.varchar(3), "abc", Type.STRING, "abcdef", "STRING"),
            new Change(Type.timestamp(0), 1_000_000L, Type.timestamp(6), 1L, "TIMESTAMP(6)"),
            new Change(Type.INT.notNull(), 1, Type.INT, null, "INT"),
            new Change(
                Type.array(Type.INT),
                List.of(1),
                Type.array(Type.BIGINT),
                List.of(2L),
                "ARRAY<BIGINT>"));
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      String table = "t" + i;
      long stream =
          store.openStream(SITE, opened("job" + i, "sink", table, one(change.before()))).id();
      append(stream, block(one(change.before()), 1, row(change.first())));
      store.openStream(SITE, opened("job" + i, "sink", table, one(change.after())));
      append(stream, block(one(change.after()), 2, new Object[][] {{change.second()}}));
      assertThat(store.tables().get(i).columns().getLast().type()).isEqualTo(change.table());
      assertThat(count(table)).isEqualTo(2);
    }
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() throws Exception {
    Schema schema =
        Schema.builder()
            .add("k", Type.timestamp(3).notNull())
            .add("d", Type.decimal(38, 2))
            .add("s", Type.STRING)
            .build();
    stream("t", schema, 0);
    record Refusal(Schema schema, List<Integer> key, String message) {}
    List<Refusal> refusals =
        List.of(
            new Refusal(
                schema,
                List.of(),
                "table t has the primary key (k), the job declares no primary key: give the job a"
                    + " table of another name, or the same key"),
            new Refusal(
                schema,
                List.of(0, 2),
                "table t has the primary key (k), the job declares the primary key (k, s): give the"
                    + " job a table of another name, or the same key"),
            new Refusal(
                Schema.builder().add("k", Type.timestamp(3)).add("s", Type.INT).build(),
                List.of(0),
                "column s of table t is STRING, the job declares INT, and no type of the table"
                    + " holds both: CAST it in the job, or give the job a table of another name"),
            new Refusal(
                Schema.builder().add("k", Type.timestamp(6)).build(),
                List.of(0),
                "column k of table t is TIMESTAMP(3) NOT NULL, the job declares TIMESTAMP(6), and"
                    + " no type of the table holds both: CAST it in the job, or give the job a"
                    + " table of another name"),
            new Refusal(
                Schema.builder().add("k", Type.timestamp(3)).add("d", Type.decimal(38, 3)).build(),
                List.of(0),
                "column d of table t is DECIMAL(38, 2), the job declares DECIMAL(38, 3), and no"
                    + " type of the table holds both: CAST it in the job, or give the job a table"
                    + " of another name"),
            new Refusal(
                Schema.builder().add("k", Type.timestamp(3)).add("S", Type.STRING).build(),
                List.of(0),
                "table t has a column s, the job one called S: write it as the table does"));
    for (Refusal refusal : refusals) {
      refusedWith(
              Reason.SCHEMA_REFUSED,
              () ->
                  store.openStream(
                      SITE, opening("t", refusal.schema(), refusal.key().toArray(Integer[]::new))))
          .hasMessage(refusal.message());
    }
  }

  @Test
  void namesThatADatabaseCannotHaveAreRefused() {
    for (String table : List.of("", "a b", "1a", "sedge_site", "SQLITE_x", "pg_class", "x;y")) {
      refusedWith(Reason.MALFORMED, () -> stream(table, one(Type.INT)))
          .hasMessageStartingWith("'%s' is no name for a table of the center".formatted(table));
    }
    for (String column : List.of("_seq", "_SITE", "ctid", "", "x".repeat(64))) {
      refusedWith(
              Reason.SCHEMA_REFUSED,
              () -> stream("t", Schema.builder().add(column, Type.INT).build()))
          .hasMessageStartingWith("column ");
    }
    refusedWith(
            Reason.SCHEMA_REFUSED,
            () -> stream("t", Schema.builder().add("a", Type.INT).add("A", Type.INT).build()))
        .hasMessageContaining("differ in upper and lower case alone");
    refusedWith(Reason.SCHEMA_REFUSED, () -> stream("t", one(Type.NULL)))
        .hasMessageContaining("CAST it");
  }

  @Test
  void columnsMayHaveAnyOtherName() throws Exception {
    Schema schema =
        Schema.builder().add("select \"x\"; --", Type.INT).add("Größe in m²", Type.INT).build();
    long stream = stream("Table", schema, 0);
    append(stream, block(schema, 1, row(1, 2)), block(schema, 2, row(1, 3)));
    assertThat(ask("SELECT \"Größe in m²\" FROM \"Table\"")).containsExactly(List.of(3L));
    refusedWith(Reason.SCHEMA_REFUSED, () -> stream("TABLE", schema, 0));
  }

  /** A stream of another job learns of the change by itself. */
  @Test
  void aTableMayBeWidenedUnderAnotherStream() throws Exception {
    long first = store.openStream(SITE, opened("one", "sink", "t", one(Type.timestamp(0)))).id();
    append(first, block(one(Type.timestamp(0)), 1, row(0L)));
    store.openStream(SITE, opened("two", "sink", "t", one(Type.timestamp(3))));
    append(first, block(one(Type.timestamp(0)), 2, row(1_000_000L)));
    assertThat(count("t")).isEqualTo(2);
  }

  @Test
  void aTableThatSomebodyHasChangedIsSaidAndMendedWhenTheStreamOpens() throws Exception {
    Schema schema = Schema.builder().add("a", Type.INT).add("b", Type.INT).build();
    long stream = stream("t", schema);
    append(stream, block(schema, 1, row(1, 1)));
    execute("ALTER TABLE t DROP COLUMN b");
    refusedWith(Reason.SCHEMA_REFUSED, () -> append(stream, block(schema, 2, row(2, 2))))
        .hasMessageStartingWith("table t does not take the rows of job job, somebody may have");
    assertThat(store.status().available()).isTrue();
    stream("t", schema);
    append(stream, block(schema, 2, row(2, 2)));
    assertThat(ask("SELECT a, b FROM t ORDER BY a"))
        .containsExactly(Arrays.asList(1L, null), Arrays.asList(2L, 2L));

    execute("DROP TABLE t");
    refusedWith(Reason.SCHEMA_REFUSED, () -> append(stream, block(schema, 3, row(3, 3))));
    stream("t", schema);
    append(stream, block(schema, 3, row(3, 3)));
    assertThat(count("t")).isEqualTo(1);
    assertThat(said).contains("table t was gone and was made anew");
  }

  @Test
  void aTableThatTheCenterHasNotMadeIsRefused() throws Exception {
    execute("CREATE TABLE theirs (a INTEGER)");
    refusedWith(Reason.SCHEMA_REFUSED, () -> stream("theirs", one(Type.INT)))
        .hasMessageContaining("that the center has not made");
  }
}
