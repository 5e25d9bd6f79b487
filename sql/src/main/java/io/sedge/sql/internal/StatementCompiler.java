package io.sedge.sql.internal;

import io.sedge.sql.Job;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.flink.sql.parser.ddl.SqlCreateFunction;
import org.apache.flink.sql.parser.ddl.SqlReset;
import org.apache.flink.sql.parser.ddl.SqlSet;
import org.apache.flink.sql.parser.ddl.model.SqlAlterModelRename;
import org.apache.flink.sql.parser.ddl.model.SqlAlterModelReset;
import org.apache.flink.sql.parser.ddl.model.SqlAlterModelSet;
import org.apache.flink.sql.parser.ddl.model.SqlCreateModel;
import org.apache.flink.sql.parser.ddl.model.SqlDropModel;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTable;
import org.apache.flink.sql.parser.ddl.table.SqlDropTable;
import org.apache.flink.sql.parser.ddl.view.SqlCreateView;
import org.apache.flink.sql.parser.ddl.view.SqlDropView;
import org.apache.flink.sql.parser.dml.RichSqlInsert;
import org.apache.flink.sql.parser.dml.SqlBeginStatementSet;
import org.apache.flink.sql.parser.dml.SqlEndStatementSet;
import org.apache.flink.sql.parser.dml.SqlExecute;
import org.apache.flink.sql.parser.dml.SqlStatementSet;
import org.jspecify.annotations.Nullable;

