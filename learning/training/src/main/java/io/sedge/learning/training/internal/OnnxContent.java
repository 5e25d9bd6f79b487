package io.sedge.learning.training.internal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an ONNX file holds that {@link OnnxGraph} has written. Immutable.
 *
 * @param input the name of its input
 * @param features how many numbers a row of it has
 * @param outputs names of its outputs, and whether each is of whole numbers
 * @param constants by name
 * @param nodes in an order in which they can be computed
 * @param metadata texts, by key
 */
public record OnnxContent(
    String input,
    int features,
    List<Output> outputs,
    Map<String, Constant> constants,
    List<Node> nodes,
    Map<String, String> metadata) {
  private static final int INT64 = 7;

  public OnnxContent {
    outputs = List.copyOf(outputs);
    constants = Map.copyOf(constants);
    nodes = List.copyOf(nodes);
    metadata = Map.copyOf(metadata);
  }

  /** An output, one number a row. */
  public record Output(String name, boolean whole) {}

  /** A constant: doubles or long integers, least byte first. */
  record Constant(List<Long> shape, boolean whole, ByteBuffer raw) {
    Constant {
      shape = List.copyOf(shape);
      raw = raw.asReadOnlyBuffer();
    }
  }

  /**
   * A node.
   *
   * @param axis along which it works, if it has an attribute that says so; else -1
   */
  record Node(String operator, List<String> inputs, String output, long axis) {
    Node {
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if it is damaged
   */
  public static OnnxContent of(byte[] file) {
    List<Node> nodes = new ArrayList<>();
    Map<String, Constant> constants = new HashMap<>();
    List<Value> inputs = new ArrayList<>();
    List<Output> outputs = new ArrayList<>();
    Map<String, String> metadata = new HashMap<>();
    ProtobufReader.each(
        ByteBuffer.wrap(file),
        (field, _, content) -> {
          if (field == 7) {
            ProtobufReader.each(
                content,
                (part, _, bytes) -> {
                  switch (part) {
                    case 1 -> nodes.add(node(bytes));
                    case 5 -> addConstant(bytes, constants);
                    case 11 -> inputs.add(value(bytes));
                    case 12 -> {
                      Value output = value(bytes);
                      outputs.add(new Output(output.name(), output.type() == INT64));
                    }
                    default -> {
                      // Its name, for people.
                    }
                  }
                });
          } else if (field == 14) {
            addEntry(content, metadata);
          }
        });
    if (inputs.size() != 1 || outputs.isEmpty()) {
      throw new IllegalArgumentException("another number of inputs or outputs");
    }
    Value input = inputs.getFirst();
    return new OnnxContent(input.name(), (int) input.width(), outputs, constants, nodes, metadata);
  }

  private static Node node(ByteBuffer message) {
    List<String> inputs = new ArrayList<>();
    String[] texts = {"", ""};
    long[] axis = {-1};
    ProtobufReader.each(
        message,
        (field, _, bytes) -> {
          switch (field) {
            case 1 -> inputs.add(ProtobufReader.text(bytes));
            case 2 -> texts[1] = ProtobufReader.text(bytes);
            case 4 -> texts[0] = ProtobufReader.text(bytes);
            case 5 -> axis[0] = Math.max(axis[0], axis(bytes));
            default -> throw new IllegalArgumentException("a node with another field");
          }
        });
    return new Node(texts[0], inputs, texts[1], axis[0]);
  }

  /** That of an attribute; -1 if it says what all nodes do. */
  private static long axis(ByteBuffer attribute) {
    String[] name = {""};
    long[] value = {-1};
    ProtobufReader.each(
        attribute,
        (field, number, bytes) -> {
          switch (field) {
            case 1 -> name[0] = ProtobufReader.text(bytes);
            case 3, 8 -> value[0] = number;
            case 20 -> {
              // Its type, which follows from the field.
            }
            default -> throw new IllegalArgumentException("an attribute with another field");
          }
        });
    return switch (name[0]) {
      case "axis", "axes" -> value[0];
      case "keepdims" -> {
        if (value[0] != 0) {
          throw new IllegalArgumentException("keepdims = " + value[0]);
        }
        yield -1;
      }
      default -> throw new IllegalArgumentException("the attribute " + name[0]);
    };
  }

  private static void addConstant(ByteBuffer message, Map<String, Constant> constants) {
    List<Long> shape = new ArrayList<>();
    long[] type = {0};
    String[] name = {""};
    ByteBuffer[] raw = {ByteBuffer.allocate(0)};
    ProtobufReader.each(
        message,
        (field, number, bytes) -> {
          switch (field) {
            case 1 -> shape.add(number);
            case 2 -> type[0] = number;
            case 8 -> name[0] = ProtobufReader.text(bytes);
            case 9 -> raw[0] = bytes;
            default -> throw new IllegalArgumentException("a constant with another field");
          }
        });
    constants.put(name[0], new Constant(shape, type[0] == INT64, raw[0]));
  }

  private static void addEntry(ByteBuffer message, Map<String, String> metadata) {
    String[] entry = {"", ""};
    ProtobufReader.each(
        message, (field, _, bytes) -> entry[field == 1 ? 0 : 1] = ProtobufReader.text(bytes));
    metadata.put(entry[0], entry[1]);
  }

  /**
   * An input or an output.
   *
   * @param width how many numbers a row has; 0 if one
   */
  private record Value(String name, long type, long width) {}

  private static Value value(ByteBuffer message) {
    String[] name = {""};
    long[] type = {0};
    long[] width = {0};
    ProtobufReader.each(
        message,
        (field, _, bytes) -> {
          if (field == 1) {
            name[0] = ProtobufReader.text(bytes);
            return;
          }
          ProtobufReader.each(
              bytes,
              (_, _, tensor) ->
                  ProtobufReader.each(
                      tensor,
                      (part, number, shape) -> {
                        if (part == 1) {
                          type[0] = number;
                          return;
                        }
                        ProtobufReader.each(
                            shape,
                            (_, _, dimension) ->
                                ProtobufReader.each(
                                    dimension,
                                    (kind, length, _) -> width[0] = kind == 1 ? length : width[0]));
                      }));
        });
    return new Value(name[0], type[0], width[0]);
  }
}
