package io.sedge.learning.training.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph of ONNX that takes one input, rows of numbers side by side, as DOUBLE. Fields are those
 * of onnx.proto, version 8 of the format, operators of opset 13.
 *
 * <p>All values of a graph have one space of names, those of its outputs too, which are whatever a
 * script calls its columns. So another value of such a name gets underscores before it; names that
 * callers give to inner values begin with none.
 */
public final class OnnxGraph {
  private static final int FORMAT = 8;
  private static final int OPSET = 13;
  private static final int INT64 = 7;
  private static final int DOUBLE = 11;
  private static final int ATTRIBUTE_INT = 2;
  private static final int ATTRIBUTE_INTS = 7;
  private static final String ROWS = "rows";

  /** The name of the input, unless an output has it. */
  public static final String INPUT = "features";

  private final int features;
  private final List<String> outputs;
  private final Protobuf graph = new Protobuf();
  private final List<Protobuf> metadata = new ArrayList<>();

  /**
   * @param name of the graph, for people
   * @param features how many numbers a row has
   * @param outputs the names of all outputs
   */
  public OnnxGraph(String name, int features, List<String> outputs) {
    this.features = features;
    this.outputs = List.copyOf(outputs);
    graph.text(2, name);
  }

  /** A node without attributes. */
  public OnnxGraph node(String operator, List<String> inputs, String output) {
    graph.message(1, nodeOf(operator, inputs, output));
    return this;
  }

  /** A node that works along an axis, whose result has one axis less. */
  public OnnxGraph alongAxis(String operator, String input, int axis, String output) {
    Protobuf node = nodeOf(operator, List.of(input), output);
    if (operator.equals("ArgMin")) {
      node.message(5, attribute("axis", ATTRIBUTE_INT, 3, axis));
    } else {
      node.message(5, attribute("axes", ATTRIBUTE_INTS, 8, axis));
    }
    node.message(5, attribute("keepdims", ATTRIBUTE_INT, 3, 0));
    graph.message(1, node);
    return this;
  }

  /** Sums along an axis, whose result has one axis less; opset 13 has the axis as an input. */
  public OnnxGraph sum(String input, int axis, String output) {
    String axisName = output + "_axis";
    whole(axisName, axis);
    Protobuf node = nodeOf("ReduceSum", List.of(input, axisName), output);
    node.message(5, attribute("keepdims", ATTRIBUTE_INT, 3, 0));
    graph.message(1, node);
    return this;
  }

  private Protobuf nodeOf(String operator, List<String> inputs, String output) {
    Protobuf node = new Protobuf();
    inputs.forEach(input -> node.text(1, inner(input)));
    return node.text(2, inner(output)).text(4, operator);
  }

  private String inner(String name) {
    String inner = name;
    while (outputs.contains(inner)) {
      inner = "_" + inner;
    }
    return inner;
  }

  private static Protobuf attribute(String name, int type, int field, long value) {
    return new Protobuf().text(1, name).number(field, value).number(20, type);
  }

  /** A constant of a shape. */
  public OnnxGraph constant(String name, List<Integer> shape, double... values) {
    ByteBuffer raw =
        ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      raw.putDouble(value);
    }
    tensor(name, shape, DOUBLE, raw.array());
    return this;
  }

  /** A constant that is one whole number. */
  public OnnxGraph whole(String name, long value) {
    ByteBuffer raw = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    tensor(name, List.of(1), INT64, raw.putLong(value).array());
    return this;
  }

  private void tensor(String name, List<Integer> shape, int type, byte[] raw) {
    Protobuf tensor = new Protobuf();
    shape.forEach(length -> tensor.number(1, length));
    graph.message(5, tensor.number(2, type).text(8, inner(name)).bytes(9, raw));
  }

  /** Gives an inner value, one number a row, as an output. */
  public void output(String value, String output) {
    output(value, output, DOUBLE);
  }

  /** Gives an inner value, one whole number a row, as an output. */
  public void wholeOutput(String value, String output) {
    output(value, output, INT64);
  }

  private void output(String value, String output, int type) {
    graph.message(1, new Protobuf().text(1, inner(value)).text(2, output).text(4, "Identity"));
    graph.message(12, value(output, type, new Protobuf().message(1, rows())));
  }

  private static Protobuf rows() {
    return new Protobuf().text(2, ROWS);
  }

  private static Protobuf value(String name, int type, Protobuf shape) {
    Protobuf tensor = new Protobuf().number(1, type).message(2, shape);
    return new Protobuf().text(1, name).message(2, new Protobuf().message(1, tensor));
  }

  /** Adds a text that no runtime makes use of. */
  public OnnxGraph metadata(String key, String value) {
    metadata.add(new Protobuf().text(1, key).text(2, value));
    return this;
  }

  /** The file. */
  public byte[] file() {
    Protobuf shape =
        new Protobuf().message(1, rows()).message(1, new Protobuf().number(1, features));
    graph.message(11, value(inner(INPUT), DOUBLE, shape));
    Protobuf file =
        new Protobuf()
            .number(1, FORMAT)
            .text(2, "sedge")
            .message(7, graph)
            .message(8, new Protobuf().text(1, "").number(2, OPSET));
    metadata.forEach(each -> file.message(14, each));
    return file.toBytes();
  }
}
