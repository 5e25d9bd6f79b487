package io.sedge.connector.jdbc;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Explorer;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.jdbc.internal.DatabaseExplorer;
import io.sedge.connector.jdbc.internal.JdbcTables;
import java.util.List;
import java.util.Optional;

/**
 * {@code 'connector' = 'jdbc'}: a table of a relational database.
 *
 * <p>A source reads the table once and ends. A sink adds rows or, with a PRIMARY KEY, keeps the
 * last row of each key. Each of its transactions also holds how far the writer has come, so a row
 * is in the database once, whichever device writes it.
 */
public final class JdbcConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "jdbc";
  }

  @Override
  public List<Option> options() {
    return JdbcTables.OPTIONS;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(JdbcTables.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(JdbcTables.sink(table, context));
  }

  @Override
  public Optional<Explorer> explorer() {
    return Optional.of(new DatabaseExplorer());
  }
}
