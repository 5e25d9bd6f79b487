package io.sedge.learning.tensorflow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.internal.c_api.TF_Buffer;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.FunctionDefLibrary;
import org.tensorflow.proto.GradientDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.OpList;
import org.tensorflow.proto.SavedModel;
import org.tensorflow.proto.SaverDef;
import org.tensorflow.proto.SignatureDef;
import org.tensorflow.proto.TensorInfo;

/** What a model may not do is found wherever it hides, and what it does not do is not. */
class GraphTest {
  private static final String SIGNATURE = "serving_default";

  /** What else in TensorFlow has texts that look as if they named files or machines. */
  private static final Set<String> HARMLESS =
      Set.of(
          "CudnnRNN",
          "CudnnRNNBackprop",
          "CudnnRNNBackpropV2",
          "CudnnRNNBackpropV3",
          "CudnnRNNCanonicalToParams",
          "CudnnRNNCanonicalToParamsV2",
          "CudnnRNNParamsSize",
          "CudnnRNNParamsToCanonical",
          "CudnnRNNParamsToCanonicalV2",
          "CudnnRNNV2",
          "CudnnRNNV3",
          "RiscSort",
          "TPUReplicateMetadata",
          "TensorArrayGrad",
          "TensorArrayGradV2",
          "TensorArrayGradV3",
          "TensorArrayGradWithShape",
          "_TPUReplicate",
          "_XlaHostComputeMlir");

  private static final Pattern OUTSIDE =
      Pattern.compile(
          ".*(file|path|dir|source|address|target|host|url|command|library|checkpoint|prefix).*");

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

  private static Graph read(MetaGraphDef.Builder meta) throws IOException {
    return Graph.read(SavedModel.newBuilder().addMetaGraphs(meta).build().toByteString().newInput())
        .getFirst();
  }

  private static Optional<String> refused(GraphDef.Builder graph) throws IOException {
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

  /** An operation computes it from the function's name, without a call of it. */
  @Test
  void itIsFoundInTheGradientOfAFunction() throws IOException {
    NodeDef gradient =
        node("y", "SymbolicGradient").toBuilder().putAttr("f", call("good").build()).build();
    FunctionDefLibrary.Builder library =
        FunctionDefLibrary.newBuilder()
            .addGradient(GradientDef.newBuilder().setFunctionName("good").setGradientFunc("bad"))
            .addFunction(function("good", node("i", "Identity")))
            .addFunction(function("bad", node("r", "ReadFile")));
    assertThat(refused(GraphDef.newBuilder().addNode(gradient).setLibrary(library)))
        .contains("ReadFile");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DecodeProtoV2",
        "EncodeProto",
        "XlaCustomCall",
        "XlaCustomCallV2",
        "Recv",
        "_Recv",
        "_HostRecv",
        "Send",
        "RemoteCall",
        "Print",
        "PrintV2",
        "TextLineReaderV2",
        "TensorDataset"
      })
  void whatReachesOutsideIsRefused(String operation) throws IOException {
    assertThat(refused(GraphDef.newBuilder().addNode(node("y", operation)))).contains(operation);
  }

  private static byte[] operations() {
    try (TF_Buffer list = tensorflow.TF_GetAllOpList()) {
      return list.copyData();
    }
  }

  /** Another TensorFlow may have more of them. */
  @Test
  void whateverTakesATextThatMayNameAFileOrAMachineWasLookedAt() throws IOException {
    Set<String> allowed = new TreeSet<>();
    for (OpDef operation : OpList.parseFrom(operations()).getOpList()) {
      boolean takesTexts =
          Stream.concat(
                  operation.getInputArgList().stream()
                      .filter(argument -> argument.getType() == DataType.DT_STRING)
                      .map(OpDef.ArgDef::getName),
                  operation.getAttrList().stream()
                      .filter(attribute -> attribute.getType().contains("string"))
                      .map(OpDef.AttrDef::getName))
              .anyMatch(name -> OUTSIDE.matcher(name).matches());
      String name = operation.getName();
      if (takesTexts && refused(GraphDef.newBuilder().addNode(node("y", name))).isEmpty()) {
        allowed.add(name);
      }
    }
    assertThat(allowed).isEqualTo(new TreeSet<>(HARMLESS));
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
  void whatIsTooLargeForTheHeapIsRefused() throws IOException {
    GraphDef.Builder many = GraphDef.newBuilder().addNode(node("y", "Identity"));
    GraphDef.Builder wide = many.clone();
    for (int i = 0; i < 40_000; i++) {
      many.addNode(node("layer_%d/dense/MatMul".formatted(i), "MatMul", "y", "y:1"));
    }
    assertThat(refused(many)).isEmpty();
    for (int i = 0; i < 60_000; i++) {
      many.addNode(node("layer_%d/dense/BiasAdd".formatted(i), "BiasAdd", "y"));
    }
    NodeDef node = node("n", "AddN", Collections.nCopies(40_000, "y").toArray(String[]::new));
    for (int i = 0; i < 80; i++) {
      wide.addNode(node.toBuilder().setName("n" + i));
    }
    for (GraphDef.Builder large : List.of(many, wide)) {
      assertThatIOException()
          .isThrownBy(() -> refused(large))
          .withMessage(
              "its graph is too large: what is read of its nodes would take more than 24 MB of"
                  + " memory");
    }
    assertThatIOException()
        .isThrownBy(
            () -> refused(GraphDef.newBuilder().addNode(node("y".repeat(5_000), "Identity"))))
        .withMessage("a name in its graph is too long");
  }
}
