package io.sedge.tensor.training.cluster;

/** Servers that training cannot do without did not answer for as long as was allowed. */
public final class ClusterLostException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ClusterLostException(String message) {
    super(message);
  }
}
