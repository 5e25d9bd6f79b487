package io.sedge.learning.tensorflow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.tensorflow.SavedModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A script that is compiled again and again loads its model once, and leaves no copy of it. */
class OneModelTest {
  @TempDir private Path directory;

  private static TensorFlowModel open(Path path) {
    Schema input = Schema.builder().add("a", Type.DOUBLE).add("b", Type.DOUBLE).build();
    ModelDescriptor model =
        new ModelDescriptor(
            "m", input, Schema.builder().add("risk", Type.DOUBLE).build(), Map.of());
    try (ModelCopy copy = ModelCopy.of("m", "network", path)) {
      return TensorFlowModel.open(model, copy, Set.of("serve"), "serving_default");
    }
  }

  @Test
  void modelsOfEqualFilesHaveOneSession() throws IOException {
    Path path = SavedModels.network(directory.resolve("network"), 2, -1);
    TensorFlowModel first = open(path);
    assertThat(open(path).session()).isSameAs(first.session());
    Files.writeString(path.resolve("note"), "another one");
    assertThat(open(path).session()).isNotSameAs(first.session());
  }

  @Test
  void aCopyLastsUntilTheModelIsLoaded() throws IOException {
    Path path = SavedModels.network(directory.resolve("network"), 2, -1);
    Path copied;
    try (ModelCopy copy = ModelCopy.of("m", "network", path)) {
      copied = copy.directory();
      assertThat(copied.resolve(ModelCopy.GRAPH)).exists();
    }
    assertThat(copied).doesNotExist();
  }

  @Test
  void whatAKilledProcessHasLeftGoes() throws IOException {
    Path old = Files.createDirectory(directory.resolve("sedge-saved-model1"));
    Files.writeString(Files.createDirectory(old.resolve("variables")).resolve("x"), "x");
    Files.setLastModifiedTime(old, FileTime.from(Instant.parse("2026-11-28T10:00:00Z")));
    Path young = Files.createDirectory(directory.resolve("sedge-saved-model2"));
    Files.setLastModifiedTime(young, FileTime.from(Instant.parse("2026-11-28T11:30:00Z")));
    ModelCopy.removeLeftovers(directory, Instant.parse("2026-11-28T12:00:00Z"));
    assertThat(old).doesNotExist();
    assertThat(young).exists();
  }
}
