package io.sedge.learning;

import io.sedge.engine.type.Schema;
import java.util.Map;

/**
 * A model as a script declares it.
 *
 * @param name of the model
 * @param input the features, in the order in which {@link Scorer#score} is given them
 * @param output the columns of a score
 * @param options of the provider, by key
 */
public record ModelDescriptor(
    String name, Schema input, Schema output, Map<String, String> options) {
  public ModelDescriptor {
    options = Map.copyOf(options);
  }
}
