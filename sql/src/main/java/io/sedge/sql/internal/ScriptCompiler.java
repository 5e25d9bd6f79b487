package io.sedge.sql.internal;

import io.sedge.connector.Connectors;
import io.sedge.connector.ScriptFiles;
import io.sedge.learning.ModelProviders;
import io.sedge.sql.Job;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.impl.FlinkSqlParserImpl;
import org.apache.flink.sql.parser.validate.FlinkSqlConformance;

/** Compiles one script, statement by statement; used once. */
public final class ScriptCompiler {
  private static final int MAX_IDENTIFIER_LENGTH = 256;
  private static final SqlParser.Config PARSER =
      SqlParser.config()
          .withParserFactory(FlinkSqlParserImpl.FACTORY)
          .withConformance(FlinkSqlConformance.DEFAULT)
          .withQuoting(Quoting.BACK_TICK)
          .withQuotedCasing(Casing.UNCHANGED)
          .withUnquotedCasing(Casing.UNCHANGED)
          .withIdentifierMaxLength(MAX_IDENTIFIER_LENGTH);

  private static final Pattern WORD = Pattern.compile("\\w+");

  private final Problems problems = new Problems();
  private final Catalog catalog = new Catalog();
  private final Operators operators = new Operators();
  private final StatementCompiler statements;

  /**
   * A compiler.
   *
   * @param files where jars and files of models are
   * @param name of the script, for messages
   * @param directory what relative paths in the script are relative to
   * @param settings hold instead of what the script SETs under the same keys
   */
  public ScriptCompiler(
      Connectors connectors,
      ModelProviders models,
      InstantSource clock,
      ScriptFiles files,
      String name,
      Path directory,
      Map<String, String> settings) {
    Surroundings surroundings = new Surroundings(connectors, models, clock, files, name, directory);
    this.statements =
        new StatementCompiler(surroundings, catalog, operators, problems, new Settings(settings));
  }

  /** What is wrong with settings, in words. */
  public static Optional<String> refusal(Map<String, String> settings) {
    return Settings.refusal(settings);
  }

  /**
   * Compiles the script.
   *
   * @throws SqlException if it is not accepted
   */
  public Job compile(String script) throws SqlException {
    for (StatementReader.Statement statement : StatementReader.read(script)) {
      compile(statement);
    }
    Optional<Job> job = statements.finish();
    if (!problems.isEmpty() || job.isEmpty()) {
      throw new SqlException(problems.sorted());
    }
    return job.get();
  }

  private void compile(StatementReader.Statement statement) {
    SqlParserPos begin = new SqlParserPos(statement.line(), statement.column());
    try {
      for (SqlNode node : parse(statement)) {
        compile(node, begin);
      }
    } catch (SqlParseException e) {
      if (statement.text().toUpperCase(Locale.ROOT).startsWith("SET ")) {
        problems.add(
            begin, "SET takes its key and its value in quotes", Optional.of("SET 'key' = 'value'"));
      } else if (!isOfBrokenName(e, statement)) {
        ParserMessages.unknownBeginning(statement.text())
            .ifPresentOrElse(
                message -> problems.add(begin, message, Optional.empty()),
                () -> {
                  ParserMessages.Message message = ParserMessages.of(e, rest(e, statement));
                  problems.add(
                      e.getPos() == null ? begin : e.getPos(), message.text(), message.remedy());
                });
      }
      statements.failedToParse(statement.text());
    }
  }

  /**
   * Whether a statement was given up at a name whose declaration could not be parsed either: a
   * table that has a keyword's name is to be blamed once.
   */
  private boolean isOfBrokenName(SqlParseException e, StatementReader.Statement statement) {
    Matcher word = WORD.matcher(rest(e, statement));
    return word.lookingAt() && catalog.isBroken(word.group());
  }

  /** The rest of the line at which a statement was given up; empty if that is not known. */
  private static String rest(SqlParseException e, StatementReader.Statement statement) {
    SqlParserPos position = e.getPos();
    List<String> lines = statement.placed().lines().toList();
    if (position == null || position.getLineNum() > lines.size()) {
      return "";
    }
    String line = lines.get(position.getLineNum() - 1);
    return line.substring(Math.min(position.getColumnNum() - 1, line.length()));
  }

  static SqlNodeList parse(StatementReader.Statement statement) throws SqlParseException {
    return SqlParser.create(statement.placed(), PARSER).parseStmtList();
  }

  /** The boundary at which whatever a statement throws becomes a problem for people. */
  private void compile(SqlNode node, SqlParserPos begin) {
    if (statements.usesBroken(node)) {
      statements.failed(node);
      return;
    }
    try {
      statements.compile(node, begin);
    } catch (RuntimeException e) {
      problems.add(e, begin, messages(statements.columnsIn(node)));
      statements.failed(node);
    } catch (AssertionError e) {
      problems.add(new IllegalStateException(e.getMessage(), e), begin, messages(List.of()));
      statements.failed(node);
    }
  }

  private ValidatorMessages messages(Collection<String> columns) {
    return new ValidatorMessages(catalog::names, () -> new ArrayList<>(columns), operators);
  }
}
