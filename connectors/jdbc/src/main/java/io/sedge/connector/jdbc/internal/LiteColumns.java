package io.sedge.connector.jdbc.internal;

import io.sedge.connector.Findings.Column;
import io.sedge.connector.Findings.Columns;
import io.sedge.connector.jdbc.internal.Catalog.Entry;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns of a table of SQLite, which hold values of any type. What a column was declared as
 * says which types are likely; the first that holds the values of some rows is taken.
 */
final class LiteColumns {
  private static final int ROWS = 200;

  private static final Pattern DIGITS = Pattern.compile("\\((\\d{1,3})\\s*(?:,\\s*(\\d{1,3}))?\\)");

  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d(?::\\d\\d(?:\\.(\\d+))?)?(Z|[+-]\\d\\d:?\\d\\d)?");

  private static final int MILLI_DIGITS = 3;

  private final Connection connection;
  private final Entry entry;

  LiteColumns(Connection connection, Entry entry) {
    this.connection = connection;
    this.entry = entry;
  }

  /** A column as it was declared, and the types that it may still have. */
  private static final class Declared {
    final String name;
    final boolean always;
    final List<Candidate> candidates;
    boolean hasBytes;

    Declared(String name, String typeName, boolean always) {
      this.name = name;
      this.always = always;
      this.candidates = new ArrayList<>(candidates(typeName.toUpperCase(Locale.ROOT)));
    }
  }

  /** A type that a column may have. */
  private static final class Candidate {
    final Type type;
    final boolean needsProof;
    final BatchBuilder builder;
    boolean isProven;

    /**
     * @param needsProof whether it is out of the question unless a value is of it
     */
    Candidate(Type type, boolean needsProof) {
      this.type = type;
      this.needsProof = needsProof;
      this.builder = new BatchBuilder(Schema.builder().add("value", type).build());
    }

    boolean holds(ResultSet row, int index, Object value) throws SQLException {
      boolean time =
          switch (type.kind()) {
            case TIMESTAMP, TIMESTAMP_LTZ -> isTimestamp(value);
            default -> true;
          };
      if (!time) {
        return false;
      }
      try {
        var _ = Values.read(row, index, type, Dialect.SQLITE, builder.column(0));
        isProven = true;
        return true;
      } catch (Values.UnfitException e) {
        return false;
      } finally {
        builder.discardRow();
      }
    }

    private boolean isTimestamp(Object value) {
      Matcher matcher = TIMESTAMP.matcher(String.valueOf(value));
      if (!matcher.matches()) {
        return false;
      }
      int digits = matcher.group(1) == null ? 0 : matcher.group(1).length();
      boolean zoned = matcher.group(2) != null;
      return digits <= type.precision() && zoned == (type.kind() == Type.timestampLtz(0).kind());
    }
  }

  private static List<Candidate> candidates(String declared) {
    if (declared.contains("BOOL")) {
      return likely(Type.BOOLEAN, Type.BIGINT, Type.STRING);
    }
    if (declared.contains("DATETIME") || declared.contains("TIMESTAMP")) {
      return likely(
          Type.timestamp(MILLI_DIGITS),
          Type.timestampLtz(MILLI_DIGITS),
          Type.timestamp(Type.MAX_TIMESTAMP_PRECISION),
          Type.timestampLtz(Type.MAX_TIMESTAMP_PRECISION),
          Type.BIGINT,
          Type.DOUBLE,
          Type.STRING);
    }
    if (declared.startsWith("DATE")) {
      return likely(Type.DATE, Type.BIGINT, Type.STRING);
    }
    if (declared.startsWith("TIME")) {
      return likely(Type.time(MILLI_DIGITS), Type.BIGINT, Type.STRING);
    }
    if (declared.contains("INT")) {
      return likely(Type.BIGINT, Type.DOUBLE, Type.STRING);
    }
    if (Stream.of("CHAR", "CLOB", "TEXT").anyMatch(declared::contains)) {
      List<Candidate> all = new ArrayList<>();
      for (int digits : new int[] {MILLI_DIGITS, Type.MAX_TIMESTAMP_PRECISION}) {
        all.add(new Candidate(Type.timestamp(digits), true));
        all.add(new Candidate(Type.timestampLtz(digits), true));
      }
      all.add(new Candidate(Type.STRING, false));
      return all;
    }
    if (Stream.of("REAL", "FLOA", "DOUB").anyMatch(declared::contains)) {
      return likely(Type.DOUBLE, Type.STRING);
    }
    Matcher digits = DIGITS.matcher(declared);
    if ((declared.startsWith("DEC") || declared.startsWith("NUM")) && digits.find()) {
      int scale = digits.group(2) == null ? 0 : Integer.parseInt(digits.group(2));
      return likely(
          ColumnTypes.decimal(Integer.parseInt(digits.group(1)), scale), Type.DOUBLE, Type.STRING);
    }
    return declared.contains("BLOB") ? List.of() : likely(Type.BIGINT, Type.DOUBLE, Type.STRING);
  }

  private static List<Candidate> likely(Type... types) {
    return Stream.of(types).map(type -> new Candidate(type, false)).toList();
  }

  Columns read() throws SQLException {
    TreeMap<Integer, String> key = new TreeMap<>();
    List<Declared> all = declared(key);
    look(all);
    List<Column> columns = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (Declared column : all) {
      Optional<Type> type =
          column.candidates.stream()
              .filter(candidate -> !candidate.needsProof || candidate.isProven)
              .map(candidate -> candidate.type)
              .findFirst();
      if (type.isPresent() && !column.hasBytes) {
        columns.add(new Column(column.name, type.get().withNullable(!column.always)));
      } else {
        leftOut.add(Catalog.leftOut(column.name, "BLOB"));
      }
    }
    return new Columns(
        columns, Catalog.known(List.copyOf(key.values()), columns, leftOut), leftOut);
  }

  private List<Declared> declared(Map<Integer, String> key) throws SQLException {
    List<Declared> all = new ArrayList<>();
    String query =
        "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1";
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, entry.name());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          all.add(
              new Declared(
                  row.getString(1),
                  Objects.requireNonNullElse(row.getString(2), ""),
                  row.getBoolean(3)));
          if (row.getInt(4) > 0) {
            key.put(row.getInt(4), row.getString(1));
          }
        }
      }
    }
    return all;
  }

  private void look(List<Declared> all) throws SQLException {
    if (all.isEmpty()) {
      return;
    }
    Dialect dialect = Dialect.SQLITE;
    String query =
        "SELECT %s FROM %s LIMIT %d"
            .formatted(
                all.stream()
                    .map(column -> dialect.quoted(column.name))
                    .collect(Collectors.joining(", ")),
                dialect.quoted(entry.name()),
                ROWS);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        for (int i = 0; i < all.size(); i++) {
          look(row, i + 1, all.get(i));
        }
      }
    }
  }

  private static void look(ResultSet row, int index, Declared column) throws SQLException {
    Object value = row.getObject(index);
    if (value instanceof byte[]) {
      column.hasBytes = true;
    } else if (value != null) {
      List<Candidate> held = new ArrayList<>();
      for (Candidate candidate : column.candidates) {
        if (candidate.holds(row, index, value)) {
          held.add(candidate);
        }
      }
      column.candidates.retainAll(held);
    }
  }
}
