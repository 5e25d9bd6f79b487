package io.sedge.learning.onnx.internal;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.sedge.connector.ConnectorException;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.ModelDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which columns of a declaration are which tensors of a model.
 *
 * <p>A model with one input takes all features side by side, as (rows, features). One with several
 * inputs takes a feature each, by name, as (rows) or (rows, 1). An output is (rows), (rows, 1) or
 * (rows, values). A column is the output that its option names, or the output of its own name; if
 * no column is named so, the columns are all values of all outputs, in their order.
 *
 * @param inputs how the model's inputs are filled
 * @param outputs where the columns of the output are
 * @param outputNames the outputs that the runtime is asked for
 * @param fixedRows how many rows the model takes at a time; 0 if any number
 */
record Binding(
    List<InputTensor.Plan> inputs,
    List<OutputColumn> outputs,
    Set<String> outputNames,
    int fixedRows) {
  private static final Pattern VALUE = Pattern.compile("(.*)\\[(\\d{1,6})]");
  private static final long MOST_FIXED_ROWS = 65_536;
  private static final long MOST_FIXED_BYTES = 64L << 20;

  Binding {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    outputNames = Set.copyOf(outputNames);
  }

  /**
   * Matches a declaration and a model.
   *
   * @throws ConnectorException of kind USER if they do not fit
   */
  static Binding of(ModelDescriptor model, OrtSession session) throws OrtException {
    Matching matching = new Matching(model, session);
    List<InputTensor.Plan> inputs = matching.inputs();
    int fixedRows = matching.fixedRows();
    for (InputTensor.Plan input : inputs) {
      if ((long) fixedRows * input.bytesOfRow() > MOST_FIXED_BYTES) {
        throw matching.wrong(
            "'path': the model takes %d rows at a time, whose input %s has more than %d bytes"
                .formatted(fixedRows, input.name(), MOST_FIXED_BYTES));
      }
    }
    List<OutputColumn> outputs = matching.outputs();
    Set<String> names =
        outputs.stream()
            .map(OutputColumn::name)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return new Binding(inputs, outputs, names, fixedRows);
  }

  /** How many values a row has in a tensor of a shape; -1 if it has not so many rows. */
  static int width(long[] shape, int rows) {
    if (shape.length < 1 || shape.length > 2 || shape[0] != rows) {
      return -1;
    }
    return shape.length == 1 ? 1 : (int) shape[1];
  }

  /** The matching of one model. */
  private static final class Matching {
    private final ModelDescriptor model;
    private final Map<String, NodeInfo> inputs;
    private final Map<String, NodeInfo> outputs;

    Matching(ModelDescriptor model, OrtSession session) throws OrtException {
      this.model = model;
      this.inputs = session.getInputInfo();
      this.outputs = session.getOutputInfo();
    }

    List<InputTensor.Plan> inputs() {
      Schema columns = model.input();
      if (inputs.size() == 1) {
        List<Integer> all = IntStream.range(0, columns.size()).boxed().toList();
        return List.of(input(inputs.values().iterator().next(), all));
      }
      List<InputTensor.Plan> plans = new ArrayList<>();
      for (String column : columns.names()) {
        if (!inputs.containsKey(column)) {
          throw wrong(
              "`%s` of INPUT is no input of the model, which has %s"
                  .formatted(column, texts(inputs.values())));
        }
      }
      for (NodeInfo input : inputs.values()) {
        int column = columns.indexOf(input.getName());
        if (column < 0) {
          throw wrong(
              "'path': the model's input %s is not in INPUT; the model has %s"
                  .formatted(input.getName(), texts(inputs.values())));
        }
        plans.add(input(input, List.of(column)));
      }
      return plans;
    }

    private InputTensor.Plan input(NodeInfo input, List<Integer> columns) {
      if (!(input.getInfo() instanceof TensorInfo tensor)) {
        throw wrong("'path': the model's input %s is no tensor".formatted(text(input)));
      }
      long[] shape = tensor.getShape();
      boolean fits =
          (shape.length == 1 && columns.size() == 1)
              || (shape.length == 2 && (shape[1] < 0 || shape[1] == columns.size()));
      if (!fits) {
        throw wrong(
            "'path': the model's input is %s, but INPUT has %d columns"
                .formatted(text(input), columns.size()));
      }
      for (int column : columns) {
        Type type = model.input().type(column);
        if (!takes(tensor.type, type.kind())) {
          throw wrong(
              "`%s` is %s, but the model's input is %s"
                  .formatted(model.input().name(column), type, text(input)));
        }
      }
      return new InputTensor.Plan(input.getName(), tensor.type, columns, shape.length == 2);
    }

    private static boolean takes(OnnxJavaType tensor, Kind column) {
      return switch (tensor) {
        case FLOAT, DOUBLE -> column.isInteger() || column == Kind.FLOAT || column == Kind.DOUBLE;
        case INT64 -> column.isInteger();
        case INT32 -> column.isInteger() && column != Kind.BIGINT;
        case BOOL -> column == Kind.BOOLEAN;
        case STRING -> column.isString();
        default -> false;
      };
    }

    int fixedRows() {
      Set<Long> fixed =
          inputs.values().stream()
              .map(input -> ((TensorInfo) input.getInfo()).getShape()[0])
              .filter(rows -> rows >= 0)
              .collect(Collectors.toSet());
      if (fixed.size() > 1 || fixed.stream().anyMatch(n -> n < 1 || n > MOST_FIXED_ROWS)) {
        throw wrong(
            "'path': the model takes a number of rows that cannot be given: "
                + texts(inputs.values()));
      }
      return fixed.isEmpty() ? 0 : fixed.iterator().next().intValue();
    }

    List<OutputColumn> outputs() {
      for (String key : model.options().keySet()) {
        String column = key.substring(Math.min(key.length(), OnnxModel.OUTPUT_PREFIX.length()));
        if (key.startsWith(OnnxModel.OUTPUT_PREFIX) && model.output().indexOf(column) < 0) {
          throw wrong(
              "'%s': OUTPUT has no column `%s`; it has %s"
                  .formatted(key, column, String.join(", ", model.output().names())));
        }
      }
      boolean named =
          model.output().names().stream()
              .anyMatch(
                  column ->
                      outputs.containsKey(column)
                          || model.options().containsKey(OnnxModel.OUTPUT_PREFIX + column));
      return named ? byName() : byPosition();
    }

    private List<OutputColumn> byName() {
      List<OutputColumn> columns = new ArrayList<>();
      for (Schema.Field field : model.output().fields()) {
        String written =
            model.options().getOrDefault(OnnxModel.OUTPUT_PREFIX + field.name(), field.name());
        Matcher value = VALUE.matcher(written);
        boolean indexed = !outputs.containsKey(written) && value.matches();
        NodeInfo output = outputs.get(indexed ? value.group(1) : written);
        if (output == null) {
          throw wrong(
              "`%s` of OUTPUT is no output of the model, which has %s. Write '%s%s' = 'NAME' or 'NAME[0]'"
                  .formatted(
                      field.name(),
                      texts(outputs.values()),
                      OnnxModel.OUTPUT_PREFIX,
                      field.name()));
        }
        int width = width(output);
        int index = indexed ? Integer.parseInt(value.group(2)) : 0;
        if (width >= 0 && (index >= width || (!indexed && width > 1))) {
          throw wrong(
              "`%s` of OUTPUT is %s, but the model's output is %s. Write '%s%s' = '%s[0]' to '%s[%d]'"
                  .formatted(
                      field.name(),
                      written,
                      text(output),
                      OnnxModel.OUTPUT_PREFIX,
                      field.name(),
                      output.getName(),
                      output.getName(),
                      width - 1));
        }
        columns.add(column(output, index, field));
      }
      return columns;
    }

    private List<OutputColumn> byPosition() {
      List<Schema.Field> fields = model.output().fields();
      // A width that the model does not tell is taken for that which is declared.
      int untold = outputs.size() == 1 ? fields.size() : 0;
      Map<NodeInfo, Integer> widths = new LinkedHashMap<>();
      for (NodeInfo output : outputs.values()) {
        int width = width(output);
        widths.put(output, width < 0 ? untold : width);
      }
      if (widths.values().stream().mapToInt(width -> width).sum() != fields.size()) {
        String first = fields.getFirst().name();
        throw wrong(
            "`%s`: OUTPUT has %d columns, but the model gives %s. Write which one is which: '%s%s' = '%s'"
                .formatted(
                    first,
                    fields.size(),
                    texts(outputs.values()),
                    OnnxModel.OUTPUT_PREFIX,
                    first,
                    example()));
      }
      List<OutputColumn> columns = new ArrayList<>();
      widths.forEach(
          (output, width) -> {
            for (int i = 0; i < width; i++) {
              columns.add(column(output, i, fields.get(columns.size())));
            }
          });
      return columns;
    }

    private String example() {
      NodeInfo last = List.copyOf(outputs.values()).getLast();
      int width = width(last);
      return width > 1 ? "%s[%d]".formatted(last.getName(), width - 1) : last.getName();
    }

    /** The values of a row; -1 if the model does not tell. */
    private int width(NodeInfo output) {
      if (!(output.getInfo() instanceof TensorInfo tensor)) {
        return 0;
      }
      long[] shape = tensor.getShape();
      if (shape.length < 1 || shape.length > 2 || shape[0] == 0) {
        throw wrong(
            "'path': the model's output is %s, not a row for each row".formatted(text(output)));
      }
      return shape.length == 1 ? 1 : (int) Math.min(shape[1], Integer.MAX_VALUE);
    }

    private OutputColumn column(NodeInfo output, int index, Schema.Field field) {
      if (!(output.getInfo() instanceof TensorInfo tensor)) {
        throw wrong(
            "`%s`: the model's output %s is no tensor; export the model with zipmap=False"
                .formatted(field.name(), text(output)));
      }
      if (!gives(tensor.type, field.type().kind())) {
        throw wrong(
            "`%s` is %s, but the model's output is %s: write %s %s"
                .formatted(
                    field.name(), field.type(), text(output), field.name(), best(tensor.type)));
      }
      return new OutputColumn(output.getName(), index, tensor.type, field.type());
    }

    private static boolean gives(OnnxJavaType tensor, Kind column) {
      return switch (tensor) {
        case FLOAT -> column == Kind.FLOAT || column == Kind.DOUBLE;
        case DOUBLE -> column == Kind.DOUBLE;
        case INT64 -> column == Kind.BIGINT;
        case INT32 -> column == Kind.INT || column == Kind.BIGINT;
        case BOOL -> column == Kind.BOOLEAN;
        case STRING -> column == Kind.VARCHAR;
        default -> false;
      };
    }

    private static String best(OnnxJavaType tensor) {
      return switch (tensor) {
        case FLOAT, DOUBLE -> "DOUBLE";
        case INT64 -> "BIGINT";
        case INT32 -> "INT";
        case BOOL -> "BOOLEAN";
        case STRING -> "STRING";
        default ->
            "a type that a column may have: export the model with another one than " + tensor;
      };
    }

    private ConnectorException wrong(String why) {
      return new ConnectorException(
          ConnectorException.Kind.USER, "model %s: %s".formatted(model.name(), why));
    }

    private static String texts(Collection<NodeInfo> nodes) {
      return nodes.stream().map(Matching::text).collect(Collectors.joining(", "));
    }

    /** {@code features FLOAT(rows, 10)}. */
    private static String text(NodeInfo node) {
      if (!(node.getInfo() instanceof TensorInfo tensor)) {
        return "%s (%s)".formatted(node.getName(), node.getInfo().getClass().getSimpleName());
      }
      String shape =
          Arrays.stream(tensor.getShape())
              .mapToObj(size -> size < 0 ? "any" : Long.toString(size))
              .collect(Collectors.joining(", "));
      return "%s %s(%s)".formatted(node.getName(), tensor.type, shape);
    }
  }
}
