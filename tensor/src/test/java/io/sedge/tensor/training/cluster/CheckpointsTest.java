package io.sedge.tensor.training.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.Graph;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.StdArrays;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TType;

class CheckpointsTest {
  private static final Map<String, Class<? extends TType>> TYPES = types();

  @TempDir private Path folder;

  private static Map<String, Class<? extends TType>> types() {
    Map<String, Class<? extends TType>> types = new LinkedHashMap<>();
    types.put("layer/kernel", TFloat32.class);
    types.put("global_step", TInt64.class);
    return types;
  }

  private static void save(Checkpoints checkpoints, long step) {
    try (TFloat32 kernel = TFloat32.vectorOf((float) step, 2, 3);
        TInt64 number = TInt64.scalarOf(step)) {
      checkpoints.save(step, Map.of("layer/kernel", kernel, "global_step", number));
    }
  }

  @Test
  void whatIsSavedReadsBackAndOnlyTheLastOnesStay() throws IOException {
    try (Checkpoints checkpoints = Checkpoints.open(folder, 2)) {
      assertThat(checkpoints.latest()).isEmpty();
      save(checkpoints, 1);
      save(checkpoints, 20);
      save(checkpoints, 3);
      save(checkpoints, 100);
      assertThat(checkpoints.all())
          .extracting(Checkpoints.Checkpoint::step)
          .containsExactly(20L, 100L);
      Path prefix = checkpoints.latest().orElseThrow().prefix();
      try (Result result = Checkpoints.read(prefix, TYPES)) {
        Map<String, Tensor> named = Checkpoints.byName(result, TYPES);
        assertThat(StdArrays.array1dCopyOf((TFloat32) named.get("layer/kernel")))
            .containsExactly(100, 2, 3);
        assertThat(((TInt64) named.get("global_step")).getLong()).isEqualTo(100);
      }
    }
    assertThat(Files.readString(folder.resolve("checkpoint")))
        .isEqualTo(
            """
            model_checkpoint_path: "ckpt-100"
            all_model_checkpoint_paths: "ckpt-20"
            all_model_checkpoint_paths: "ckpt-100"
            """);
    assertThat(names()).noneMatch(name -> name.startsWith("unfinished"));
  }

  @Test
  void aDirectoryBelongsToOneTrainingAtATime() {
    try (Checkpoints first = Checkpoints.open(folder, 1)) {
      assertThat(first.directory()).isEqualTo(folder.toAbsolutePath());
      assertThatThrownBy(() -> Checkpoints.open(folder, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("belongs to a training that runs");
    }
    Checkpoints.open(folder, 1).close();
  }

  /** A full disk stands as a file where a directory was: no byte of the draft can be written. */
  @Test
  void oneThatCannotBeWrittenLeavesThoseBeforeIt() throws IOException {
    try (Checkpoints checkpoints = Checkpoints.open(folder, 2)) {
      save(checkpoints, 1);
      Files.createDirectories(folder.resolve("unfinished-2.index/in the way"));
      assertThatThrownBy(() -> save(checkpoints, 2))
          .hasMessageContaining("checkpoint of step 2 cannot be written to " + folder);
      assertThat(checkpoints.latest().orElseThrow().step()).isEqualTo(1);
      assertThat(Files.readString(folder.resolve("checkpoint"))).contains("ckpt-1");
    }
  }

  /** What a process that was killed while it wrote leaves behind. */
  @Test
  void whatWasNotFinishedIsNoCheckpointAndIsRemoved() throws IOException {
    Files.writeString(folder.resolve("unfinished-7.index"), "half");
    Files.writeString(folder.resolve("ckpt-7.data-00000-of-00001"), "data without an index");
    Files.writeString(folder.resolve("ckpt-8.index"), "an index without data");
    try (Checkpoints checkpoints = Checkpoints.open(folder, 2)) {
      assertThat(checkpoints.all()).isEmpty();
    }
    assertThat(names()).doesNotContain("unfinished-7.index");
  }

  @Test
  void aCheckpointWithoutAVariableOrNoneAtAllIsRefused() {
    try (Checkpoints checkpoints = Checkpoints.open(folder, 2);
        TInt64 number = TInt64.scalarOf(1)) {
      Path prefix = checkpoints.save(1, Map.of("global_step", number)).prefix();
      assertThatThrownBy(() -> Checkpoints.read(prefix, TYPES))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("layer/kernel");
      assertThatThrownBy(() -> Checkpoints.read(folder.resolve("none"), TYPES))
          .hasMessageContaining("no such checkpoint");
    }
  }

  /** SH-17 to SH-21, PS-22: what two pieces saved, one, two or four read. */
  @Test
  void piecesDoNotMatterToACheckpoint() {
    try (Checkpoints checkpoints = Checkpoints.open(folder, 1)) {
      try (Graph graph = new Graph();
          Session session = new Session(graph);
          TFloat32 value = TFloat32.vectorOf(1, 2, 3, 4)) {
        VariableValues values = values(graph, 2);
        GraphRunner runner = GraphRunner.local(session);
        assertThat(values.arePresent(runner)).isFalse();
        values.assign(runner, Map.of("w", value));
        assertThat(values.arePresent(runner)).isTrue();
        try (Result read = values.read(runner)) {
          checkpoints.save(1, values.byName(read));
        }
      }
      for (int shards : List.of(1, 2, 4)) {
        try (Graph graph = new Graph();
            Session session = new Session(graph)) {
          Variables variables = Variables.local(graph, Partitioner.fixedShards(shards));
          ShardedVariable<TFloat32> variable = variables.create("w", TFloat32.class, Shape.of(4));
          VariableValues values = new VariableValues(graph, variables);
          GraphRunner runner = GraphRunner.local(session);
          Path prefix = checkpoints.latest().orElseThrow().prefix();
          try (Result saved = Checkpoints.read(prefix, values.types())) {
            values.assign(runner, Checkpoints.byName(saved, values.types()));
          }
          ShardedVariable.Shard last = variable.shards().getLast();
          try (Result read = session.runner().fetch(variable.read(Ops.create(graph), last)).run()) {
            float[] tail = StdArrays.array1dCopyOf((TFloat32) read.get(0));
            assertThat(tail).hasSize(4 / shards);
            assertThat(tail[tail.length - 1]).isEqualTo(4);
          }
        }
      }
    }
  }

  private static VariableValues values(Graph graph, int shards) {
    Variables variables = Variables.local(graph, Partitioner.fixedShards(shards));
    variables.create("w", TFloat32.class, Shape.of(4));
    return new VariableValues(graph, variables);
  }

  private Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }
}
