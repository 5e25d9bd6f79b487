package io.sedge.learning.tensorflow.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Suggestions;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.Reference;
import io.sedge.learning.Scorer;
import io.sedge.learning.tensorflow.internal.NativeSession.Place;
import io.sedge.learning.tensorflow.internal.NativeSession.Refusal;
import io.sedge.learning.tensors.Binding;
import io.sedge.learning.tensors.ElementType;
import io.sedge.learning.tensors.InputBuffer;
import io.sedge.learning.tensors.ModelChecks;
import io.sedge.learning.tensors.ModelTensor;
import io.sedge.learning.tensors.OpenModels;
import io.sedge.learning.tensors.OutputTensor;
import io.sedge.learning.tensors.TensorScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.SignatureDef;
import org.tensorflow.proto.TensorInfo;

/**
 * A signature of a SavedModel that is in TensorFlow's memory, shared by its scorers and by other
 * models of the same files; closed when nobody refers to them.
 */
public final class TensorFlowModel implements Model {
  /** Else the library below refuses to go on once the process is larger than four heaps. */
  private static final String MOST_PHYSICAL_BYTES = "org.bytedeco.javacpp.maxPhysicalBytes";

  private static final OpenModels<Key, NativeSession> OPEN =
      new OpenModels<>("sedge-tensorflow-cleaner");

  private final String name;
  private final String identity;
  private final OpenModels.Shared<NativeSession> session;
  private final Binding binding;
  private final List<Place> inputs;
  private final List<Place> outputs;
  private final Map<String, ElementType> types;
  private final Optional<Reference> reference;

  private record Key(String sha256, Set<String> tags) {}

  private TensorFlowModel(
      ModelDescriptor model,
      String identity,
      OpenModels.Shared<NativeSession> session,
      Binding binding,
      SignatureDef signature,
      Optional<Reference> reference)
      throws Refusal {
    this.name = model.name();
    this.identity = identity;
    this.session = session;
    this.binding = binding;
    this.reference = reference;
    this.types = types(signature);
    this.inputs =
        places(
            session.model(),
            signature.getInputsMap(),
            binding.inputs().stream().map(InputBuffer.Plan::name).toList());
    this.outputs =
        places(session.model(), signature.getOutputsMap(), List.copyOf(binding.outputNames()));
  }

  /**
   * Loads TensorFlow, if it is not yet.
   *
   * @throws LinkageError if it is not here
   */
  public static void loadLibrary() {
    if (System.getProperty(MOST_PHYSICAL_BYTES) == null) {
      System.setProperty(MOST_PHYSICAL_BYTES, "0");
    }
    NativeSession.loadLibrary();
  }

  /**
   * Checks a model's inputs and outputs against its declaration, and loads it unless another of the
   * same files is loaded.
   *
   * @param tags of the graph
   * @param signatureName which signature
   * @throws ConnectorException of kind USER if it is none, or another one than declared; of kind
   *     FILE if it cannot be copied
   * @throws LinkageError if TensorFlow is not here
   */
  public static TensorFlowModel open(
      ModelDescriptor model, ModelFiles files, Set<String> tags, String signatureName) {
    loadLibrary();
    try {
      Graph graph = graph(model, files, tags);
      SignatureDef signature = signature(model, graph, signatureName);
      Binding binding =
          Binding.of(model, tensors(signature.getInputsMap()), tensors(signature.getOutputsMap()));
      Optional<String> refused = graph.refused(signature);
      if (refused.isPresent()) {
        throw wrong(
            model,
            "'path': %s has the operation %s, which may reach files, other programs or other machines; a model has its weights and tables in itself"
                .formatted(files.name(), refused.get()));
      }
      Optional<Reference> reference =
          ModelChecks.reference(model, files.name(), files.sha256(), files.reference());
      OpenModels.Shared<NativeSession> session =
          OPEN.get(
              new Key(files.sha256(), Set.copyOf(tags)),
              () -> load(files, tags),
              NativeSession::close);
      String identity =
          "tensorflow, SHA-256 %s, signature %s".formatted(files.sha256(), signatureName);
      return new TensorFlowModel(model, identity, session, binding, signature, reference);
    } catch (IOException | Refusal e) {
      throw damaged(model, files, e);
    }
  }

  private static NativeSession load(ModelFiles files, Set<String> tags) throws Refusal {
    try (ModelCopy copy = ModelCopy.of(files)) {
      try {
        return NativeSession.load(copy.directory(), tags);
      } catch (Refusal e) {
        String text = String.valueOf(e.getMessage());
        throw new Refusal(text.replace(copy.directory().toString(), "it"));
      }
    }
  }

