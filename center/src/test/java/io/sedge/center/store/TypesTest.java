package io.sedge.center.store;

import static io.sedge.center.store.TestRows.block;
import static io.sedge.center.store.TestRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each type is stored as, and what no database can hold. */
class TypesTest extends StoreTestBase {
  TypesTest(TestDatabase database) {
    super(database);
  }

  private record Case(Type type, Object value, Object sqlite, Object postgres) {
    Case(Type type, Object value, Object both) {
      this(type, value, both, both);
    }
  }

  private static final List<Case> CASES =
      List.of(
          new Case(Type.BOOLEAN, true, 1L, true),
          new Case(Type.TINYINT, -128, -128L),
          new Case(Type.SMALLINT, 32_767, 32_767L),
          new Case(Type.INT, Integer.MIN_VALUE, (long) Integer.MIN_VALUE),
          new Case(Type.BIGINT, Long.MAX_VALUE, Long.MAX_VALUE),
          new Case(Type.FLOAT, 0.5f, 0.5),
          new Case(Type.DOUBLE, 1.0e300, 1.0e300),
          new Case(
              Type.decimal(10, 2),
              new BigDecimal("12345678.90"),
              12345678.9,
              new BigDecimal("12345678.90")),
          new Case(Type.character(2), "ab", "ab"),
          new Case(Type.varchar(10), "Größe 'x' \"y\" 🏭", "Größe 'x' \"y\" 🏭"),
          new Case(Type.STRING, "", ""),
          new Case(Type.DATE, 20_000, "2024-10-04"),
          new Case(Type.time(0), 45_296_000, "12:34:56"),
          new Case(Type.time(3), 45_296_789, "12:34:56.789"),
          new Case(Type.timestamp(0), 1_700_000_000_000_000L, "2023-11-14 22:13:20"),
          new Case(Type.timestamp(6), 1_700_000_000_123_456L, "2023-11-14 22:13:20.123456"),
          new Case(Type.timestamp(3), -1L, "1969-12-31 23:59:59.999"),
          new Case(
              Type.timestampLtz(3),
              1_700_000_000_123_000L,
              "2023-11-14 22:13:20.123",
              "2023-11-14 22:13:20.123+00"),
          new Case(Type.intervalDayTime(), 90_000_000L, 90_000_000L),
          new Case(Type.intervalYearMonth(), 14, 14L),
          new Case(Type.array(Type.INT), Arrays.asList(1, null, 3), "[1,null,3]", "[1, null, 3]"),
          new Case(
              Type.row(List.of("a", "at"), List.of(Type.STRING, Type.timestamp(0))),
              List.of("x\0", 0L),
              "{\"a\":\"x\ufffd\",\"at\":\"1970-01-01 00:00:00\"}",
              "{\"a\": \"x\ufffd\", \"at\": \"1970-01-01 00:00:00\"}"));

  @Test
  void eachTypeIsStoredAndReadBack() throws Exception {
    Schema.Builder schema = Schema.builder();
    for (int i = 0; i < CASES.size(); i++) {
      schema.add("c" + i, CASES.get(i).type());
    }
    Schema built = schema.build();
    long stream = stream("types", built);
    append(
        stream,
        block(built, 1, CASES.stream().map(Case::value).toArray(), new Object[CASES.size()]));
    List<List<Object>> rows =
        ask("SELECT %s FROM types ORDER BY _seq".formatted(String.join(", ", built.names())));
    for (int i = 0; i < CASES.size(); i++) {
      Case each = CASES.get(i);
      assertThat(rows.getFirst().get(i))
          .as(each.type().toString())
          .isEqualTo(database == TestDatabase.SQLITE ? each.sqlite() : each.postgres());
      assertThat(rows.getLast().get(i)).as(each.type().toString()).isNull();
    }
  }

  @Test
  void whatNoDatabaseHoldsIsStoredAsTheNearestAndCounted() throws Exception {
    Schema schema =
        Schema.builder()
            .add("s", Type.STRING)
            .add("t", Type.timestamp(3))
            .add("d", Type.DATE)
            .build();
    long stream = stream("odd", schema);
    append(
        stream,
        block(
            schema,
            1,
            row("a\0b", Long.MAX_VALUE, Integer.MAX_VALUE),
            row("\0", Long.MIN_VALUE, Integer.MIN_VALUE)));
    assertThat(ask("SELECT s, t, d FROM odd ORDER BY _seq"))
        .containsExactly(
            List.of("a\ufffdb", "9999-12-31 23:59:59.999", "9999-12-31"),
            List.of("\ufffd", "0001-01-01 00:00:00.000".replace(".000", suffix()), "0001-01-01"));
    assertThat(store.status().repairedValues()).isEqualTo(6);
  }

  /** PostgreSQL leaves zeros at the end of a fraction out. */
  private String suffix() {
    return database == TestDatabase.SQLITE ? ".000" : "";
  }

  @Test
  void numbersThatAreNoneAreStored() throws Exception {
    Schema schema = Schema.builder().add("v", Type.DOUBLE).add("f", Type.FLOAT).build();
    long stream = stream("odd", schema);
    append(
        stream,
        block(
            schema,
            1,
            row(Double.NaN, Float.NaN),
            row(Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY)));
    List<Object> nan =
        database == TestDatabase.SQLITE
            ? Arrays.asList(null, null)
            : List.of(Double.NaN, Double.NaN);
    assertThat(ask("SELECT v, f FROM odd ORDER BY _seq"))
        .containsExactly(nan, List.of(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
  }

  @Test
  void aDecimalThatSqliteRoundsIsSaid() throws Exception {
    stream("money", Schema.builder().add("total", Type.decimal(38, 2)).build());
    if (database == TestDatabase.SQLITE) {
      assertThat(said)
          .containsExactly(
              "table money, column total: SQLite keeps 15 digits of a DECIMAL(38, 2); PostgreSQL"
                  + " keeps all");
    } else {
      assertThat(said).isEmpty();
    }
  }
}
