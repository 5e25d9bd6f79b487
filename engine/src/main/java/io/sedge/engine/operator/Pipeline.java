package io.sedge.engine.operator;

/** Filled by the operators' author. */
final class Pipeline {
  private Pipeline() {}
}
