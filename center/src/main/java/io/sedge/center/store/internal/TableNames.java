package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Which tables and columns the store takes. */
final class TableNames {
  static final String SITE = "_site";
  static final String JOB = "_job";
  static final String STREAM = "_stream";
  static final String SEQUENCE = "_seq";

  /** The store's own columns, which each table begins with. */
  static final List<String> OWN = List.of(SITE, JOB, STREAM, SEQUENCE);

  private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
  private static final List<String> RESERVED_PREFIXES = List.of("sedge_", "sqlite_", "pg_");
  private static final int MAX_NAME_BYTES = 63;
  private static final int MAX_COLUMNS = 1_024;

  /** PostgreSQL's hidden columns. */
  private static final Set<String> RESERVED =
      Set.of("tableoid", "xmin", "cmin", "xmax", "cmax", "ctid");

  private TableNames() {}

  static void checkTable(String name) throws StoreException {
    String lower = name.toLowerCase(Locale.ROOT);
    if (!TABLE.matcher(name).matches() || RESERVED_PREFIXES.stream().anyMatch(lower::startsWith)) {
      throw new StoreException(
          Reason.MALFORMED,
          "'%s' is no name for a table of the center: 1 to 63 letters, digits and '_', not a digit first, none of %s first"
              .formatted(name, String.join(", ", RESERVED_PREFIXES)));
    }
  }

  static void checkColumns(String table, Schema schema) throws StoreException {
    if (schema.size() == 0 || schema.size() > MAX_COLUMNS) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "table %s has %,d columns: 1 to %,d are allowed"
              .formatted(table, schema.size(), MAX_COLUMNS));
    }
    Set<String> seen = new HashSet<>();
    for (Schema.Field field : schema.fields()) {
      checkColumn(table, field);
      if (!seen.add(field.name().toLowerCase(Locale.ROOT))) {
        throw new StoreException(
            Reason.SCHEMA_REFUSED,
            "table %s has two columns %s that differ in upper and lower case alone: rename one in the job"
                .formatted(table, field.name()));
      }
    }
  }

  private static void checkColumn(String table, Schema.Field field) throws StoreException {
    String name = field.name();
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > MAX_NAME_BYTES || name.indexOf('\0') >= 0) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "column '%s' of table %s: a name has 1 to %d bytes"
              .formatted(name, table, MAX_NAME_BYTES));
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (OWN.contains(lower) || RESERVED.contains(lower)) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "column %s of table %s has a name that the center's database uses itself: rename it in the job"
              .formatted(name, table));
    }
    if (field.type().kind() == Kind.NULL) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "column %s of table %s has no type: CAST it to one in the job".formatted(name, table));
    }
  }
}
