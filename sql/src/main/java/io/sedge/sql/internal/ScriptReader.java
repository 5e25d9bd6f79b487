package io.sedge.sql.internal;

import io.sedge.sql.ScriptStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.flink.sql.parser.ddl.SqlCreateFunction;
import org.apache.flink.sql.parser.ddl.SqlReset;
import org.apache.flink.sql.parser.ddl.SqlSet;
import org.apache.flink.sql.parser.ddl.SqlTableOption;
import org.apache.flink.sql.parser.ddl.resource.SqlResource;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTable;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTableLike;
import org.apache.flink.sql.parser.ddl.table.SqlDropTable;
import org.apache.flink.sql.parser.ddl.view.SqlCreateView;
import org.apache.flink.sql.parser.ddl.view.SqlDropView;
import org.apache.flink.sql.parser.dml.RichSqlInsert;
import org.apache.flink.sql.parser.dml.SqlBeginStatementSet;
import org.apache.flink.sql.parser.dml.SqlEndStatementSet;
import org.apache.flink.sql.parser.dml.SqlExecute;
import org.apache.flink.sql.parser.dml.SqlStatementSet;
import org.jspecify.annotations.Nullable;

/** Reads the statements of a script with their places; compiles nothing. */
public final class ScriptReader {
  private static final String INSERT = "INSERT";

  private final StatementReader.Statement statement;
  private final List<ScriptStatement> found;

  private ScriptReader(StatementReader.Statement statement, List<ScriptStatement> found) {
    this.statement = statement;
    this.found = found;
  }

  /**
   * All of them.
   *
   * @throws IllegalArgumentException if one cannot be parsed
   */
  public static List<ScriptStatement> read(String script) {
    List<ScriptStatement> found = new ArrayList<>();
    for (StatementReader.Statement statement : StatementReader.read(script)) {
      try {
        for (SqlNode node : ScriptCompiler.parse(statement)) {
          new ScriptReader(statement, found).add(node);
        }
      } catch (SqlParseException e) {
        throw new IllegalArgumentException("line %d".formatted(statement.line()), e);
      }
    }
    return found;
  }

  private void add(SqlNode node) {
    String text = statement.text();
    int line = statement.line();
    int column = statement.column();
    switch (node) {
      case SqlSet set -> {
        SqlNode key = set.getKey();
        if (key != null) {
          SqlParserPos place = key.getParserPosition();
          found.add(
              new ScriptStatement.Setting(
                  text,
                  line,
                  column,
                  place.getLineNum(),
                  place.getColumnNum(),
                  set.getKeyString(),
                  set.getValueString()));
        }
      }
      case SqlReset reset ->
          found.add(
              new ScriptStatement.Reset(
                  text,
                  line,
                  column,
                  reset.getKey() == null ? Optional.empty() : Optional.of(reset.getKeyString())));
      case SqlCreateTable create ->
          found.add(
              new ScriptStatement.Table(
                  text,
                  line,
                  column,
                  TableStatements.simpleName(create.getName()),
                  create instanceof SqlCreateTableLike like
                      ? Optional.of(
                          TableStatements.simpleName(like.getTableLike().getSourceTable()))
                      : Optional.empty(),
                  options(create)));
      case SqlCreateView create ->
          found.add(new ScriptStatement.View(text, line, column, calls(create)));
      case SqlCreateFunction create -> found.add(function(create));
      case RichSqlInsert insert ->
          found.add(new ScriptStatement.Insert(text, line, column, calls(insert)));
      case SqlExecute execute -> addExecuted(execute.getStatement());
      case SqlDropTable _, SqlDropView _ -> found.add(new ScriptStatement.Drop(text, line, column));
      case SqlBeginStatementSet _, SqlEndStatementSet _ -> {}
      default ->
          found.add(
              node.isA(SqlKind.QUERY)
                  ? new ScriptStatement.Query(text, line, column)
                  : new ScriptStatement.Model(text, line, column));
    }
  }

  /** What stands behind EXECUTE: without that word, and the inserts of a set apart. */
  private void addExecuted(SqlNode executed) {
    switch (executed) {
      case SqlStatementSet set -> set.getInserts().forEach(this::addWithin);
      case RichSqlInsert insert -> addWithin(insert);
      default ->
          found.add(
              new ScriptStatement.Query(statement.text(), statement.line(), statement.column()));
    }
  }

  /** The parser says where INTO is. */
  private void addWithin(SqlNode insert) {
    SqlParserPos place = insert.getParserPosition();
    int begin = offset(place.getLineNum(), place.getColumnNum());
    while (!statement.text().regionMatches(true, begin, INSERT, 0, INSERT.length())) {
      begin--;
    }
    String before = statement.text().substring(0, begin);
    int lineBegin = before.lastIndexOf('\n') + 1;
    found.add(
        new ScriptStatement.Insert(
            StatementReader.read(statement.text().substring(begin)).getFirst().text(),
            statement.line() + (int) before.chars().filter(c -> c == '\n').count(),
            begin - lineBegin + (lineBegin == 0 ? statement.column() : 1),
            calls(insert)));
  }

  private ScriptStatement function(SqlCreateFunction create) {
    List<String> jars = new ArrayList<>();
    for (SqlNode node : create.getResourceInfos()) {
      jars.add(String.valueOf(((SqlResource) node).getResourcePath().getValueAs(String.class)));
    }
    return new ScriptStatement.Function(
        statement.text(),
        statement.line(),
        statement.column(),
        TableStatements.simpleName(create.getName()),
        String.valueOf(create.getFunctionClassName().getValueAs(String.class)),
        jars);
  }

  private List<ScriptStatement.Option> options(SqlCreateTable create) {
    List<ScriptStatement.Option> options = new ArrayList<>();
    for (SqlNode node : TableStatements.optionsOf(create)) {
      SqlTableOption option = (SqlTableOption) node;
      SqlParserPos key = option.getKey().getParserPosition();
      SqlParserPos value = option.getValue().getParserPosition();
      options.add(
          new ScriptStatement.Option(
              option.getKeyString(),
              option.getValueString(),
              key.getLineNum(),
              key.getColumnNum(),
              offset(key.getLineNum(), key.getColumnNum()),
              offset(value.getEndLineNum(), value.getEndColumnNum()) + 1));
    }
    return options;
  }

  /** The index in the statement's text of a place in the script. */
  private int offset(int line, int column) {
    if (line == statement.line()) {
      return column - statement.column();
    }
    int begin = 0;
    for (int i = statement.line(); i < line; i++) {
      begin = statement.text().indexOf('\n', begin) + 1;
    }
    return begin + column - 1;
  }

  private static List<ScriptStatement.Call> calls(SqlNode node) {
    List<ScriptStatement.Call> calls = new ArrayList<>();
    node.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call.getOperator() instanceof SqlFunction function) {
              SqlParserPos place = call.getParserPosition();
              calls.add(
                  new ScriptStatement.Call(
                      function.getName().toUpperCase(Locale.ROOT),
                      place.getLineNum(),
                      place.getColumnNum()));
            }
            return super.visit(call);
          }
        });
    return calls;
  }
}
