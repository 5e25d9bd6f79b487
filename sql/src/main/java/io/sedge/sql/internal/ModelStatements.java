package io.sedge.sql.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Options;
import io.sedge.engine.type.Schema;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.sql.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.ddl.SqlTableColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlRegularColumn;
import org.apache.flink.sql.parser.ddl.model.SqlCreateModel;
import org.apache.flink.sql.parser.ddl.model.SqlCreateModelAs;

/** CREATE MODEL and DROP MODEL: opens a model and checks it against what the script says of it. */
final class ModelStatements {
  private static final String PROVIDER = "provider";
  private static final String EXAMPLE =
      "CREATE MODEL m INPUT (a DOUBLE, b DOUBLE) OUTPUT (risk DOUBLE)"
          + " WITH ('provider' = 'onnx', 'path' = 'm.onnx')";

  private final Surroundings surroundings;
  private final Catalog catalog;
  private final ModelCatalog models;
  private final QueryPlanner planner;
  private final Operators operators;
  private final Problems problems;
  private final TrainingQueries trainings;

  /** How many functions have been made; each has a name of its own. */
  private int functions;

  ModelStatements(
      Surroundings surroundings,
      Catalog catalog,
      ModelCatalog models,
      QueryPlanner planner,
      Operators operators,
      Problems problems,
      TrainingQueries trainings) {
    this.surroundings = surroundings;
    this.catalog = catalog;
    this.models = models;
    this.planner = planner;
    this.operators = operators;
    this.problems = problems;
    this.trainings = trainings;
  }

  void create(SqlCreateModel create) {
    String name = TableStatements.simpleName(create.getName());
    SqlParserPos position = create.getName().getParserPosition();
    if (models.find(name) != null) {
      if (create.isIfNotExists()) {
        return;
      }
      throw new UnsupportedException(
          "a model `%s` exists already".formatted(name),
          "another name, or IF NOT EXISTS",
          position);
    }
    Schema input = columns(name, "INPUT", create.getInputColumnList(), position);
    Schema output = columns(name, "OUTPUT", create.getOutputColumnList(), position);
    Map<String, String> options = new HashMap<>(create.getProperties());
    String provider = options.remove(PROVIDER);
    if (provider == null) {
      throw new UnsupportedException(
          "model %s has no option 'provider'".formatted(name), EXAMPLE, position);
    }
    ModelDescriptor descriptor = new ModelDescriptor(name, input, output, options);
    Optional<Model> model = open(descriptor, provider, create, position);
    if (model.isEmpty()) {
      catalog.markBroken(name);
      return;
    }
    Optional<SqlNode> query =
        create instanceof SqlCreateModelAs as ? Optional.of(as.getAsQuery()) : Optional.empty();
    Optional<Job> training =
        trainings.of(descriptor, surroundings.models().named(name, provider), query, position);
    PredictFunction function = new PredictFunction(functions++, name, input, output);
    operators.define(function);
    models.add(new DeclaredModel(descriptor, model.get(), function, training));
  }

  /** The trainings of the models that there are. */
  List<Job.Training> trainings() {
    return models.trainings();
  }

  private Schema columns(String model, String clause, SqlNodeList columns, SqlParserPos position) {
    if (columns.isEmpty()) {
      throw new UnsupportedException(
          "model %s has no %s (…)".formatted(model, clause), EXAMPLE, position);
    }
    Schema.Builder builder = Schema.builder();
    for (SqlNode node : columns) {
      SqlTableColumn column = (SqlTableColumn) node;
      if (!(column instanceof SqlRegularColumn regular)) {
        throw new UnsupportedException(
            "model %s: `%s` of %s is computed".formatted(model, column.getName(), clause),
            "a name and a type, such as a DOUBLE",
            column.getParserPosition());
      }
      String name = column.getName().getSimple();
      if (builder.build().indexOf(name) >= 0) {
        throw new UnsupportedException(
            "model %s: `%s` stands twice in %s".formatted(model, name, clause),
            null,
            column.getParserPosition());
      }
      // A row whose features are NULL has no score.
      builder.add(name, planner.columnType(regular.getType(), column).withNullable(true));
    }
    return builder.build();
  }

  /** Opens it, or says all that is wrong with its options, each at its own place. */
  private Optional<Model> open(
      ModelDescriptor model, String provider, SqlCreateModel create, SqlParserPos position) {
    try {
      ModelProvider found = surroundings.models().named(model.name(), provider);
      List<String> wrong = Options.problems(model.name(), found.options(), model.options());
      wrong.forEach(problem -> add(problem, create, position));
      return wrong.isEmpty()
          ? Optional.of(found.open(model, surroundings.scriptFiles()))
          : Optional.empty();
    } catch (ConnectorException e) {
      add(String.valueOf(e.getMessage()), create, position);
      return Optional.empty();
    }
  }

  /** Adds a problem at the option or the column that it names first. */
  private void add(String problem, SqlCreateModel create, SqlParserPos position) {
    String message = problem.replaceFirst("^table ", "model "); // Options speak of tables.
    SqlParserPos place =
        TableStatements.place(TableStatements.optionsOf(create), message, position);
    if (place.equals(position)) {
      place = place(create.getOutputColumnList(), message, position);
    }
    if (place.equals(position)) {
      place = place(create.getInputColumnList(), message, position);
    }
    problems.add(place, message, Optional.empty());
  }

  private static SqlParserPos place(SqlNodeList columns, String message, SqlParserPos otherwise) {
    for (SqlNode node : columns) {
      if (message.contains("`%s`".formatted(((SqlTableColumn) node).getName().getSimple()))) {
        return node.getParserPosition();
      }
    }
    return otherwise;
  }

  void drop(String[] fullName, boolean ifExists, SqlParserPos begin) {
    String name = fullName[fullName.length - 1];
    if (models.uses(name)) {
      throw new UnsupportedException(
          "DROP: a query before scores by `%s`".formatted(name),
          "another name for the model that follows",
          begin);
    }
    if (models.find(name) != null) {
      models.remove(name);
    } else if (!ifExists) {
      throw new UnsupportedException(
          "DROP: there is no model `%s`%s".formatted(name, Names.didYouMean(name, models.names())),
          null,
          begin);
    }
  }
}
