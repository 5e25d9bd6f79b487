package io.sedge.learning;

import java.util.Optional;

/**
 * A model that is open. Its memory is given back when nobody refers to it or its scorers any
 * longer. Any thread.
 */
public interface Model {
  /**
   * What it is, in one line: what is kept of scores goes on with a model that has the same line.
   * For people too, such as {@code onnx, SHA-256 3f5a…}.
   */
  String identity();

  /**
   * Which scores it gives: two models of one {@link #identity} may be versions that give others.
   * What is told of how good a model is, is told of one version.
   */
  default String version() {
    return identity();
  }

  /** A scorer for one thread. Costs little until it scores. */
  Scorer scorer();

  /**
   * The version of it that scores beside this one and that nothing else uses; its scores are NULL
   * while there is none. Empty if a model of its provider has one version.
   *
   * @throws io.sedge.connector.ConnectorException as {@link ModelProvider#open}
   */
  default Optional<Model> shadow() {
    return Optional.empty();
  }

  /** What the rows looked like that it was trained from, if that is known. */
  default Optional<Reference> reference() {
    return Optional.empty();
  }
}
