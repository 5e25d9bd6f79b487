package io.sedge.learning.training.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A model of an ONNX file as a graph of TensorFlow: a node of the one becomes a node or two of the
 * other. Fields are those of saved_model.proto and the files that it imports. Names of nodes are
 * numbers, since TensorFlow does not allow each name that a column may have; the signature has the
 * names.
 */
public final class TensorFlowGraph {
  private static final int FORMAT = 1;

  /** Any version since 2.3 knows all that is used. */
  private static final int PRODUCER = 440;

  private static final int DOUBLE = 2;
  private static final int INT64 = 9;
  private static final long ANY = -1;

  private final Protobuf graph = new Protobuf();
  private final OnnxContent content;
  private final Map<String, Value> values = new HashMap<>();
  private int count;

  private record Value(String node, int type) {}

  private TensorFlowGraph(OnnxContent content) {
    this.content = content;
  }

  /**
   * The file {@code saved_model.pb} of a model.
   *
   * @throws IllegalArgumentException if it has an operator that {@link OnnxGraph} does not write
   */
  public static byte[] of(OnnxContent content) {
    return new TensorFlowGraph(content).file();
  }

  private byte[] file() {
    Protobuf inputShape = shape(List.of(ANY, (long) content.features()));
    String input =
        add("Placeholder", List.of(), type("dtype", DOUBLE), attribute("shape", 7, inputShape));
    values.put(content.input(), new Value(input, DOUBLE));
    content.nodes().forEach(this::add);

    Protobuf signature = new Protobuf();
    signature.message(1, tensor(content.input(), input, DOUBLE, inputShape));
    for (OnnxContent.Output output : content.outputs()) {
      Value value = value(output.name());
      signature.message(2, tensor(output.name(), value.node(), value.type(), shape(List.of(ANY))));
    }
    signature.text(3, "tensorflow/serving/predict");
    graph.message(4, new Protobuf().number(1, PRODUCER));
    Protobuf meta =
        new Protobuf()
            .message(1, new Protobuf().text(4, "serve"))
            .message(2, graph)
            .message(5, new Protobuf().text(1, "serving_default").message(2, signature));
    return new Protobuf().number(1, FORMAT).message(2, meta).toBytes();
  }

  private static Protobuf tensor(String name, String node, int type, Protobuf shape) {
    Protobuf tensor = new Protobuf().text(1, node + ":0").number(2, type).message(3, shape);
    return new Protobuf().text(1, name).message(2, tensor);
  }

  private void add(OnnxContent.Node node) {
    switch (node.operator()) {
      case "MatMul" -> addProduct(node);
      case "Unsqueeze" -> addWithAxis(node, "ExpandDims", value(node.inputs().get(1)), "Tdim");
      case "ReduceSum" -> addWithAxis(node, "Sum", value(node.inputs().get(1)), "Tidx");
      case "ReduceMin" -> addWithAxis(node, "Min", axis(node), "Tidx");
      case "ArgMin" -> {
        Value first = value(node.inputs().getFirst());
        String made =
            add(
                "ArgMin",
                List.of(first.node(), axis(node).node()),
                type("T", first.type()),
                type("Tidx", INT64),
                type("output_type", INT64));
        values.put(node.output(), new Value(made, INT64));
      }
      default -> {
        List<Value> inputs = node.inputs().stream().map(this::value).toList();
        int type = inputs.getFirst().type();
        String made =
            add(
                operation(node.operator()),
                inputs.stream().map(Value::node).toList(),
                type("T", type));
        values.put(node.output(), new Value(made, type));
      }
    }
  }

  /** By one for each number of a row: TensorFlow's names differ for a few. */
  private static String operation(String operator) {
    return switch (operator) {
      case "Identity", "Sigmoid", "Tanh", "Relu", "Sqrt", "Sub", "Mul" -> operator;
      case "Add" -> "AddV2";
      case "Div" -> "RealDiv";
      default -> throw new IllegalArgumentException("the operator " + operator);
    };
  }

  private void addWithAxis(OnnxContent.Node node, String operation, Value axis, String axisType) {
    Value first = value(node.inputs().getFirst());
    String made =
        add(
            operation,
            List.of(first.node(), axis.node()),
            type("T", first.type()),
            type(axisType, INT64));
    values.put(node.output(), new Value(made, first.type()));
  }

  /** TensorFlow multiplies matrices alone: weights side by side become a column of them. */
  private void addProduct(OnnxContent.Node node) {
    Value first = value(node.inputs().getFirst());
    String second = node.inputs().get(1);
    OnnxContent.Constant weights = content.constants().get(second);
    String product;
    if (weights == null || weights.shape().size() != 1) {
      product = add("MatMul", List.of(first.node(), value(second).node()), type("T", DOUBLE));
    } else {
      List<Long> column = List.of(weights.shape().getFirst(), 1L);
      String made = constant(column, DOUBLE, weights.raw());
      product =
          add(
              "Reshape",
              List.of(
                  add("MatMul", List.of(first.node(), made), type("T", DOUBLE)),
                  whole(List.of(1L), ANY)),
              type("T", DOUBLE),
              type("Tshape", INT64));
    }
    values.put(node.output(), new Value(product, DOUBLE));
  }

  private Value value(String name) {
    Value known = values.get(name);
    if (known != null) {
      return known;
    }
    OnnxContent.Constant constant = content.constants().get(name);
    if (constant == null) {
      throw new IllegalArgumentException("nothing is called " + name);
    }
    int type = constant.whole() ? INT64 : DOUBLE;
    Value made = new Value(constant(constant.shape(), type, constant.raw()), type);
    values.put(name, made);
    return made;
  }

  private Value axis(OnnxContent.Node node) {
    return new Value(whole(List.of(), node.axis()), INT64);
  }

  private String whole(List<Long> shape, long value) {
    ByteBuffer raw = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return constant(shape, INT64, raw.putLong(value).flip());
  }

  private String constant(List<Long> shape, int type, ByteBuffer raw) {
    byte[] bytes = new byte[raw.remaining()];
    raw.duplicate().get(bytes);
    Protobuf tensor = new Protobuf().number(1, type).message(2, shape(shape)).bytes(4, bytes);
    return add("Const", List.of(), type("dtype", type), attribute("value", 8, tensor));
  }

  private static Protobuf shape(List<Long> lengths) {
    Protobuf shape = new Protobuf();
    lengths.forEach(length -> shape.message(2, new Protobuf().number(1, length)));
    return shape;
  }

  private static Protobuf type(String name, int type) {
    return new Protobuf().text(1, name).message(2, new Protobuf().number(6, type));
  }

  private static Protobuf attribute(String name, int kind, Protobuf value) {
    return new Protobuf().text(1, name).message(2, new Protobuf().message(kind, value));
  }

  /** Adds a node; its name. */
  private String add(String operation, List<String> inputs, Protobuf... attributes) {
    String name = "n" + count++;
    Protobuf node = new Protobuf().text(1, name).text(2, operation);
    inputs.forEach(input -> node.text(3, input));
    for (Protobuf attribute : attributes) {
      node.message(5, attribute);
    }
    graph.message(1, node);
    return name;
  }
}
