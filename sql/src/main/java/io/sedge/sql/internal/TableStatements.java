package io.sedge.sql.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.ddl.SqlTableOption;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTable;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTableAs;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTableLike;
import org.apache.flink.sql.parser.error.SqlValidateException;

/** CREATE TABLE: declares a table in the catalog and checks its options. */
final class TableStatements {
  private final Surroundings surroundings;
  private final Catalog catalog;
  private final QueryPlanner planner;
  private final Functions functions;
  private final Problems problems;

  TableStatements(
      Surroundings surroundings,
      Catalog catalog,
      QueryPlanner planner,
      Functions functions,
      Problems problems) {
    this.surroundings = surroundings;
    this.catalog = catalog;
    this.planner = planner;
    this.functions = functions;
    this.problems = problems;
  }

  void create(SqlCreateTable create, SqlParserPos begin) {
    String name = simpleName(create.getName());
    SqlParserPos position = create.getName().getParserPosition();
    if (create instanceof SqlCreateTableAs) {
      throw new UnsupportedException(
          "CREATE TABLE … AS SELECT is not supported", "CREATE TABLE, then INSERT INTO", begin);
    }
    if (catalog.contains(name)) {
      if (create.isIfNotExists()) {
        return;
      }
      throw exists(name, position);
    }
    validate(create, position);
    TableParts parts = parts(create);
    DeclaredTable table = withFiles(declarations().declare(name, parts, position), create);
    catalog.add(name, CatalogTable.of(table));
    catalog.keep(name, parts);
    if (!checkOptions(table, create)) {
      catalog.markBroken(name);
    }
  }

  /** The table where each option that names a file of the job says where its content is. */
  private DeclaredTable withFiles(DeclaredTable table, SqlCreateTable create) {
    ConnectorFactory factory = surroundings.connectors().byName().get(table.connector());
    if (factory == null) {
      return table;
    }
    Map<String, String> options = new HashMap<>(table.descriptor().options());
    for (Option option : surroundings.connectors().options(factory, table.descriptor())) {
      String path = options.get(option.key());
      if (option.kind() == Option.Kind.FILE && path != null) {
        String what = "table %s: '%s'".formatted(table.name(), option.key());
        try {
          options.put(option.key(), surroundings.scriptFiles().locate(what, path).toString());
        } catch (ConnectorException e) {
          String message = String.valueOf(e.getMessage());
          throw new UnsupportedException(
              message, null, place(optionsOf(create), message, table.position()));
        }
      }
    }
    return table.withDescriptor(table.descriptor().withOptions(options));
  }

  private TableParts parts(SqlCreateTable create) {
    TableParts own = TableDeclarations.parts(create);
    if (!(create instanceof SqlCreateTableLike like)) {
      return own;
    }
    return LikeClause.merge(own, like.getTableLike(), catalog);
  }

  private TableDeclarations declarations() {
    ExpressionLowering expressions =
        new ExpressionLowering(planner.rexBuilder(), functions.check(), planner.places());
    return new TableDeclarations(
        planner, new ScalarCompiler(catalog, planner, expressions), surroundings.name());
  }

  private static void validate(SqlCreateTable create, SqlParserPos position) {
    try {
      create.validate();
    } catch (SqlValidateException e) {
      String message = String.valueOf(e.getMessage());
      boolean enforced = message.contains("ENFORCED");
      throw new UnsupportedException(
          enforced ? "a stream cannot enforce a PRIMARY KEY" : ValidatorMessages.sentence(message),
          enforced ? "PRIMARY KEY (…) NOT ENFORCED" : null,
          e.getErrorPosition() == null ? position : e.getErrorPosition());
    }
  }

  /** Adds all that is wrong with a table's options, each at its own place; true if nothing is. */
  private boolean checkOptions(DeclaredTable table, SqlCreateTable create) {
    SqlNodeList written = optionsOf(create);
    if (table.connector().isEmpty()) {
      problems.add(
          table.position(),
          "table %s has no option 'connector'".formatted(table.name()),
          Optional.of(
              "'connector' = one of "
                  + String.join(", ", surroundings.connectors().byName().keySet())));
      return false;
    }
    ConnectorFactory factory;
    try {
      factory = surroundings.connectors().named(table.name(), table.connector());
    } catch (ConnectorException e) {
      problems.add(
          place(written, "'connector'", table.position()),
          String.valueOf(e.getMessage()),
          Optional.empty());
      return false;
    }
    List<String> wrong = surroundings.connectors().problems(factory, table.descriptor());
    for (String problem : wrong) {
      problems.add(place(written, problem, table.position()), problem, Optional.empty());
    }
    return wrong.isEmpty();
  }

  /** What stands in the WITH of a statement. */
  static SqlNodeList optionsOf(SqlCall create) {
    return create.getOperandList().stream()
        .filter(SqlNodeList.class::isInstance)
        .map(SqlNodeList.class::cast)
        .filter(list -> !list.isEmpty() && list.getFirst() instanceof SqlTableOption)
        .findFirst()
        .orElse(SqlNodeList.EMPTY);
  }

  /** Where the option stands that a message quotes, or else the table's place. */
  static SqlParserPos place(SqlNodeList written, String message, SqlParserPos otherwise) {
    for (SqlNode node : written) {
      SqlTableOption option = (SqlTableOption) node;
      if (message.contains("'%s'".formatted(option.getKeyString()))) {
        return option.getKey().getParserPosition();
      }
    }
    return otherwise;
  }

  static UnsupportedException exists(String name, SqlParserPos position) {
    return new UnsupportedException(
        "a table or view `%s` exists already".formatted(name),
        "another name, or IF NOT EXISTS",
        position);
  }

  /** The name without Flink's default catalog and database. */
  static String simpleName(SqlIdentifier name) {
    return name.names.getLast();
  }
}
