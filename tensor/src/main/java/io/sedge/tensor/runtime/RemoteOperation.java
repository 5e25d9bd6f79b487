package io.sedge.tensor.runtime;

import io.sedge.tensor.DeviceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorShapeProto;

/**
 * An operation to be executed on a device of a cluster: one of TensorFlow's, or a function that was
 * registered with the context. TensorFlow's own Java classes cannot do this: they leave open how
 * many results there are, and a remote device refuses that.
 *
 * <p>What types can be told from the inputs need not be given. For one thread.
 */
public final class RemoteOperation {
  /** An input: a tensor, or several for an input that is a list. */
  sealed interface Input {
    record One(RemoteTensor tensor) implements Input {}

    record Many(List<RemoteTensor> tensors) implements Input {}
  }

  private final ClusterContext context;
  private final String name;
  private final @Nullable OpDef definition;
  private final @Nullable FunctionDef function;
  private final List<Input> inputs = new ArrayList<>();
  private final List<RemoteTensor> own = new ArrayList<>();
  private final Map<String, AttrValue> attributes = new LinkedHashMap<>();
  private @Nullable String device;
  private @Nullable Duration limit;

  RemoteOperation(
      ClusterContext context,
      String name,
      @Nullable OpDef definition,
      @Nullable FunctionDef function) {
    this.context = context;
    this.name = name;
    this.definition = definition;
    this.function = function;
  }

  /**
   * Executes it there; otherwise where its inputs are, or on the context's default device. Of a
   * task without a device, it is the first processor.
   *
   * @throws IllegalArgumentException if the name is none
   */
  public RemoteOperation device(String deviceName) {
    device = EagerCalls.complete(DeviceName.of(deviceName)).toString();
    return this;
  }

  /** Adds an input. */
  public RemoteOperation input(RemoteTensor tensor) {
    inputs.add(new Input.One(tensor));
    return this;
  }

  /** Adds an input from here; the tensor stays the caller's. */
  public RemoteOperation input(Tensor tensor) {
    RemoteTensor copy = context.tensor(tensor);
    own.add(copy);
    return input(copy);
  }

  /** Adds an input that is a list. */
  public RemoteOperation inputs(List<RemoteTensor> tensors) {
    inputs.add(new Input.Many(List.copyOf(tensors)));
    return this;
  }

  /**
   * Sets an attribute.
   *
   * @throws IllegalArgumentException if the operation has none of that name, or one of another kind
   */
  public RemoteOperation attribute(String attribute, AttrValue value) {
    if (definition != null) {
      check(definition, attribute, value);
    }
    attributes.put(attribute, value);
    return this;
  }

