package io.sedge.learning.tensors;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An input or an output of a model, as its runtime tells of it.
 *
 * @param name of the input or output
 * @param typeName of its elements, for messages
 * @param element what its elements are; empty if no column fills them or is made of them
 * @param shape how long it is along each axis, below 0 if any; empty if it is no tensor at all
 */
public record ModelTensor(
    String name, String typeName, Optional<ElementType> element, Optional<List<Long>> shape) {
  public ModelTensor {
    shape = shape.map(List::copyOf);
  }

  /** {@code features FLOAT(any, 10)}. */
  String text() {
    return shape
        .map(
            lengths ->
                lengths.stream()
                    .map(length -> length < 0 ? "any" : Long.toString(length))
                    .collect(Collectors.joining(", ", "%s %s(".formatted(name, typeName), ")")))
        .orElseGet(() -> "%s (%s)".formatted(name, typeName));
  }
}
