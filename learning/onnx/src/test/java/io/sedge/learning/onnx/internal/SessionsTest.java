package io.sedge.learning.onnx.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.ModelDescriptor;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A script that is compiled again and again opens its model once. */
class SessionsTest {
  private static OnnxModel open(String name, int threads) {
    Schema.Builder input = Schema.builder();
    for (int i = 0; i < 10; i++) {
      input.add("x" + i, Type.DOUBLE);
    }
    ModelDescriptor model =
        new ModelDescriptor(
            name, input.build(), Schema.builder().add("risk", Type.DOUBLE).build(), Map.of());
    Path path = Path.of("src/test/resources/models/mlp.onnx");
    try (ModelFile file = ModelFile.read(name, "mlp.onnx", path)) {
      return OnnxModel.open(model, file, threads);
    }
  }

  @Test
  void modelsOfOneFileHaveOneSession() {
    OnnxModel first = open("m", 1);
    assertThat(open("n", 1).session()).isSameAs(first.session());
    assertThat(open("m", 2).session()).isNotSameAs(first.session());
  }
}
