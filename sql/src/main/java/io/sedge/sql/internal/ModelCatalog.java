package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.learning.DriftAccumulators;
import io.sedge.learning.DriftBoard;
import io.sedge.sql.Job;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The models that a script has declared so far. Their names are not those of tables. */
final class ModelCatalog {
  private final Map<String, DeclaredModel> models = new LinkedHashMap<>();
  private final Set<String> used = new HashSet<>();

  /** Those that queries score by beside the model of their name. */
  private final Map<String, DeclaredModel> shadows = new HashMap<>();

  private final DriftBoard board = new DriftBoard();

  void add(DeclaredModel model) {
    models.put(model.name(), model);
  }

  void remove(String name) {
    models.remove(name);
  }

  @Nullable DeclaredModel find(String name) {
    return models.get(name);
  }

  Set<String> names() {
    return models.keySet();
  }

  /** Notes that a query scores by a model. */
  void use(DeclaredModel model) {
    used.add(model.name());
  }

  /**
   * The model that scores beside another, which a query scores by; empty if its provider has none.
   *
   * @throws io.sedge.connector.ConnectorException if it cannot be opened
   */
  Optional<DeclaredModel> shadow(DeclaredModel model) {
    DeclaredModel known = shadows.get(model.name());
    if (known != null) {
      return Optional.of(known);
    }
    Optional<DeclaredModel> found = model.beside();
    found.ifPresent(shadow -> shadows.put(model.name(), shadow));
    return found;
  }

  private Stream<DeclaredModel> all() {
    return Stream.concat(models.values().stream(), shadows.values().stream());
  }

  boolean uses(String name) {
    return used.contains(name);
  }

  /** The names of the functions that score, as the engine has them. */
  Set<String> functionNames() {
    return all().map(DeclaredModel::functionName).collect(Collectors.toUnmodifiableSet());
  }

  /** The functions that score by the models that there are now. */
  FunctionRegistry functions() {
    Map<String, DeclaredModel> known =
        all().collect(Collectors.toUnmodifiableMap(DeclaredModel::functionName, model -> model));
    return (name, _, _) -> Optional.ofNullable(known.get(name)).map(DeclaredModel::scoring);
  }

  /** The aggregates that tell the drift of those that are watched. */
  AggregateRegistry drifts() {
    Map<String, DriftAccumulators.Watched> watched = new HashMap<>();
    for (DeclaredModel model : models.values()) {
      model
          .drift()
          .ifPresent(
              options ->
                  watched.put(
                      model.driftName(),
                      new DriftAccumulators.Watched(
                          model.descriptor(), model.model().reference(), options, board)));
    }
    return call ->
        Optional.ofNullable(watched.get(call.function()))
            .map(model -> () -> new DriftAccumulators(model));
  }

  /** What is known of their drift while the job runs. */
  DriftBoard board() {
    return board;
  }

  /** The trainings of those that are trained. */
  List<Job.Training> trainings() {
    return models.values().stream()
        .flatMap(
            model ->
                model.query().stream().map(query -> new Job.Training(model.descriptor(), query)))
        .toList();
  }

  /** What each function that a query calls scores by. */
  Map<String, String> identities() {
    return all()
        .filter(model -> used.contains(model.name()))
        .collect(
            Collectors.toUnmodifiableMap(
                DeclaredModel::functionName, model -> model.model().identity()));
  }
}
