package io.sedge.tensor.training.data;

import java.util.ArrayList;
import java.util.List;

/**
 * Which columns of a table make an example.
 *
 * @param features what the model sees, at least one column
 * @param targets what it shall say; empty where it shall reproduce what it sees
 * @param window how many rows in a row make one example, 1 and more; the target is the last row's
 * @param stride how many rows further the next example begins, 1 and more
 */
public record ExampleColumns(List<String> features, List<String> targets, int window, int stride) {
  /** Checks and copies. */
  public ExampleColumns {
    features = List.copyOf(features);
    targets = List.copyOf(targets);
    if (features.isEmpty()) {
      throw new DataException("no features are named: name at least one column");
    }
    if (window < 1 || stride < 1) {
      throw new DataException(
          "window %d and stride %d: both are 1 or more".formatted(window, stride));
    }
    for (String target : targets) {
      if (features.contains(target)) {
        throw new DataException(
            "column '%s' is a feature and a target: the model would only copy it"
                .formatted(target));
      }
    }
  }

  /** One row is one example. */
  public ExampleColumns(List<String> features, List<String> targets) {
    this(features, targets, 1, 1);
  }

  /** Features, then targets: the columns that must be there. */
  public List<String> all() {
    List<String> all = new ArrayList<>(features);
    all.addAll(targets);
    return all;
  }
}
