package io.sedge.center.store.internal;

import static io.sedge.center.store.internal.Dialect.quote;

import io.sedge.center.store.StoreException;
import io.sedge.engine.type.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deletes rows that are older than their table keeps them, some thousand at a time, so that no
 * transaction is long.
 *
 * <p>Age is counted from the clock, or from the youngest row if that is older: a clock that runs
 * ahead deletes no row that is not older than another by as much. Any thread, one at a time.
 */
public final class Retention {
  private static final int ROWS_AT_A_TIME = 5_000;
  private static final int ROUNDS = 200;

  private final Database database;
  private final TableList tables;
  private final InstantSource clock;

  public Retention(Database database, TableList tables, InstantSource clock) {
    this.database = database;
    this.tables = tables;
    this.clock = clock;
  }

  public void set(String table, Optional<Duration> keep, String timeColumn) throws StoreException {
    database.change(
        handle -> {
          TableShape shape = tables.shape(handle, table);
          if (keep.isPresent()) {
            TableList.time(shape, timeColumn);
          }
          handle
              .createUpdate(
                  "UPDATE sedge_table SET keep_ms = :keep, retention_column = :column WHERE name ="
                      + " :name")
              .bind("keep", keep.map(Duration::toMillis).orElse(null))
              .bind("column", keep.isPresent() ? timeColumn : null)
              .bind("name", table)
              .execute();
        });
  }

  private record Rule(String table, long keepMs, String column) {}

  /** One bounded pass over all tables; how many rows were deleted. */
  public long pass() throws StoreException {
    List<Rule> rules =
        database.read(
            handle ->
                handle
                    .createQuery(
                        "SELECT name, keep_ms, retention_column FROM sedge_table WHERE keep_ms IS"
                            + " NOT NULL")
                    .map((row, _) -> new Rule(row.getString(1), row.getLong(2), row.getString(3)))
                    .list());
    long deleted = 0;
    for (Rule rule : rules) {
      deleted += pass(rule);
    }
    return deleted;
  }

  private long pass(Rule rule) throws StoreException {
    TableShape shape = database.read(handle -> tables.shape(handle, rule.table()));
    Type type = TableList.time(shape, rule.column());
    Instant youngest = youngest(rule);
    if (youngest == null) {
      return 0;
    }
    Instant now = clock.instant().isBefore(youngest) ? clock.instant() : youngest;
    String before = database.dialect().time(type, now.minusMillis(rule.keepMs()));
    String key = shape.primaryKey().stream().map(Dialect::quote).collect(Collectors.joining(", "));
    String sql =
        "DELETE FROM %1$s WHERE (%2$s) IN (SELECT %2$s FROM %1$s WHERE %3$s < %4$s LIMIT %5$d)"
            .formatted(
                quote(rule.table()),
                key,
                quote(rule.column()),
                database.dialect().timeLiteral(type, before),
                ROWS_AT_A_TIME);
    long deleted = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int gone =
          database.write(
              handle -> {
                int rows = handle.execute(sql);
                if (shape.key().isEmpty()) {
                  handle.execute(
                      "UPDATE sedge_table SET row_count = row_count - ? WHERE name = ?",
                      rows,
                      rule.table());
                }
                return rows;
              });
      deleted += gone;
      if (gone < ROWS_AT_A_TIME) {
        break;
      }
    }
    return deleted;
  }

  private @Nullable Instant youngest(Rule rule) throws StoreException {
    Optional<Long> millis =
        database.read(
            handle ->
                handle
                    .createQuery(
                        "SELECT %s FROM (SELECT max(%s) AS youngest FROM %s) t"
                            .formatted(
                                database.dialect().epochMillis("youngest"),
                                quote(rule.column()),
                                quote(rule.table())))
                    .mapTo(Long.class)
                    .findOne());
    return millis.map(Instant::ofEpochMilli).orElse(null);
  }
}