/** Carries out a script's statements: declares, sets, and gathers what the job is to do. */
final class StatementCompiler {
  private static final Pattern DECLARED_NAME =
      Pattern.compile(
          "\\s*CREATE\\s+(?:TEMPORARY\\s+)?(?:TABLE|VIEW|MODEL)\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?`?(\\w+)`?.*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final Catalog catalog;
  private final Operators operators;
  private final Problems problems;
  private final Settings settings;
  private final QueryPlanner planner;
  private final TableStatements tables;
  private final ModelStatements models;
  private final JobBuilder job;
  private final Functions functions;

  StatementCompiler(
      Surroundings surroundings,
      Catalog catalog,
      Operators operators,
      Problems problems,
      Settings settings) {
    this.catalog = catalog;
    this.operators = operators;
    this.problems = problems;
    this.settings = settings;
    ModelCatalog modelCatalog = new ModelCatalog();
    this.planner = new QueryPlanner(catalog, modelCatalog, operators);
    this.functions = new Functions(surroundings, settings, operators, modelCatalog);
    this.models =
        new ModelStatements(
            surroundings,
            catalog,
            modelCatalog,
            planner,
            problems,
            new TrainingQueries(
                surroundings,
                () ->
                    new JobBuilder(
                        surroundings, catalog, modelCatalog, planner, functions, settings)));
    this.tables = new TableStatements(surroundings, catalog, planner, functions, problems);
    this.job = new JobBuilder(surroundings, catalog, modelCatalog, planner, functions, settings);
  }

  /** Compiles one statement; throws what is wrong with it. */
  void compile(SqlNode node, SqlParserPos begin) {
    switch (node) {
      case SqlSet set -> set(set, begin);
      case SqlReset reset -> reset(reset);
      case SqlCreateTable create -> tables.create(create, begin);
      case SqlCreateView create -> createView(create, begin);
      case SqlCreateFunction create -> functions.create(create, begin);
      case SqlCreateModel create -> models.create(create);
      case SqlAlterModelSet alter -> models.set(alter, begin);
      case SqlAlterModelReset alter -> models.reset(alter, begin);
      case SqlAlterModelRename alter -> models.rename(alter, begin);
      case SqlDropTable drop -> drop(drop.getFullName(), drop.getIfExists(), begin);
      case SqlDropView drop -> drop(drop.getFullName(), drop.getIfExists(), begin);
      case SqlDropModel drop -> models.drop(drop.getFullName(), drop.getIfExists(), begin);
      case SqlExecute execute -> compile(execute.getStatement(), begin);
      case SqlStatementSet set -> set.getInserts().forEach(insert -> compileInSet(insert));
      case SqlBeginStatementSet set -> {}
      case SqlEndStatementSet set -> {}
      case RichSqlInsert insert -> job.insert(insert, begin);
      default -> {
        if (!node.isA(SqlKind.QUERY)) {
          throw Refusals.statement(node, begin);
        }
        job.select(node, begin);
      }
    }
  }

  private void compileInSet(RichSqlInsert insert) {
    try {
      if (!usesBroken(insert)) {
        job.insert(insert, insert.getParserPosition());
      }
    } catch (UnsupportedException e) {
      problems.add(
          e,
          insert.getParserPosition(),
          new ValidatorMessages(catalog::names, List::of, operators));
    }
  }

  private void set(SqlSet set, SqlParserPos begin) {
    SqlNode key = set.getKey();
    if (key == null || set.getValue() == null) {
      throw new UnsupportedException("SET alone shows nothing here", "SET 'key' = 'value'", begin);
    }
    try {
      settings.set(set.getKeyString(), set.getValueString(), begin.getLineNum());
    } catch (UnsupportedException e) {
      throw e.at(key.getParserPosition());
    }
  }

  private void reset(SqlReset reset) {
    if (reset.getKey() == null) {
      settings.resetAll();
    } else {
      settings.reset(reset.getKeyString());
    }
  }

  private void createView(SqlCreateView create, SqlParserPos begin) {
    String name = TableStatements.simpleName(create.getName());
    if (catalog.contains(name)) {
      if (create.isIfNotExists()) {
        return;
      }
      throw TableStatements.exists(name, create.getName().getParserPosition());
    }
    catalog.add(name, CatalogTable.view(job.view(create, begin)));
  }

  private void drop(String[] name, boolean ifExists, SqlParserPos begin) {
    String last = name[name.length - 1];
    if (job.uses(last)) {
      throw new UnsupportedException(
          "DROP: a query before reads or writes `%s`".formatted(last),
          "another name for the table that follows",
          begin);
    }
    if (catalog.contains(last)) {
      catalog.remove(last);
    } else if (!ifExists) {
      throw new UnsupportedException(
          "DROP: there is no table or view `%s`%s"
              .formatted(last, Names.didYouMean(last, catalog.names())),
          null,
          begin);
    }
  }

  /** Whether a statement reads or writes a table whose declaration had problems. */
  boolean usesBroken(SqlNode node) {
    Set<String> names = identifiers(node).keySet();
    return names.stream().anyMatch(catalog::isBroken) && !declares(node);
  }

  private boolean declares(SqlNode node) {
    return node instanceof SqlCreateTable create
        && !catalog.isBroken(TableStatements.simpleName(create.getName()));
  }

  /** Notes that what a statement was to declare is not there. */
  void failed(SqlNode node) {
    switch (node) {
      case SqlCreateTable create ->
          catalog.markBroken(TableStatements.simpleName(create.getName()));
      case SqlCreateView create -> catalog.markBroken(TableStatements.simpleName(create.getName()));
      case SqlCreateModel create ->
          catalog.markBroken(TableStatements.simpleName(create.getName()));
      case SqlCreateFunction create ->
          catalog.markBroken(TableStatements.simpleName(create.getName()));
      default -> {}
    }
  }

  /** The same for one that could not even be parsed. */
  void failedToParse(String text) {
    Matcher matcher = DECLARED_NAME.matcher(text);
    if (matcher.matches()) {
      catalog.markBroken(matcher.group(1));
    }
  }

  /** The columns of the tables that a statement names, and names that it gives itself. */
  Set<String> columnsIn(SqlNode node) {
    Set<String> columns = new HashSet<>();
    if (node instanceof SqlCreateTable create) {
      TableDeclarations.parts(create)
          .columns()
          .forEach(column -> columns.add(column.getName().getSimple()));
    }
    identifiers(node)
        .forEach(
            (name, position) -> {
              CatalogTable table = catalog.find(name);
              if (table != null) {
                columns.addAll(table.getRowType(planner.types()).getFieldNames());
              }
            });
    node.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call.getKind() == SqlKind.AS
                && call.operand(1) instanceof SqlIdentifier alias
                && call.operand(0).getKind() != SqlKind.IDENTIFIER) {
              columns.add(alias.getSimple());
            }
            return super.visit(call);
          }
        });
    return columns;
  }

  private static Map<String, SqlParserPos> identifiers(SqlNode node) {
    Map<String, SqlParserPos> found = new HashMap<>();
    node.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlIdentifier identifier) {
            if (!identifier.names.isEmpty()) {
              found.put(identifier.names.getLast(), identifier.getParserPosition());
            }
            return null;
          }

          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call.getOperator() instanceof SqlFunction function) {
              found.put(function.getName(), call.getParserPosition());
            }
            return super.visit(call);
          }
        });
    return found;
  }

  /** The job, if the script has given it something to do and all is well. */
  Optional<Job> finish() {
    job.addMalformedTables(problems);
    job.checkLookupCaches(problems);
    if (problems.isEmpty() && job.isEmpty()) {
      problems.add(
          new SqlParserPos(1, 1),
          "the script does nothing: it has neither INSERT INTO nor SELECT",
          Optional.of("INSERT INTO a_sink SELECT … FROM a_source"));
    }
    return problems.isEmpty() ? Optional.of(job.build(models.trainings())) : Optional.empty();
  }
}
