package io.sedge.sql.internal;

import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.DriftOptions;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.sql.Job;
import java.util.Optional;

/**
 * What CREATE MODEL has declared, and the model.
 *
 * @param provider that of its name
 * @param number different from that of other models of the script
 * @param shadow whether it is the one that scores beside the model of its name
 * @param query what it is trained from; empty if it is not trained
 */
record DeclaredModel(
    ModelDescriptor descriptor,
    ModelProvider provider,
    Model model,
    int number,
    boolean shadow,
    Optional<Job> query) {
  String name() {
    return descriptor.name();
  }

  /** The model that scores beside this one; empty if its provider has none. */
  Optional<DeclaredModel> beside() {
    return model
        .shadow()
        .map(
            other ->
                new DeclaredModel(descriptor, provider, other, number, true, Optional.empty()));
  }

  /** The engine's name of the scalar function that gives its scores as a ROW. */
  String functionName() {
    if (shadow) {
      return Job.SHADOW + name();
    }
    return (drift().isPresent() ? Job.WATCHED : "") + "MODEL " + name();
  }

  /** Whether a function gives scores that a query and the watch over its model share. */
  static boolean isWatched(String function) {
    return function.startsWith(Job.WATCHED);
  }

  /** How it is watched for drift; empty if it is not, as one that scores beside another. */
  Optional<DriftOptions> drift() {
    return shadow ? Optional.empty() : DriftOptions.of(descriptor);
  }

  /** The engine's name of the aggregate that tells its drift. */
  String driftName() {
    return "DRIFT " + name();
  }

  Schema input() {
    return descriptor.input();
  }

  Schema output() {
    return descriptor.output();
  }

  /** The type of its scores. */
  Type scoreType() {
    return Type.row(output().names(), output().types()).withNullable(true);
  }

  /** A function for one thread. */
  ScalarFunction scoring() {
    return new Prediction(model.scorer(), output());
  }
}
