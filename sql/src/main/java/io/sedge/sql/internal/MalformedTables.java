package io.sedge.sql.internal;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import java.util.List;

/** The tables that take payloads that cannot be decoded. */
final class MalformedTables {
  private static final List<String> COLUMNS = List.of("origin", "payload", "reason");
  private static final String DECLARATION =
      "CREATE TABLE %s (origin STRING, payload STRING, reason STRING) WITH (…)";

  private MalformedTables() {}

  /** The table that the option of a source names, checked. */
  static DeclaredTable find(String name, TableDescriptor source, Catalog catalog) {
    CatalogTable found = catalog.find(name);
    DeclaredTable table = found == null ? null : found.declared();
    if (table == null) {
      throw new UnsupportedException(
          "table %s: '%s' = '%s', but there is no such table%s"
              .formatted(
                  source.name(),
                  SourceOptions.MALFORMED_TABLE,
                  name,
                  Names.didYouMean(name, catalog.names())),
          DECLARATION.formatted(name));
    }
    Schema schema = table.descriptor().schema();
    boolean fits =
        schema.names().equals(COLUMNS)
            && schema.types().stream().allMatch(type -> type.kind().isString());
    if (!fits) {
      throw new UnsupportedException(
          "table %s: '%s' = '%s', but that table has the columns %s"
              .formatted(source.name(), SourceOptions.MALFORMED_TABLE, name, schema),
          DECLARATION.formatted(name));
    }
    return table;
  }
}
