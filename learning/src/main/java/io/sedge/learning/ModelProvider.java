package io.sedge.learning;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.ScriptFiles;
import java.util.List;
import java.util.Optional;

/**
 * The entrance to a provider of models; one class each, named in {@code META-INF/services}. A
 * provider is looked for when a script declares its first model, and loads native libraries when it
 * opens one. Any thread.
 */
public interface ModelProvider {
  /** The value of {@code 'provider'} that chooses it. */
  String name();

  /** The options it takes. */
  List<Option> options();

  /**
   * Whether its models are trained from the rows that {@code CREATE MODEL … AS} gives: those
   * columns of its input, and the one that is learned.
   */
  default boolean isTrained() {
    return false;
  }

  /**
   * The column that a model learns, besides those of its input.
   *
   * @throws ConnectorException as {@link #open}
   */
  default Optional<String> label(ModelDescriptor model) {
    return Optional.empty();
  }

  /**
   * Opens a model and checks it against its declaration.
   *
   * @param model whose options have been checked against {@link #options()}
   * @param files where its files are
   * @throws ConnectorException of kind USER or FILE if the model is not there, is damaged, or is
   *     another one than declared. The message says what to write, and names an option or a column
   *     as the script does ({@code 'path'}, {@code `vibration`}), by which its place is found
   */
  Model open(ModelDescriptor model, ScriptFiles files);
}
