package io.sedge.learning.tensorflow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.tensorflow.SavedModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    ModelFiles files = ModelFiles.read("m", "network", path);
    return TensorFlowModel.open(model, files, Set.of("serve"), "serving_default");
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
    try (ModelCopy copy = ModelCopy.of(ModelFiles.read("m", "network", path))) {
      copied = copy.directory();
      assertThat(copied.resolve(ModelFiles.GRAPH)).exists();
    }
    assertThat(copied).doesNotExist();
    assertThat(copied.getParent()).doesNotExist();
  }

  @Test
  void aModelThatChangesBetweenIsNotLoaded() throws IOException {
    Path path = SavedModels.network(directory.resolve("network"), 2, -1);
    ModelFiles files = ModelFiles.read("m", "network", path);
    Files.writeString(path.resolve("note"), "another one");
    assertThatThrownBy(() -> ModelCopy.of(files))
        .hasMessage(
            "model m: 'path': network was changed while it was read; try again when it is whole");
  }

  /** A job that does not compile is compiled again and again. */
  @Test
  void nothingIsWrittenUnlessAModelIsLoaded() throws IOException {
    Path path = SavedModels.network(directory.resolve("network"), 2, -1);
    TensorFlowModel first = open(path);
    String before = System.getProperty("java.io.tmpdir");
    System.setProperty("java.io.tmpdir", directory.resolve("absent").toString());
    try {
      assertThat(open(path).session()).isSameAs(first.session());
      Path three = SavedModels.network(directory.resolve("three"), 3, -1);
      assertThatThrownBy(() -> open(three)).hasMessageContaining("but INPUT has 2 columns");
      Path other = SavedModels.network(directory.resolve("other"), 2, 3);
      assertThatThrownBy(() -> open(other))
          .as("a fault of the machine, not of the model")
          .hasMessageContaining("cannot be copied among the temporary files")
          .hasMessageContaining("(NoSuchFileException). Is there room in ");
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
  }

  @Test
  void aSessionThatIsClosedGivesItsMemoryBack() throws Exception {
    Path path = SavedModels.network(directory.resolve("network"), 2, -1);
    NativeSession session = NativeSession.load(path, Set.of("serve"));
    session.close();
    assertThatThrownBy(() -> NativeSession.load(path, Set.of("other")))
        .isInstanceOf(NativeSession.Refusal.class);
  }
}
