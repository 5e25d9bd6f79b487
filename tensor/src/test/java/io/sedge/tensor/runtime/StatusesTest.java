package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatusesTest {
  /** TensorFlow's words for a request that came twice hold the request, with all its tensors. */
  @Test
  void aMessageOfManyTensorsIsShortened() {
    String message = "RunGraph was received twice " + "\\000".repeat(50_000) + " (the end)";
    assertThat(Statuses.shortened(message))
        .hasSizeLessThan(Statuses.MOST_CHARACTERS + 50)
        .startsWith("RunGraph was received twice ")
        .contains(" characters) ... ")
        .endsWith(" (the end)");
  }

  @Test
  void aShortMessageStaysAsItIs() {
    assertThat(Statuses.shortened("x".repeat(Statuses.MOST_CHARACTERS)))
        .hasSize(Statuses.MOST_CHARACTERS);
  }
}
