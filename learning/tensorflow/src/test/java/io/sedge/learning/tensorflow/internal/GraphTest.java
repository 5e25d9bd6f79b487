package io.sedge.learning.tensorflow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.FunctionDefLibrary;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.SavedModel;
import org.tensorflow.proto.SaverDef;
import org.tensorflow.proto.SignatureDef;
import org.tensorflow.proto.TensorInfo;

/** What a model may not do is found wherever it hides, and what it does not do is not. */
class GraphTest {
  private static final String SIGNATURE = "serving_default";

  @TempDir private Path directory;

  private static NodeDef node(String name, String operation, String... inputs) {
    return NodeDef.newBuilder().setName(name).setOp(operation).addAllInput(List.of(inputs)).build();
  }

  private static FunctionDef function(String name, NodeDef... nodes) {
    return FunctionDef.newBuilder()
        .setSignature(OpDef.newBuilder().setName(name))
        .addAllNodeDef(List.of(nodes))
        .build();
  }

  private static AttrValue.Builder call(String function) {
    return AttrValue.newBuilder().setFunc(NameAttrList.newBuilder().setName(function));
  }

  private static SignatureDef gives(String output) {
    return SignatureDef.newBuilder()
        .putOutputs("y", TensorInfo.newBuilder().setName(output).build())
        .build();
  }

  private Graph read(MetaGraphDef.Builder meta) throws IOException {
    Path file = directory.resolve("saved_model.pb");
    Files.write(file, SavedModel.newBuilder().addMetaGraphs(meta).build().toByteArray());
    return Graph.read(file).getFirst();
  }

  private Optional<String> refused(GraphDef.Builder graph) throws IOException {
    SignatureDef signature = gives("y:0");
    return read(MetaGraphDef.newBuilder()
            .setGraphDef(graph)
            .setSaverDef(SaverDef.newBuilder().setRestoreOpName("restore"))
            .putSignatureDef(SIGNATURE, signature))
        .refused(signature);
  }

  @Test
  void whatScoringDoesNotReachIsLeftAlone() throws IOException {
    GraphDef.Builder graph =
        GraphDef.newBuilder()
            .addNode(node("x", "Placeholder"))
            .addNode(node("y", "Identity", "x"))
            .addNode(node("save", "SaveV2", "x"))
            .addNode(node("restore", "RestoreV2", "name"))
            .addNode(node("name", "Placeholder"));
    assertThat(refused(graph)).isEmpty();
    assertThat(refused(graph.clone().addNode(node("z", "ReadFile")))).isEmpty();
  }

  @Test
  void whatScoringOrLoadingReachesIsFound() throws IOException {
    assertThat(
            refused(
                GraphDef.newBuilder()
                    .addNode(node("y", "Identity", "a:1"))
                    .addNode(node("a", "Identity", "^b"))
                    .addNode(node("b", "SaveV2"))))
        .contains("SaveV2");
    assertThat(
            refused(
                GraphDef.newBuilder()
                    .addNode(node("y", "Identity"))
                    .addNode(node("restore", "Identity", "^w"))
                    .addNode(node("w", "WriteFile"))))
        .contains("WriteFile");
    assertThat(refused(GraphDef.newBuilder().addNode(node("y", "RestoreV2"))))
        .as("a checkpoint that a signature names itself")
        .contains("RestoreV2");
    SignatureDef signature = gives("y:0");
    assertThat(
            read(MetaGraphDef.newBuilder()
                    .setGraphDef(
                        GraphDef.newBuilder()
                            .addNode(node("y", "Identity"))
                            .addNode(node("init", "InitializeTableFromTextFileV2")))
                    .putSignatureDef(SIGNATURE, signature)
                    .putSignatureDef("__saved_model_init_op", gives("init")))
                .refused(signature))
        .contains("InitializeTableFromTextFileV2");
  }

  @Test
  void itIsFoundInFunctionsOfFunctions() throws IOException {
    NodeDef branch =
        node("i", "If").toBuilder().putAttr("then_branch", call("inner").build()).build();
    NodeDef cases =
        node("c", "Case").toBuilder()
            .putAttr(
                "branches",
                AttrValue.newBuilder()
                    .setList(
                        AttrValue.ListValue.newBuilder()
                            .addFunc(NameAttrList.newBuilder().setName("outer")))
                    .build())
            .build();
    FunctionDefLibrary.Builder library =
        FunctionDefLibrary.newBuilder()
            .addFunction(function("called", cases))
            .addFunction(function("outer", branch))
            .addFunction(function("inner", node("r", "ReadFile")));
    assertThat(refused(GraphDef.newBuilder().addNode(node("y", "called")).setLibrary(library)))
        .contains("ReadFile");
    assertThat(refused(GraphDef.newBuilder().addNode(node("y", "Identity")).setLibrary(library)))
        .isEmpty();
  }

  /** Of a field that stands there twice TensorFlow takes the last value. */
  @Test
  void itIsFoundBehindAnotherName() throws IOException {
    UnknownFieldSet twice =
        UnknownFieldSet.newBuilder()
            .addField(
                1,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(
                        node("y", "Identity")
                            .toByteString()
                            .concat(NodeDef.newBuilder().setOp("ReadFile").build().toByteString()))
                    .build())
            .build();
    assertThat(refused(GraphDef.newBuilder().setUnknownFields(twice))).contains("ReadFile");
  }

  @Test
  void whatIsTooLargeForTheHeapIsRefused() {
    assertThatIOException()
        .isThrownBy(
            () -> refused(GraphDef.newBuilder().addNode(node("y".repeat(5_000), "Identity"))))
        .withMessage("a name in its graph is too long");
  }
}
