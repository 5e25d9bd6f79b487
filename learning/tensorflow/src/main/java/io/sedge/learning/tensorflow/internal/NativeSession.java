package io.sedge.learning.tensorflow.internal;

import io.sedge.learning.tensors.ElementType;
import io.sedge.learning.tensors.InputBuffer;
import io.sedge.learning.tensors.OutputTensor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.tensorflow.internal.c_api.TF_Buffer;
import org.tensorflow.internal.c_api.TF_Graph;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Output;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_SessionOptions;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.TF_TString;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.RunOptions;

/**
 * A SavedModel in TensorFlow's memory. It is TensorFlow's C interface: the Java classes above it
 * keep a second copy of the graph on the heap, however large. Any thread; {@link #close} once
 * nobody computes.
 */
final class NativeSession {
  private static final long MOST_OUTPUT_BYTES = 64L << 20;

  /** A thread computes itself, as a device gives a task one; it leaves other processors alone. */
  private static final ConfigProto ONE_THREAD =
      ConfigProto.newBuilder()
          .setIntraOpParallelismThreads(1)
          .setInterOpParallelismThreads(1)
          .putDeviceCount("GPU", 0)
          .build();

  private static final RunOptions IN_CALLER =
      RunOptions.newBuilder().setInterOpThreadPool(-1).build();

  private final TF_Graph graph;
  private final TF_Session session;

  private NativeSession(TF_Graph graph, TF_Session session) {
    this.graph = graph;
    this.session = session;
  }

