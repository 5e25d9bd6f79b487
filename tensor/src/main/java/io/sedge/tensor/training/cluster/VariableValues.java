package io.sedge.tensor.training.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Tensor;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.DestroyResourceOp;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.types.TBool;
import org.tensorflow.types.family.TType;

/**
 * Reads and replaces all variables of a graph at once, by name. A variable in pieces is read and
 * replaced as a whole, so that its values fit it however it is cut.
 */
public final class VariableValues {
  private record Entry(
      String name, Class<? extends TType> type, Operand<?> read, Operand<?> feed) {}

  private final List<Entry> entries = new ArrayList<>();
  private final List<Op> assignments = new ArrayList<>();
  private final List<Op> removals = new ArrayList<>();
  private final Operand<TBool> present;

  /** Adds the operations to the graph, for the variables that there are now. */
  public VariableValues(Graph graph, Variables variables) {
    Ops ops = Ops.create(graph);
    List<Operand<TBool>> checks = new ArrayList<>();
    for (ShardedVariable<?> variable : variables.all()) {
      add(ops, variable);
      for (ShardedVariable.Shard shard : variable.shards()) {
        checks.add(variables.at(shard).varIsInitializedOp(shard.handle()));
        removals.add(
            variables
                .at(shard)
                .destroyResourceOp(shard.handle(), DestroyResourceOp.ignoreLookupError(true)));
      }
    }
    this.present = ops.all(ops.stack(checks), ops.constant(0));
  }

  private <T extends TType> void add(Ops ops, ShardedVariable<T> variable) {
    Placeholder<T> feed = ops.placeholder(variable.type(), Placeholder.shape(variable.shape()));
    entries.add(new Entry(variable.name(), variable.type(), variable.read(ops), feed));
    assignments.addAll(variable.assign(ops, feed));
  }

  /** The names and types of the variables. */
  public Map<String, Class<? extends TType>> types() {
    Map<String, Class<? extends TType>> types = new LinkedHashMap<>();
    entries.forEach(entry -> types.put(entry.name(), entry.type()));
    return types;
  }

  /** Whether every piece of every variable has a value. */
  public boolean arePresent(GraphRunner runner) {
    try (Result result = runner.run(List.of(), List.of(present), List.of())) {
      return ((TBool) result.get(0)).getBoolean();
    }
  }

  /**
   * Removes what the servers hold under these names: what an earlier training left there may be of
   * another type. The variables have no values then.
   */
  public void remove(GraphRunner runner) {
    runner.run(List.of(), List.of(), removals).close();
  }

  /** All values. The caller closes the result, and with it the tensors. */
  public Result read(GraphRunner runner) {
    return runner.run(List.of(), entries.stream().map(Entry::read).toList(), List.of());
  }

  /** The values that {@link #read} gave, by name; they are closed with it. */
  public Map<String, Tensor> byName(Result values) {
    Map<String, Tensor> named = new LinkedHashMap<>();
    for (int i = 0; i < entries.size(); i++) {
      named.put(entries.get(i).name(), values.get(i));
    }
    return named;
  }

  /**
   * Replaces all values.
   *
   * @param values by name; those of other names are left out
   * @throws IllegalArgumentException if one is missing or has another shape
   */
  public void assign(GraphRunner runner, Map<String, Tensor> values) {
    List<GraphRunner.Feed> feeds = new ArrayList<>();
    for (Entry entry : entries) {
      Tensor value = values.get(entry.name());
      if (value == null) {
        throw new IllegalArgumentException(
            "variable '" + entry.name() + "' has no value among " + values.keySet());
      }
      if (!value.shape().equals(entry.feed().asOutput().shape())) {
        throw new IllegalArgumentException(
            "variable '%s' is of shape %s, and its value of %s"
                .formatted(entry.name(), entry.feed().asOutput().shape(), value.shape()));
      }
      feeds.add(new GraphRunner.Feed(entry.feed(), value));
    }
    runner.run(feeds, List.of(), assignments).close();
  }
}
