package io.sedge.learning.tensors;

import io.sedge.connector.ConnectorException;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.ModelDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
public record Binding(
    List<InputBuffer.Plan> inputs,
    List<OutputColumn> outputs,
    Set<String> outputNames,
    int fixedRows) {
  /** Options {@code output.COLUMN} begin with this: which output of the model a column is. */
  public static final String OUTPUT_PREFIX = "output.";

  private static final Pattern VALUE = Pattern.compile("(.*)\\[(\\d{1,6})]");
  private static final long MOST_FIXED_ROWS = 65_536;
  private static final long MOST_FIXED_BYTES = 64L << 20;

  public Binding {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    outputNames = Set.copyOf(outputNames);
  }

  /**
   * Matches a declaration and a model.
   *
   * @param inputs of the model, in its order
   * @param outputs of the model, in its order
   * @throws ConnectorException of kind USER if they do not fit
   */
  public static Binding of(
      ModelDescriptor model, List<ModelTensor> inputs, List<ModelTensor> outputs) {
    Matching matching = new Matching(model, inputs, outputs);
    List<InputBuffer.Plan> plans = matching.inputs();
    int fixedRows = matching.fixedRows();
    for (InputBuffer.Plan input : plans) {
      if ((long) fixedRows * input.bytesOfRow() > MOST_FIXED_BYTES) {
        throw matching.wrong(
            "'path': the model takes %d rows at a time, whose input %s has more than %d bytes"
                .formatted(fixedRows, input.name(), MOST_FIXED_BYTES));
      }
    }
    List<OutputColumn> columns = matching.outputs();
    Set<String> names =
        columns.stream()
            .map(OutputColumn::name)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return new Binding(plans, columns, names, fixedRows);
  }

  /** The matching of one model. */
  private static final class Matching {
    private final ModelDescriptor model;
    private final Map<String, ModelTensor> inputs;
    private final Map<String, ModelTensor> outputs;

    Matching(ModelDescriptor model, List<ModelTensor> inputs, List<ModelTensor> outputs) {
      this.model = model;
      this.inputs = byName(inputs);
      this.outputs = byName(outputs);
    }

    private static Map<String, ModelTensor> byName(List<ModelTensor> tensors) {
      Map<String, ModelTensor> byName = new LinkedHashMap<>();
      tensors.forEach(tensor -> byName.put(tensor.name(), tensor));
      return byName;
    }

    List<InputBuffer.Plan> inputs() {
      Schema columns = model.input();
      if (inputs.size() == 1) {
        List<Integer> all = IntStream.range(0, columns.size()).boxed().toList();
        return List.of(input(inputs.values().iterator().next(), all));
      }
      List<InputBuffer.Plan> plans = new ArrayList<>();
      for (String column : columns.names()) {
        if (!inputs.containsKey(column)) {
          throw wrong(
              "`%s` of INPUT is no input of the model, which has %s"
                  .formatted(column, texts(inputs.values())));
        }
      }
      for (ModelTensor input : inputs.values()) {
        int column = columns.indexOf(input.name());
        if (column < 0) {
          throw wrong(
              "'path': the model's input %s is not in INPUT; the model has %s"
                  .formatted(input.name(), texts(inputs.values())));
        }
        plans.add(input(input, List.of(column)));
      }
      return plans;
    }

    private InputBuffer.Plan input(ModelTensor input, List<Integer> columns) {
      List<Long> shape =
          input
              .shape()
              .orElseThrow(
                  () -> wrong("'path': the model's input %s is no tensor".formatted(input.text())));
      boolean fits =
          (shape.size() == 1 && columns.size() == 1)
              || (shape.size() == 2 && (shape.get(1) < 0 || shape.get(1) == columns.size()));
      if (!fits) {
        throw wrong(
            "'path': the model's input is %s, but INPUT has %d columns"
                .formatted(input.text(), columns.size()));
      }
      for (int column : columns) {
        Type type = model.input().type(column);
        if (input.element().filter(element -> element.takes(type.kind())).isEmpty()) {
          throw wrong(
              "`%s` is %s, but the model's input is %s"
                  .formatted(model.input().name(column), type, input.text()));
        }
      }
      return new InputBuffer.Plan(
          input.name(), input.element().orElseThrow(), columns, shape.size() == 2);
    }

    int fixedRows() {
      Set<Long> fixed =
          inputs.values().stream()
              .map(input -> input.shape().orElseThrow().getFirst())
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
        String column = key.substring(Math.min(key.length(), OUTPUT_PREFIX.length()));
        if (key.startsWith(OUTPUT_PREFIX) && model.output().indexOf(column) < 0) {
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
                          || model.options().containsKey(OUTPUT_PREFIX + column));
      return named ? byName() : byPosition();
    }

    private List<OutputColumn> byName() {
      List<OutputColumn> columns = new ArrayList<>();
      for (Schema.Field field : model.output().fields()) {
        String written = model.options().getOrDefault(OUTPUT_PREFIX + field.name(), field.name());
        Matcher value = VALUE.matcher(written);
        boolean indexed = !outputs.containsKey(written) && value.matches();
        ModelTensor output = outputs.get(indexed ? value.group(1) : written);
        if (output == null) {
          throw wrong(
              "`%s` of OUTPUT is no output of the model, which has %s. Write '%s%s' = 'NAME' or 'NAME[0]'"
                  .formatted(field.name(), texts(outputs.values()), OUTPUT_PREFIX, field.name()));
        }
        int width = width(output);
        int index = indexed ? Integer.parseInt(value.group(2)) : 0;
        if (width >= 0 && (index >= width || (!indexed && width > 1))) {
          throw wrong(
              "`%s` of OUTPUT is %s, but the model's output is %s. Write '%s%s' = '%s[0]' to '%s[%d]'"
                  .formatted(
                      field.name(),
                      written,
                      output.text(),
                      OUTPUT_PREFIX,
                      field.name(),
                      output.name(),
                      output.name(),
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
      Map<ModelTensor, Integer> widths = new LinkedHashMap<>();
      for (ModelTensor output : outputs.values()) {
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
                    OUTPUT_PREFIX,
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
      ModelTensor last = List.copyOf(outputs.values()).getLast();
      int width = width(last);
      return width > 1 ? "%s[%d]".formatted(last.name(), width - 1) : last.name();
    }

    /** The values of a row; -1 if the model does not tell. */
    private int width(ModelTensor output) {
      if (output.shape().isEmpty()) {
        return 0;
      }
      List<Long> shape = output.shape().get();
      if (shape.isEmpty() || shape.size() > 2 || shape.getFirst() == 0) {
        throw wrong(
            "'path': the model's output is %s, not a row for each row".formatted(output.text()));
      }
      return shape.size() == 1 ? 1 : (int) Math.min(shape.get(1), Integer.MAX_VALUE);
    }

    private OutputColumn column(ModelTensor output, int index, Schema.Field field) {
      if (output.shape().isEmpty()) {
        throw wrong(
            "`%s`: the model's output %s is no tensor; export the model with zipmap=False"
                .formatted(field.name(), output.text()));
      }
      Optional<ElementType> element = output.element();
      if (element.filter(known -> known.gives(field.type().kind())).isEmpty()) {
        throw wrong(
            "`%s` is %s, but the model's output is %s: write %s %s"
                .formatted(
                    field.name(),
                    field.type(),
                    output.text(),
                    field.name(),
                    element
                        .map(ElementType::column)
                        .orElseGet(
                            () ->
                                "a type that a column may have: export the model with another one"
                                    + " than "
                                    + output.typeName())));
      }
      return new OutputColumn(output.name(), index, element.orElseThrow(), field.type());
    }

    private ConnectorException wrong(String why) {
      return new ConnectorException(
          ConnectorException.Kind.USER, "model %s: %s".formatted(model.name(), why));
    }

    private static String texts(Collection<ModelTensor> nodes) {
      return nodes.stream().map(ModelTensor::text).collect(Collectors.joining(", "));
    }
  }
}
