package io.sedge.sql.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Options;
import io.sedge.engine.type.Schema;
import io.sedge.learning.DriftOptions;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.sql.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.ddl.SqlTableColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlRegularColumn;
import org.apache.flink.sql.parser.ddl.model.SqlAlterModel;
import org.apache.flink.sql.parser.ddl.model.SqlAlterModelRename;
import org.apache.flink.sql.parser.ddl.model.SqlAlterModelReset;
import org.apache.flink.sql.parser.ddl.model.SqlAlterModelSet;
import org.apache.flink.sql.parser.ddl.model.SqlCreateModel;
import org.apache.flink.sql.parser.ddl.model.SqlCreateModelAs;

/** CREATE, ALTER and DROP MODEL: opens a model and checks it against what the script says of it. */
final class ModelStatements {
  private static final String PROVIDER = "provider";
  private static final String EXAMPLE =
      "CREATE MODEL m INPUT (a DOUBLE, b DOUBLE) OUTPUT (risk DOUBLE)"
          + " WITH ('provider' = 'onnx', 'path' = 'm.onnx')";

  private final Surroundings surroundings;
  private final Catalog catalog;
  private final ModelCatalog models;
  private final QueryPlanner planner;
  private final Problems problems;
  private final TrainingQueries trainings;

  /** How many names models have had; each has a number of its own. */
  private int numbers;

  ModelStatements(
      Surroundings surroundings,
      Catalog catalog,
      ModelCatalog models,
      QueryPlanner planner,
      Problems problems,
      TrainingQueries trainings) {
    this.surroundings = surroundings;
    this.catalog = catalog;
    this.models = models;
    this.planner = planner;
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
    Optional<ModelProvider> found = provider(descriptor, provider, create, position);
    Optional<Model> model = found.flatMap(known -> open(descriptor, known, create, position));
    if (model.isEmpty()) {
      catalog.markBroken(name);
      return;
    }
    Optional<SqlNode> query =
        create instanceof SqlCreateModelAs as ? Optional.of(as.getAsQuery()) : Optional.empty();
    Optional<Job> training = trainings.of(descriptor, found.get(), query, position);
    models.add(new DeclaredModel(descriptor, found.get(), model.get(), numbers++, false, training));
  }

  /** What follows scores by the model as it is with these options too. */
  void set(SqlAlterModelSet alter, SqlParserPos begin) {
    altered(alter, begin)
        .ifPresent(
            before -> {
              Map<String, String> options = new HashMap<>(before.descriptor().options());
              options.putAll(alter.getProperties());
              change(before, options, alter, begin);
            });
  }

  /** What follows scores by the model as it is without these options; Flink allows unknown ones. */
  void reset(SqlAlterModelReset alter, SqlParserPos begin) {
    if (alter.getResetKeys().isEmpty()) {
      throw new UnsupportedException("ALTER MODEL: RESET names no option", "RESET ('key')", begin);
    }
    altered(alter, begin)
        .ifPresent(
            before -> {
              Map<String, String> options = new HashMap<>(before.descriptor().options());
              options.keySet().removeAll(alter.getResetKeys());
              if (alter.getResetKeys().contains(PROVIDER)) {
                options.put(PROVIDER, ""); // Refused as another one is.
              }
              change(before, options, alter, begin);
            });
  }

  /** What follows knows the model by another name, and no longer by this one. */
  void rename(SqlAlterModelRename alter, SqlParserPos begin) {
    Optional<DeclaredModel> found = altered(alter, begin);
    if (found.isEmpty()) {
      return;
    }
    DeclaredModel before = found.get();
    String name = TableStatements.simpleName(alter.getNewModelName());
    if (models.find(name) != null) {
      throw new UnsupportedException(
          "ALTER MODEL: a model `%s` exists already".formatted(name), "another name", begin);
    }
    ModelDescriptor descriptor =
        new ModelDescriptor(name, before.input(), before.output(), before.descriptor().options());
    Optional<Model> model = open(descriptor, before.provider(), alter, begin);
    models.remove(before.name());
    if (model.isEmpty()) {
      catalog.markBroken(name);
      return;
    }
    models.add(
        new DeclaredModel(
            descriptor, before.provider(), model.get(), numbers++, false, before.query()));
  }