  /** TensorFlow does not do what it is asked to; the message is its own first line. */
  static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    Refusal(String message) {
      super(message);
    }
  }

  /**
   * Where a tensor of a signature is in the graph.
   *
   * @param name of the signature's
   * @param operation that has it
   * @param index of it among those of the operation
   */
  record Place(String name, TF_Operation operation, int index) {}

  /**
   * Loads TensorFlow, if it is not yet.
   *
   * @throws LinkageError if it is not here, or not for this system
   */
  static void loadLibrary() {
    var _ = tensorflow.TF_Version();
  }

  /** Loads a model; afterwards its files may go. */
  static NativeSession load(Path directory, Set<String> tags) throws Refusal {
    TF_Graph graph = tensorflow.TF_NewGraph();
    boolean loaded = false;
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TF_SessionOptions options = TF_SessionOptions.newSessionOptions();
      byte[] config = ONE_THREAD.toByteArray();
      tensorflow.TF_SetConfig(options, new BytePointer(config), config.length, status);
      check(status);
      TF_Session session =
          tensorflow.TF_LoadSessionFromSavedModel(
              options,
              null,
              new BytePointer(directory.toString(), StandardCharsets.UTF_8),
              new PointerPointer<BytePointer>(tags.toArray(String[]::new)),
              tags.size(),
              graph,
              null,
              status);
      check(status);
      loaded = true;
      return new NativeSession(graph, session);
    } finally {
      if (!loaded) {
        tensorflow.TF_DeleteGraph(graph);
      }
    }
  }

  /**
   * Finds a tensor.
   *
   * @param name of the signature's, for the message
   * @param output as TensorFlow writes it: {@code add:0}
   * @param dataType what the signature says its elements are
   */
  Place place(String name, String output, int dataType) throws Refusal {
    int colon = output.lastIndexOf(':');
    String operationName = colon < 0 ? output : output.substring(0, colon);
    TF_Operation operation = tensorflow.TF_GraphOperationByName(graph, operationName);
    int index = index(output.substring(colon < 0 ? output.length() : colon + 1));
    if (operation == null
        || operation.isNull()
        || index < 0
        || index >= tensorflow.TF_OperationNumOutputs(operation)) {
      throw new Refusal(
          "its signature has %s at %s, which is not in its graph".formatted(name, output));
    }
    try (PointerScope _ = new PointerScope()) {
      if (tensorflow.TF_OperationOutputType(new TF_Output(1).oper(operation).index(index))
          != dataType) {
        throw new Refusal("its signature has %s with another type than its graph".formatted(name));
      }
    }
    return new Place(name, operation, index);
  }

  private static int index(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    return text.matches("\\d{1,6}") ? Integer.parseInt(text) : -1;
  }

  /**
   * Computes outputs.
   *
   * @param inputs filled
   * @param places of the inputs
   * @param rows of each input
   * @param outputs which ones
   * @param types what their elements are, by name
   */
  Map<String, OutputTensor> run(
      List<InputBuffer> inputs,
      List<Place> places,
      int rows,
      List<Place> outputs,
      Map<String, ElementType> types)
      throws Refusal {
    List<TF_Tensor> filled = new ArrayList<>();
    List<TF_Tensor> computed = new ArrayList<>();
    try (PointerScope _ = new PointerScope()) {
      PointerPointer<TF_Tensor> values = new PointerPointer<>(inputs.size());
      for (int i = 0; i < inputs.size(); i++) {
        TF_Tensor tensor = tensor(inputs.get(i), rows);
        filled.add(tensor);
        values.put(i, tensor);
      }
      PointerPointer<TF_Tensor> results = new PointerPointer<>(outputs.size());
      TF_Status status = TF_Status.newStatus();
      tensorflow.TF_SessionRun(
          session,
          TF_Buffer.newBufferFromString(IN_CALLER),
          outputs(places),
          values,
          inputs.size(),
          outputs(outputs),
          results,
          outputs.size(),
          (PointerPointer<?>) null,
          0,
          null,
          status);
      check(status);
      for (int i = 0; i < outputs.size(); i++) {
        computed.add(results.get(TF_Tensor.class, i));
      }
      Map<String, OutputTensor> all = new LinkedHashMap<>();
      for (int i = 0; i < outputs.size(); i++) {
        String name = outputs.get(i).name();
        ElementType type = Objects.requireNonNull(types.get(name));
        all.put(name, output(name, computed.get(i), type));
      }
      return all;
    } finally {
      computed.forEach(tensorflow::TF_DeleteTensor);
      for (int i = 0; i < filled.size(); i++) {
        delete(filled.get(i), inputs.get(i));
      }
    }
  }

  private static TF_Output outputs(List<Place> places) {
    TF_Output outputs = new TF_Output(places.size());
    for (int i = 0; i < places.size(); i++) {
      outputs.position(i).oper(places.get(i).operation()).index(places.get(i).index());
    }
    return outputs.position(0);
  }

  /** TensorFlow's number for a type of elements. */
  static int dataType(ElementType type) {
    return switch (type) {
      case FLOAT -> tensorflow.TF_FLOAT;
      case DOUBLE -> tensorflow.TF_DOUBLE;
      case INT64 -> tensorflow.TF_INT64;
      case INT32 -> tensorflow.TF_INT32;
      case BOOL -> tensorflow.TF_BOOL;
      case STRING -> tensorflow.TF_STRING;
    };
  }

  private static TF_Tensor allocate(ElementType type, long[] shape, long bytes) throws Refusal {
    TF_Tensor tensor = tensorflow.TF_AllocateTensor(dataType(type), shape, shape.length, bytes);
    if (tensor == null || tensor.isNull()) {
      throw new Refusal("there is no memory for a tensor of %,d bytes".formatted(bytes));
    }
    return tensor;
  }

  private static TF_Tensor tensor(InputBuffer input, int rows) throws Refusal {
    ElementType type = input.plan().type();
    long[] shape = input.shape(rows);
    if (type != ElementType.STRING) {
      ByteBuffer bytes = input.bytes(rows);
      TF_Tensor tensor = allocate(type, shape, bytes.remaining());
      tensorflow.TF_TensorData(tensor).capacity(bytes.remaining()).asByteBuffer().put(bytes);
      return tensor;
    }
    String[] texts = input.texts(rows);
    TF_Tensor tensor = allocate(type, shape, (long) texts.length * textBytes());
    TF_TString places = new TF_TString(tensorflow.TF_TensorData(tensor));
    for (int i = 0; i < texts.length; i++) {
      TF_TString place = places.getPointer(i);
      byte[] bytes = texts[i].getBytes(StandardCharsets.UTF_8);
      tensorflow.TF_TString_Init(place);
      try (BytePointer pointer = new BytePointer(bytes)) {
        tensorflow.TF_TString_Copy(place, pointer, bytes.length);
      }
    }
    return tensor;
  }

  private static int textBytes() {
    return Loader.sizeof(TF_TString.class);
  }

  /** Texts are ours to free; what was computed from them may have the same memory. */
  private static void delete(TF_Tensor tensor, InputBuffer input) {
    if (input.plan().type() == ElementType.STRING) {
      TF_TString places = new TF_TString(tensorflow.TF_TensorData(tensor));
      long count = tensorflow.TF_TensorElementCount(tensor);
      for (long i = 0; i < count; i++) {
        tensorflow.TF_TString_Dealloc(places.getPointer(i));
      }
    }
    tensorflow.TF_DeleteTensor(tensor);
  }

  private static OutputTensor output(String name, TF_Tensor tensor, ElementType type)
      throws Refusal {
    List<Long> shape = new ArrayList<>();
    for (int i = 0; i < tensorflow.TF_NumDims(tensor); i++) {
      shape.add(tensorflow.TF_Dim(tensor, i));
    }
    long bytes = tensorflow.TF_TensorByteSize(tensor);
    if (bytes > MOST_OUTPUT_BYTES || tensorflow.TF_TensorType(tensor) != dataType(type)) {
      throw new Refusal(
          "the output %s is none of its signature, or has more than %,d bytes"
              .formatted(name, MOST_OUTPUT_BYTES));
    }
    Pointer data = tensorflow.TF_TensorData(tensor);
    if (type == ElementType.STRING) {
      return new OutputTensor(shape, ByteBuffer.allocate(0), texts(name, tensor, data));
    }
    ByteBuffer copy = ByteBuffer.allocate((int) bytes);
    if (bytes > 0) {
      copy.put(data.capacity(bytes).asByteBuffer()).flip();
    }
    return new OutputTensor(shape, copy, List.of());
  }

  private static List<String> texts(String name, TF_Tensor tensor, Pointer data) throws Refusal {
    List<String> texts = new ArrayList<>();
    long count = tensorflow.TF_TensorElementCount(tensor);
    long left = MOST_OUTPUT_BYTES;
    TF_TString places = new TF_TString(data);
    for (long i = 0; i < count; i++) {
      TF_TString place = places.getPointer(i);
      long length = tensorflow.TF_TString_GetSize(place);
      left -= length;
      if (left < 0) {
        throw new Refusal(
            "the texts of the output %s have more than %,d bytes"
                .formatted(name, MOST_OUTPUT_BYTES));
      }
      byte[] bytes = new byte[(int) length];
      tensorflow.TF_TString_GetDataPointer(place).get(bytes);
      texts.add(new String(bytes, StandardCharsets.UTF_8));
    }
    return texts;
  }

  private static void check(TF_Status status) throws Refusal {
    if (tensorflow.TF_GetCode(status) != tensorflow.TF_OK) {
      BytePointer message = tensorflow.TF_Message(status);
      String text = message == null ? "" : message.getString(StandardCharsets.UTF_8);
      throw new Refusal(text.lines().findFirst().orElse("TensorFlow does not say why"));
    }
  }

  void close() {
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      tensorflow.TF_CloseSession(session, status);
      tensorflow.TF_DeleteSession(session, status);
      tensorflow.TF_DeleteGraph(graph);
    }
  }
}
