package io.sedge.learning.tensors;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Option;
import io.sedge.learning.DriftOptions;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.Reference;
import java.util.List;
import java.util.Optional;

/**
 * What is checked of each model that somebody brings: whether it is the one that is meant, and what
 * it knows of the rows that it was trained from.
 */
public final class ModelChecks {
  private static final int VERSION_DIGITS = 12;

  /** Options that all such models have. */
  public static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              Binding.OUTPUT_PREFIX + "#",
              Option.Kind.STRING,
              "which output of the model a column is: its name, or 'name[1]' for one of several"
                  + " values of a row"));

  private ModelChecks() {}

  /**
   * @param key of the option with the hash that is wanted
   * @param path as the script has it
   * @param sha256 the hash that was found
   * @throws ConnectorException of kind USER if it is another one than the script says
   */
  public static void requireHash(ModelDescriptor model, String key, String path, String sha256) {
    String wanted = model.options().getOrDefault(key, sha256);
    if (!wanted.equalsIgnoreCase(sha256)) {
      throw wrong(
          model,
          "'%s' = '%s', but %s has %s: another file than the one meant"
              .formatted(key, wanted, path, sha256));
    }
  }

  /**
   * What a model says of its training rows, if that is of the columns that are declared.
   *
   * @param path as the script has it
   * @param sha256 the model's hash
   * @param text as the model has it
   * @throws ConnectorException of kind USER if it is damaged, or if there is none and the script
   *     watches the model for drift
   */
  public static Optional<Reference> reference(
      ModelDescriptor model, String path, String sha256, Optional<String> text) {
    Optional<Reference> found;
    try {
      int columns = model.input().size() + model.output().size();
      found =
          text.map(known -> Reference.parse(sha256.substring(0, VERSION_DIGITS), known))
              .filter(reference -> reference.columns().size() == columns);
    } catch (IllegalArgumentException e) {
      throw new ConnectorException(
          Kind.USER,
          "model %s: 'path': %s is damaged: its entry %s: %s"
              .formatted(model.name(), path, Reference.KEY, e.getMessage()),
          e);
    }
    if (found.isEmpty() && DriftOptions.of(model).isPresent()) {
      throw wrong(
          model,
          "'%s', but %s does not say what its training rows looked like; files that sedge model export writes do"
              .formatted(DriftOptions.TABLE, path));
    }
    return found;
  }

  private static ConnectorException wrong(ModelDescriptor model, String why) {
    return new ConnectorException(Kind.USER, "model %s: %s".formatted(model.name(), why));
  }
}