  /** The model that a statement changes; empty if there is none, and there need not be. */
  private Optional<DeclaredModel> altered(SqlAlterModel alter, SqlParserPos begin) {
    String[] fullName = alter.getFullName();
    String name = fullName[fullName.length - 1];
    DeclaredModel found = models.find(name);
    if (found == null && !alter.ifModelExists()) {
      throw unknown("ALTER MODEL", name, begin);
    }
    if (models.uses(name)) {
      throw used("ALTER MODEL", name, "the statement before that query", begin);
    }
    return Optional.ofNullable(found);
  }

  private void change(
      DeclaredModel before, Map<String, String> options, SqlCall alter, SqlParserPos begin) {
    String name = before.name();
    if (options.remove(PROVIDER) != null) {
      throw new UnsupportedException(
          "ALTER MODEL: 'provider' of `%s` stays as it is".formatted(name),
          "CREATE MODEL with another provider",
          begin);
    }
    ModelDescriptor descriptor =
        new ModelDescriptor(name, before.input(), before.output(), options);
    Optional<Model> model = open(descriptor, before.provider(), alter, begin);
    if (model.isEmpty()) {
      catalog.markBroken(name);
      return;
    }
    if (!before.provider().label(descriptor).equals(before.provider().label(before.descriptor()))) {
      throw new UnsupportedException(
          "ALTER MODEL: 'label' of `%s` stays as it is: its query is there for it".formatted(name),
          "the change in CREATE MODEL",
          begin);
    }
    models.add(
        new DeclaredModel(
            descriptor, before.provider(), model.get(), before.number(), false, before.query()));
  }

  private UnsupportedException unknown(String statement, String name, SqlParserPos begin) {
    return new UnsupportedException(
        "%s: there is no model `%s`%s"
            .formatted(statement, name, Names.didYouMean(name, models.names())),
        null,
        begin);
  }

  private static UnsupportedException used(
      String statement, String name, String remedy, SqlParserPos begin) {
    return new UnsupportedException(
        "%s: a query before scores by `%s`".formatted(statement, name), remedy, begin);
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

  private Optional<ModelProvider> provider(
      ModelDescriptor model, String provider, SqlCall statement, SqlParserPos position) {
    try {
      return Optional.of(surroundings.models().named(model.name(), provider));
    } catch (ConnectorException e) {
      add(String.valueOf(e.getMessage()), statement, position);
      return Optional.empty();
    }
  }

  /** Opens it, or says all that is wrong with its options, each at its own place. */
  private Optional<Model> open(
      ModelDescriptor model, ModelProvider provider, SqlCall statement, SqlParserPos position) {
    try {
      List<String> wrong = Options.problems(model.name(), provider.options(), model.options());
      wrong.forEach(problem -> add(problem, statement, position));
      if (wrong.isEmpty()) {
        var _ = DriftOptions.of(model);
      }
      return wrong.isEmpty()
          ? Optional.of(provider.open(model, surroundings.scriptFiles()))
          : Optional.empty();
    } catch (ConnectorException e) {
      add(String.valueOf(e.getMessage()), statement, position);
      return Optional.empty();
    }
  }

  /** Adds a problem at the option or the column that it names first. */
  private void add(String problem, SqlCall statement, SqlParserPos position) {
    String message = problem.replaceFirst("^table ", "model "); // Options speak of tables.
    SqlParserPos place =
        TableStatements.place(TableStatements.optionsOf(statement), message, position);
    if (statement instanceof SqlCreateModel create) {
      if (place.equals(position)) {
        place = place(create.getOutputColumnList(), message, position);
      }
      if (place.equals(position)) {
        place = place(create.getInputColumnList(), message, position);
      }
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
      throw used("DROP", name, "another name for the model that follows", begin);
    }
    if (models.find(name) != null) {
      models.remove(name);
    } else if (!ifExists) {
      throw unknown("DROP", name, begin);
    }
  }
}
