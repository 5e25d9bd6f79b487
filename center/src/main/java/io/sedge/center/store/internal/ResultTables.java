package io.sedge.center.store.internal;

import static io.sedge.center.store.internal.Dialect.quote;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.uplink.StreamOpening;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * The tables that rows are stored in. A stream that opens makes its table, or changes the one that
 * is there so that it holds both what it has and what will come; what cannot be is refused. Any
 * thread.
 */
final class ResultTables {
  private final Dialect dialect;

  /** How often what is remembered was forgotten. */
  private volatile long changes;

  private final Map<String, TableShape> shapes = new ConcurrentHashMap<>();

  ResultTables(Dialect dialect) {
    this.dialect = dialect;
  }

  /** A table as it is stored, whatever its case. */
  Optional<TableShape> find(Connection connection, String name) throws SQLException {
    TableShape known = shapes.get(name);
    if (known != null) {
      return Optional.of(known);
    }
    long version = changes;
    Optional<TableShape> found = read(connection, name);
    synchronized (shapes) {
      if (version == changes) {
        found
            .filter(shape -> shape.name().equals(name))
            .ifPresent(shape -> shapes.put(name, shape));
      }
    }
    return found;
  }

  private static Optional<TableShape> read(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT %s FROM sedge_table WHERE lower(name) = lower(?)"
                .formatted(TableShape.COLUMNS))) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(TableShape.read(row)) : Optional.empty();
      }
    }
  }

  /** What is remembered may be wrong: a table was changed, or a change was taken back. */
  void forget() {
    synchronized (shapes) {
      changes++;
      shapes.clear();
    }
  }

  /**
   * Makes or changes a table within a transaction; {@link #forget} when it has ended.
   *
   * @return what is to be said when it has been committed
   */
  List<String> open(Handle handle, StreamOpening opening, long nowMillis)
      throws SQLException, StoreException {
    TableNames.checkTable(opening.table());
    TableNames.checkColumns(opening.table(), opening.schema());
    List<String> key =
        opening.primaryKey().stream().map(column -> opening.schema().name(column)).toList();
    TableShape wanted =
        new TableShape(opening.table(), opening.schema(), key, RollUp.of(opening.schema(), key));
    Optional<TableShape> present = read(handle.getConnection(), opening.table());
    List<String> said = new ArrayList<>();
    TableShape shape = wanted;
    if (present.isPresent()) {
      shape = merged(present.get(), wanted);
      if (!shape.equals(present.get())) {
        widen(handle, present.get(), shape);
        handle
            .createUpdate("UPDATE sedge_table SET columns = :columns WHERE name = :name")
            .bind("columns", Schemas.text(shape.declared()))
            .bind("name", shape.name())
            .execute();
        if (present.get().rollUp() != null && shape.rollUp() == null) {
          RollUpWriter.drop(handle.getConnection(), shape.name());
        }
        said.add(
            "table %s now has the columns %s, for job %s"
                .formatted(shape.name(), shape.declared(), opening.job()));
      }
    } else {
      handle
          .createUpdate(
              "INSERT INTO sedge_table (name, columns, key_columns, rollup, row_count, created_at)"
                  + " VALUES (:name, :columns, :key, :rollup, 0, :at)")
          .bind("name", shape.name())
          .bind("columns", Schemas.text(shape.declared()))
          .bind("key", Schemas.text(shape.key()))
          .bind("rollup", shape.rollUp() == null ? null : Schemas.write(shape.rollUp()))
          .bind("at", nowMillis)
          .execute();
      warn(shape, said);
    }
    complete(handle, shape, present.isPresent(), said);
    return said;
  }

  private void warn(TableShape shape, List<String> said) {
    for (Schema.Field field : shape.declared().fields()) {
      String warning = dialect.warning(field.type());
      if (warning != null) {
        said.add("table %s, column %s: %s".formatted(shape.name(), field.name(), warning));
      }
    }
  }

  private static TableShape merged(TableShape present, TableShape wanted) throws StoreException {
    if (!present.name().equals(wanted.name())) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "there is a table %s, whose name differs in upper and lower case alone: take that name, or another"
              .formatted(present.name()));
    }
    if (!present.key().equals(wanted.key())) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "table %s has %s, the job declares %s: give the job a table of another name, or the same key"
              .formatted(present.name(), keyText(present.key()), keyText(wanted.key())));
    }
    List<Schema.Field> fields = new ArrayList<>(present.declared().fields());
    for (Schema.Field field : wanted.declared().fields()) {
      int at = present.indexOf(field.name());
      if (at < 0) {
        fields.add(new Schema.Field(field.name(), field.type().withNullable(true)));
      } else {
        fields.set(at, merged(present, fields.get(at), field));
      }
    }
    Schema schema = new Schema(fields);
    TableNames.checkColumns(present.name(), schema);
    TableShape merged = new TableShape(present.name(), schema, present.key(), present.rollUp());
    return present.rollUp() == null || present.rollUp().fits(schema)
        ? merged
        : merged.withoutRollUp();
  }

  private static String keyText(List<String> key) {
    return key.isEmpty()
        ? "no primary key"
        : "the primary key (%s)".formatted(String.join(", ", key));
  }

  private static Schema.Field merged(TableShape table, Schema.Field present, Schema.Field wanted)
      throws StoreException {
    if (!present.name().equals(wanted.name())) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "table %s has a column %s, the job one called %s: write it as the table does"
              .formatted(table.name(), present.name(), wanted.name()));
    }
    Type one = present.type();
    Optional<Type> common = Widening.common(one, wanted.type());
    boolean keyChanges =
        table.key().contains(present.name())
            && !one.kind().isNumeric()
            && !one.kind().isString()
            && common.isPresent()
            && !common.get().notNull().equals(one.notNull());
    if (common.isEmpty() || keyChanges) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "column %s of table %s is %s, the job declares %s, and no type of the table holds both: CAST it in the job, or give the job a table of another name"
              .formatted(present.name(), table.name(), one, wanted.type()));
    }
    return new Schema.Field(present.name(), common.get());
  }

  private void widen(Handle handle, TableShape present, TableShape wider) {
    for (int i = 0; i < present.declared().size(); i++) {
      String before = dialect.sqlType(present.declared().type(i));
      if (!before.equals(dialect.sqlType(wider.declared().type(i)))) {
        dialect
            .widen(wider.name(), wider.declared().name(i), wider.declared().type(i))
            .forEach(handle::execute);
      }
    }
  }

  /** Makes what the database lacks: the table, or columns, also those that somebody has dropped. */
  private void complete(Handle handle, TableShape shape, boolean known, List<String> said)
      throws SQLException, StoreException {
    List<String> columns = dialect.columns(handle.getConnection(), shape.name());
    if (columns.isEmpty()) {
      create(handle, shape);
      if (known) {
        RollUpWriter.drop(handle.getConnection(), shape.name());
        said.add("table %s was gone and was made anew".formatted(shape.name()));
      }
      return;
    }
    if (!columns.containsAll(TableNames.OWN) || !columns.containsAll(shape.key())) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "the database has a table %s that the center has not made: give the job a table of another name"
              .formatted(shape.name()));
    }
    for (Schema.Field field : shape.declared().fields()) {
      if (!columns.contains(field.name())) {
        handle.execute(
            "ALTER TABLE %s ADD COLUMN %s %s"
                .formatted(
                    quote(shape.name()), quote(field.name()), dialect.sqlType(field.type())));
      }
    }
  }

  private void create(Handle handle, TableShape shape) {
    String columns =
        shape.declared().fields().stream()
            .map(
                field ->
                    quote(field.name())
                        + " "
                        + dialect.sqlType(field.type())
                        + (shape.key().contains(field.name()) ? " NOT NULL" : ""))
            .collect(Collectors.joining(", "));
    String key = shape.primaryKey().stream().map(Dialect::quote).collect(Collectors.joining(", "));
    handle.execute(
        ("CREATE TABLE %s (\"_site\" %s NOT NULL, \"_job\" %s NOT NULL, \"_stream\" %s NOT NULL,"
                + " \"_seq\" %s NOT NULL, %s, PRIMARY KEY (%s))%s")
            .formatted(
                quote(shape.name()),
                dialect.sqlType(Type.STRING),
                dialect.sqlType(Type.STRING),
                dialect.sqlType(Type.BIGINT),
                dialect.sqlType(Type.BIGINT),
                columns,
                key,
                dialect.tableSuffix()));
    Optional<String> time = TimeColumns.of(shape.declared());
    if (time.isPresent()) {
      handle.execute(
          "CREATE INDEX %s ON %s (%s)"
              .formatted(quote(indexName(shape.name())), quote(shape.name()), quote(time.get())));
    }
  }

  /** An index is in the same schema as the tables, so that its name is one of the store's. */
  private static String indexName(String table) {
    return "sedge_time_" + Hashes.id(Hashes.text(table));
  }
}