  private static Graph graph(ModelDescriptor model, ModelFiles files, Set<String> tags)
      throws IOException {
    List<Graph> graphs = files.graphs();
    if (graphs.isEmpty()) {
      throw new IOException("its %s has no graph".formatted(ModelFiles.GRAPH));
    }
    return graphs.stream()
        .filter(graph -> graph.tags().equals(tags))
        .findFirst()
        .orElseThrow(
            () ->
                wrong(
                    model,
                    "'tags' = '%s', but %s has %s"
                        .formatted(
                            String.join(",", new TreeSet<>(tags)),
                            files.name(),
                            String.join(
                                " and ",
                                graphs.stream()
                                    .map(graph -> "'%s'".formatted(String.join(",", graph.tags())))
                                    .toList()))));
  }

  private static SignatureDef signature(ModelDescriptor model, Graph graph, String name) {
    Map<String, SignatureDef> signatures = graph.signatures();
    SignatureDef found = signatures.get(name);
    if (found == null) {
      throw wrong(
          model,
          "'signature' = '%s' is not one of %s%s"
              .formatted(
                  name,
                  signatures.isEmpty()
                      ? "none, as the model was exported without"
                      : String.join(", ", signatures.keySet()),
                  Suggestions.closest(name, signatures.keySet())
                      .map("; did you mean '%s'?"::formatted)
                      .orElse("")));
    }
    return found;
  }

  /** By name: the file has them in no order. */
  private static List<ModelTensor> tensors(Map<String, TensorInfo> tensors) {
    return new TreeMap<>(tensors)
        .entrySet().stream().map(entry -> tensor(entry.getKey(), entry.getValue())).toList();
  }

  private static ModelTensor tensor(String name, TensorInfo tensor) {
    if (tensor.getEncodingCase() != TensorInfo.EncodingCase.NAME) {
      return new ModelTensor(
          name, tensor.getEncodingCase().name(), Optional.empty(), Optional.empty());
    }
    // A shape of which nothing is known may be a matrix.
    List<Long> shape =
        tensor.getTensorShape().getUnknownRank()
            ? List.of(-1L, -1L)
            : tensor.getTensorShape().getDimList().stream()
                .map(length -> length.getSize())
                .toList();
    Optional<ElementType> element = element(tensor.getDtype());
    String type = tensor.getDtype().name().replaceFirst("^DT_", "");
    return new ModelTensor(
        name, element.map(ElementType::name).orElse(type), element, Optional.of(shape));
  }

  private static Optional<ElementType> element(DataType type) {
    return switch (type) {
      case DT_FLOAT -> Optional.of(ElementType.FLOAT);
      case DT_DOUBLE -> Optional.of(ElementType.DOUBLE);
      case DT_INT64 -> Optional.of(ElementType.INT64);
      case DT_INT32 -> Optional.of(ElementType.INT32);
      case DT_BOOL -> Optional.of(ElementType.BOOL);
      case DT_STRING -> Optional.of(ElementType.STRING);
      default -> Optional.empty();
    };
  }

  private static Map<String, ElementType> types(SignatureDef signature) {
    Map<String, ElementType> types = new HashMap<>();
    signature
        .getOutputsMap()
        .forEach(
            (output, tensor) ->
                element(tensor.getDtype()).ifPresent(type -> types.put(output, type)));
    return types;
  }

  private static List<Place> places(
      NativeSession session, Map<String, TensorInfo> tensors, List<String> names) throws Refusal {
    List<Place> places = new ArrayList<>();
    for (String name : names) {
      TensorInfo tensor = Objects.requireNonNull(tensors.get(name));
      places.add(session.place(name, tensor.getName(), tensor.getDtypeValue()));
    }
    return List.copyOf(places);
  }

  private static ConnectorException damaged(ModelDescriptor model, ModelFiles files, Exception e) {
    String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    String hint =
        why.contains("Op type not registered")
            ? "; operations are those of TensorFlow itself, without those of other libraries"
            : "";
    return new ConnectorException(
        Kind.USER,
        "model %s: 'path': %s is no model that can be loaded: %s%s"
            .formatted(model.name(), files.name(), why, hint),
        e);
  }

  private static ConnectorException wrong(ModelDescriptor model, String why) {
    return new ConnectorException(Kind.USER, "model %s: %s".formatted(model.name(), why));
  }

  @Override
  public String identity() {
    return identity;
  }

  @Override
  public Optional<Reference> reference() {
    return reference;
  }

  @Override
  public Scorer scorer() {
    return new TensorScorer(name, binding, this::compute);
  }

  private Map<String, OutputTensor> compute(List<InputBuffer> filled, int rows) {
    try {
      return session.model().run(filled, inputs, rows, outputs, types);
    } catch (Refusal e) {
      throw new EvaluationException("model %s: %s".formatted(name, e.getMessage()), e);
    } finally {
      // The session is closed once nobody refers to it.
      java.lang.ref.Reference.reachabilityFence(this);
    }
  }

  NativeSession session() {
    return session.model();
  }
}
