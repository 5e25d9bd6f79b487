package io.sedge.tensor.training;

/** What a layer does to each number that it has computed. */
public enum Activation {
  /** Nothing. */
  LINEAR,
  /** 0 for what is negative. */
  RELU,
  /** Between -1 and 1. */
  TANH,
  /** Between 0 and 1. */
  SIGMOID,
  /** e^x - 1 for what is negative. */
  ELU,
  /** ln(1 + e^x). */
  SOFTPLUS
}