  private void check(OpDef of, String attribute, AttrValue value) {
    String kind =
        of.getAttrList().stream()
            .filter(known -> known.getName().equals(attribute))
            .map(OpDef.AttrDef::getType)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Operation "
                            + name
                            + " has no attribute '"
                            + attribute
                            + "'; it has "
                            + of.getAttrList().stream().map(OpDef.AttrDef::getName).toList()));
    boolean fits =
        switch (value.getValueCase()) {
          case S -> kind.equals("string");
          case I -> kind.equals("int");
          case F -> kind.equals("float");
          case B -> kind.equals("bool");
          case TYPE -> kind.equals("type");
          case SHAPE -> kind.equals("shape");
          case TENSOR -> kind.equals("tensor");
          case FUNC -> kind.equals("func");
          case LIST -> kind.startsWith("list(");
          case PLACEHOLDER, VALUE_NOT_SET -> false;
        };
    if (!fits) {
      throw new IllegalArgumentException(
          "Attribute '"
              + attribute
              + "' of operation "
              + name
              + " is of kind "
              + kind
              + ", not "
              + value.getValueCase());
    }
  }

  /** Sets an attribute. */
  public RemoteOperation attribute(String attribute, DataType value) {
    return attribute(attribute, AttrValue.newBuilder().setType(value).build());
  }

  /** Sets an attribute. */
  public RemoteOperation attribute(String attribute, long value) {
    return attribute(attribute, AttrValue.newBuilder().setI(value).build());
  }

  /** Sets an attribute. */
  public RemoteOperation attribute(String attribute, boolean value) {
    return attribute(attribute, AttrValue.newBuilder().setB(value).build());
  }

  /** Sets an attribute. */
  public RemoteOperation attribute(String attribute, String value) {
    return attribute(
        attribute,
        AttrValue.newBuilder().setS(com.google.protobuf.ByteString.copyFromUtf8(value)).build());
  }

  /** Sets an attribute. */
  public RemoteOperation attribute(String attribute, Shape value) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    if (value.isUnknown()) {
      shape.setUnknownRank(true);
    } else {
      for (long size : value.asArray()) {
        shape.addDim(TensorShapeProto.Dim.newBuilder().setSize(size));
      }
    }
    return attribute(attribute, AttrValue.newBuilder().setShape(shape).build());
  }

  /** How long it may take, in place of the context's limit. */
  public RemoteOperation limit(Duration newLimit) {
    ClusterSessionOptions.checkLimit(newLimit);
    limit = newLimit;
    return this;
  }

  /**
   * Executes it and waits for it. Interrupting the thread cancels it.
   *
   * @return its results, which the caller closes
   * @throws IllegalArgumentException if it takes other inputs, for which TensorFlow ends the
   *     process
   * @throws StaleTensorException if an input is of an earlier connection
   * @throws TensorFlowStatusException if it fails
   */
  public List<RemoteTensor> execute() {
    try {
      checkInputs();
      return context.execute(this);
    } finally {
      own.forEach(RemoteTensor::close);
      own.clear();
    }
  }

  private void checkInputs() {
    List<OpDef.ArgDef> wanted =
        function != null
            ? function.getSignature().getInputArgList()
            : definition != null ? definition.getInputArgList() : List.of();
    boolean fits = wanted.size() == inputs.size();
    int before = 0;
    for (int i = 0; fits && i < inputs.size(); i++) {
      fits = fits(wanted.get(i), inputs.get(i)) && before >= i;
      before += inputs.get(i) instanceof Input.Many many ? many.tensors().size() : 1;
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "Operation "
              + name
              + " takes "
              + wanted.stream().map(RemoteOperation::text).toList()
              + ", and is given "
              + inputs.stream()
                  .map(
                      input ->
                          input instanceof Input.Many many
                              ? "a list of " + many.tensors().size()
                              : "one")
                  .toList());
    }
  }

  /**
   * TensorFlow infers types from the inputs as they are added, and looks for them beyond the end:
   * of an empty list whose elements have one type, and of what comes after an empty list.
   */
  private static boolean fits(OpDef.ArgDef wanted, Input input) {
    return switch (input) {
      case Input.One _ -> !isList(wanted);
      case Input.Many many ->
          isList(wanted) && !(many.tensors().isEmpty() && !wanted.getNumberAttr().isEmpty());
    };
  }

  private static boolean isList(OpDef.ArgDef input) {
    return !input.getNumberAttr().isEmpty() || !input.getTypeListAttr().isEmpty();
  }

  private static String text(OpDef.ArgDef input) {
    return input.getName()
        + (isList(input)
            ? " (a list" + (input.getNumberAttr().isEmpty() ? ")" : ", not empty)")
            : "");
  }

  /** Executes it, for the one result that it has. */
  public RemoteTensor executeForOne() {
    List<RemoteTensor> results = execute();
    if (results.size() != 1) {
      results.forEach(RemoteTensor::close);
      throw new IllegalStateException(
          "Operation " + name + " has " + results.size() + " results, not one");
    }
    return results.getFirst();
  }

  String name() {
    return name;
  }

  @Nullable OpDef definition() {
    return definition;
  }

  /** How many results a function has; -1 for one of TensorFlow's operations. */
  int functionOutputs() {
    return function == null ? -1 : function.getSignature().getOutputArgCount();
  }

  List<Input> inputs() {
    return inputs;
  }

  Map<String, AttrValue> attributes() {
    return attributes;
  }

  @Nullable String device() {
    return device;
  }

  @Nullable Duration limit() {
    return limit;
  }
}
