package io.sedge.center.store.internal;

import static io.sedge.center.store.internal.Dialect.quote;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.TableInfo;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** What is known of the tables of results. Any thread. */
public final class TableList {
  /** Rows of a table with a key are counted up to here. */
  private static final int MAX_COUNTED = 1_000_000;

  private final Database database;

  public TableList(Database database) {
    this.database = database;
  }

  private record Stored(
      TableShape shape, long rows, @Nullable Long keepMs, @Nullable String retentionColumn) {}

  public List<TableInfo> all() throws StoreException {
    return database.read(
        handle -> {
          List<TableInfo> infos = new ArrayList<>();
          for (Stored stored :
              handle
                  .createQuery("SELECT * FROM sedge_table ORDER BY name")
                  .map(
                      (row, _) ->
                          new Stored(
                              TableShape.read(row),
                              row.getLong("row_count"),
                              row.getObject("keep_ms") == null ? null : row.getLong("keep_ms"),
                              row.getString("retention_column")))
                  .list()) {
            infos.add(info(handle, stored));
          }
          return infos;
        });
  }

  private TableInfo info(Handle handle, Stored stored) {
    TableShape shape = stored.shape();
    Dialect dialect = database.dialect();
    List<TableInfo.Column> columns = new ArrayList<>();
    for (String own : TableNames.OWN) {
      Type type =
          own.equals(TableNames.SITE) || own.equals(TableNames.JOB) ? Type.STRING : Type.BIGINT;
      columns.add(new TableInfo.Column(own, dialect.sqlType(type), ""));
    }
    for (Schema.Field field : shape.declared().fields()) {
      columns.add(
          new TableInfo.Column(
              field.name(), dialect.sqlType(field.type()), field.type().toString()));
    }
    return new TableInfo(
        shape.name(),
        columns,
        shape.primaryKey(),
        rows(handle, stored),
        dialect.tableBytes(handle, shape.name()),
        Optional.ofNullable(stored.keepMs()).map(Duration::ofMillis),
        Optional.ofNullable(stored.retentionColumn()),
        handle
            .createQuery(
                "SELECT DISTINCT site FROM sedge_stream WHERE result_table = :table ORDER BY site")
            .bind("table", shape.name())
            .mapTo(String.class)
            .list());
  }

  private static long rows(Handle handle, Stored stored) {
    if (stored.shape().key().isEmpty()) {
      return stored.rows();
    }
    return handle
        .createQuery(
            "SELECT count(*) FROM (SELECT 1 FROM %s LIMIT %d) counted"
                .formatted(quote(stored.shape().name()), MAX_COUNTED))
        .mapTo(Long.class)
        .one();
  }

  /** The shape of a table that must be there. */
  TableShape shape(Handle handle, String table) throws StoreException {
    return handle
        .createQuery("SELECT %s FROM sedge_table WHERE name = :name".formatted(TableShape.COLUMNS))
        .bind("name", table)
        .map((row, _) -> TableShape.read(row))
        .findOne()
        .orElseThrow(
            () ->
                new StoreException(
                    Reason.UNKNOWN_TABLE, "the center has no table '%s'".formatted(table)));
  }

  /** The type of a column that must be there. */
  static Type type(TableShape shape, String column) throws StoreException {
    int at = shape.declared().indexOf(column);
    if (at >= 0) {
      return shape.declared().type(at);
    }
    return switch (column) {
      case TableNames.SITE, TableNames.JOB -> Type.STRING;
      case TableNames.STREAM, TableNames.SEQUENCE -> Type.BIGINT;
      default ->
          throw new StoreException(
              Reason.UNKNOWN_TABLE,
              "table %s has no column '%s': it has %s"
                  .formatted(shape.name(), column, String.join(", ", shape.declared().names())));
    };
  }

  /** The type of a column that must be there and be a timestamp. */
  static Type time(TableShape shape, String column) throws StoreException {
    Type type = type(shape, column);
    if (!type.kind().isTimestamp()) {
      throw new StoreException(
          Reason.UNKNOWN_TABLE,
          "column %s of table %s is %s, not a TIMESTAMP".formatted(column, shape.name(), type));
    }
    return type;
  }
}
