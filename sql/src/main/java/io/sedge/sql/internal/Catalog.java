package io.sedge.sql.internal;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.schema.Table;
import org.jspecify.annotations.Nullable;

/** The tables and views that a script has declared so far. */
final class Catalog {
  private final CalciteSchema schema = CalciteSchema.createRootSchema(false, false);
  private final Map<String, TableParts> parts = new HashMap<>();
  private final Set<String> broken = new HashSet<>();

  CalciteSchema schema() {
    return schema;
  }

  void add(String name, CatalogTable table) {
    schema.add(name, table);
    broken.remove(name);
  }

  /** Keeps the clauses of a table's declaration for LIKE. */
  void keep(String name, TableParts declaration) {
    parts.put(name, declaration);
  }

  @Nullable TableParts parts(String name) {
    return parts.get(name);
  }

  void remove(String name) {
    schema.removeTable(name);
  }

  boolean contains(String name) {
    return schema.getTable(name, true) != null;
  }

  /** The table or view of that name, or null. */
  @Nullable CatalogTable find(String name) {
    CalciteSchema.TableEntry entry = schema.getTable(name, true);
    Table table = entry == null ? null : entry.getTable();
    return table instanceof CatalogTable found ? found : null;
  }

  Collection<String> names() {
    return schema.getTableNames();
  }

  /**
   * Notes that the declaration of a table had problems, so that its users are not blamed as well.
   */
  void markBroken(String name) {
    broken.add(name);
  }

  boolean isBroken(String name) {
    return broken.contains(name);
  }
}
