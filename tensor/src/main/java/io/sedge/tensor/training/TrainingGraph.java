package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.ShardedVariable;
import io.sedge.tensor.training.cluster.ShardedVariable.Shard;
import io.sedge.tensor.training.cluster.Variables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Output;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.train.ResourceConditionalAccumulator;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TFloating;
import org.tensorflow.types.family.TType;

/**
 * The one graph of a model that is trained, for every session of it: only its variables have a
 * device, all else runs on the server that the session is of. Fixed once made.
 *
 * <p>A step of asynchronous training is {@link #step}: gradients, at once applied. Of synchronous
 * training it is {@link #contribute}, once for each batch, which leaves the gradients in an
 * accumulator beside each piece of a variable, then {@link #apply}, once, which applies their mean.
 * An accumulator takes no gradient that was computed for an earlier step than its own.
 *
 * @param <T> the type of the model's numbers
 */
final class TrainingGraph<T extends TFloating> {
  static final String GLOBAL_STEP = "global_step";

  private final Ops ops;
  private final Variables variables;
  private final Numbers<T> numbers;
  private final Model model;
  private final Optimizer optimizer;
  private final List<ShardedVariable<T>> weights = new ArrayList<>();
  private final Map<String, Double> fills = new LinkedHashMap<>();
  private final Operand<T> features;
  private final Operand<T> targets;
  private final Operand<T> divisor;
  private final Operand<TInt64> examples;
  private final Placeholder<TInt64> localStep;
  private final ShardedVariable<TInt64> globalStep;
  private final Operand<TInt64> stepBefore;
  private final Operand<T> lossSum;
  private final Op step;
  private final Op contribute;
  private final Op apply;
  private final Op beginStep;
  private final List<Accumulator<T>> accumulators = new ArrayList<>();

  /** Where the gradients of a piece are gathered. */
  record Accumulator<T extends TFloating>(Operand<TInt32> count, Operand<T> discard) {}

  /** Examples that the graph reads itself: features, and targets or the features again. */
  record Input<T extends TFloating>(Operand<T> features, Operand<T> targets) {}

  /** A graph that is fed examples. */
  TrainingGraph(
      Graph graph, Variables variables, Numbers<T> numbers, Model model, Optimizer optimizer) {
    this(graph, variables, numbers, model, optimizer, null);
  }

  /** A graph that is fed examples, or reads them. */
  TrainingGraph(
      Graph graph,
      Variables variables,
      Numbers<T> numbers,
      Model model,
      Optimizer optimizer,
      @Nullable Input<T> read) {
    this.ops = Ops.create(graph);
    this.variables = variables;
    this.numbers = numbers;
    this.model = model;
    this.optimizer = optimizer;
    Class<T> type = numbers.type();
    this.features = read == null ? fed("features", input(model)) : read.features();
    this.targets = read == null ? fed("targets", wanted(model)) : read.targets();
    this.examples = ops.gather(ops.shape(features, TInt64.class), ops.constant(0), ops.constant(0));
    this.divisor = read == null ? fed("divisor", Shape.scalar()) : ops.dtypes.cast(examples, type);
    this.localStep =
        ops.withName("local_step").placeholder(TInt64.class, Placeholder.shape(Shape.scalar()));
    List<Operand<T>> values = new ArrayList<>();
    Function<Model.Weight, Operand<T>> reader =
        weight -> {
          ShardedVariable<T> made = variables.create(weight.name(), type, shape(weight));
          weights.add(made);
          Operand<T> value = made.read(ops);
          values.add(value);
          return value;
        };
    Forward<T> forward = new Forward<>(ops, model, numbers, reader);
    this.lossSum = forward.lossSum(forward.sums(features), targets);
    this.globalStep = variables.create(GLOBAL_STEP, TInt64.class, Shape.scalar());
    this.stepBefore = globalStep.read(at(globalStep));
    List<Operand<T>> gradients = gradients(graph, values);
    Op counted = count(List.of(lossSum, stepBefore));
    List<Op> changes = new ArrayList<>(List.of(counted));
    List<Op> contributions = new ArrayList<>();
    List<Op> applied = new ArrayList<>();
    List<Op> begun = new ArrayList<>();
    for (int i = 0; i < weights.size(); i++) {
      ShardedVariable<T> weight = weights.get(i);
      List<Operand<T>> parts = weight.split(ops, gradients.get(i));
      Update<T> update = update(weight);
      for (int j = 0; j < parts.size(); j++) {
        Shard shard = weight.shards().get(j);
        changes.add(update.of(j, parts.get(j)));
        Operand<? extends TType> gathered = accumulator(shard);
        contributions.add(
            ops.train.resourceAccumulatorApplyGradient(gathered, localStep, parts.get(j)));
        applied.add(update.of(j, take(shard, gathered)));
        begun.add(variables.at(shard).train.resourceAccumulatorSetGlobalStep(gathered, localStep));
        accumulators.add(
            new Accumulator<>(
                variables.at(shard).train.resourceAccumulatorNumAccumulated(gathered),
                take(shard, gathered)));
      }
    }
    this.step = ops.withControlDependencies(changes).withName("step").noOp();
    this.contribute = ops.withControlDependencies(contributions).withName("contribute").noOp();
    Op appliedAll = at(globalStep).withControlDependencies(applied).noOp();
    this.apply = count(List.of(appliedAll, stepBefore));
    this.beginStep = at(globalStep).withControlDependencies(begun).noOp();
  }

  private Operand<T> fed(String name, Shape shape) {
    return ops.withName(name).placeholder(numbers.type(), Placeholder.shape(shape));
  }

  private static Shape input(Model model) {
    return model.window() == 1
        ? Shape.of(-1, model.features())
        : Shape.of(-1, model.window(), model.features());
  }

  private static Shape wanted(Model model) {
    return model.targets() == 0 ? input(model) : Shape.of(-1, model.targets());
  }

  static Shape shape(Model.Weight weight) {
    return Shape.of(weight.shape().stream().mapToLong(Integer::longValue).toArray());
  }

  private Ops at(ShardedVariable<?> variable) {
    return variables.at(variable.shards().getFirst());
  }

  private List<Operand<T>> gradients(Graph graph, List<Operand<T>> values) {
    Operand<T> loss = ops.math.div(lossSum, divisor);
    Output<?>[] found =
        graph.addGradients(
            loss.asOutput(), values.stream().map(Operand::asOutput).toArray(Output<?>[]::new));
    List<Operand<T>> gradients = new ArrayList<>();
    for (Output<?> gradient : found) {
      gradients.add(gradient.expect(numbers.type()));
    }
    return gradients;
  }

  /** One step more, once these are done. */
  private Op count(List<? extends Op> after) {
    Ops here = at(globalStep);
    return here.withControlDependencies(List.copyOf(after))
        .assignAddVariableOp(globalStep.shards().getFirst().handle(), here.constant(1L));
  }

  private Operand<? extends TType> accumulator(Shard shard) {
    return variables
        .at(shard)
        .train
        .resourceConditionalAccumulator(
            numbers.type(),
            shard.shape(),
            ResourceConditionalAccumulator.sharedName(shard.name() + "/gradient"),
            ResourceConditionalAccumulator.reductionType("MEAN"));
  }

  private Operand<T> take(Shard shard, Operand<? extends TType> gathered) {
    Ops here = variables.at(shard);
    return here.train.resourceAccumulatorTakeGradient(gathered, here.constant(1), numbers.type());
  }

  /** What a gradient does to a piece of a variable. */
  private interface Update<T extends TType> {
    Op of(int shard, Operand<T> gradient);
  }

  private Update<T> update(ShardedVariable<T> weight) {
    return switch (optimizer) {
      case Optimizer.Sgd sgd ->
          (i, gradient) -> {
            Ops here = variables.at(weight.shards().get(i));
            return here.train.resourceApplyGradientDescent(
                weight.shards().get(i).handle(),
                numbers.constant(here, sgd.learningRate()),
                gradient,
                org.tensorflow.op.train.ResourceApplyGradientDescent.useLocking(true));
          };
      case Optimizer.Momentum momentum -> {
        ShardedVariable<T> velocity = slot(weight, "momentum", 0);
        yield (i, gradient) -> {
          Ops here = variables.at(weight.shards().get(i));
          return here.train.resourceApplyMomentum(
              weight.shards().get(i).handle(),
              velocity.shards().get(i).handle(),
              numbers.constant(here, momentum.learningRate()),
              gradient,
              numbers.constant(here, momentum.momentum()),
              org.tensorflow.op.train.ResourceApplyMomentum.useLocking(true),
              org.tensorflow.op.train.ResourceApplyMomentum.useNesterov(momentum.nesterov()));
        };
      }
      case Optimizer.Adam adam -> adam(adam, weight);
      case Optimizer.AdaGrad adaGrad -> {
        ShardedVariable<T> squares = slot(weight, "accumulator", adaGrad.initialAccumulator());
        yield (i, gradient) -> {
          Ops here = variables.at(weight.shards().get(i));
          return here.train.resourceApplyAdagrad(
              weight.shards().get(i).handle(),
              squares.shards().get(i).handle(),
              numbers.constant(here, adaGrad.learningRate()),
              numbers.constant(here, adaGrad.epsilon()),
              gradient,
              org.tensorflow.op.train.ResourceApplyAdagrad.useLocking(true));
        };
      }
    };
  }

  private Update<T> adam(Optimizer.Adam adam, ShardedVariable<T> weight) {
    ShardedVariable<T> first = slot(weight, "m", 0);
    ShardedVariable<T> second = slot(weight, "v", 0);
    return (i, gradient) -> {
      Ops here = variables.at(weight.shards().get(i));
      Operand<T> next =
          here.math.add(here.dtypes.cast(stepBefore, numbers.type()), numbers.constant(here, 1));
      return here.train.resourceApplyAdam(
          weight.shards().get(i).handle(),
          first.shards().get(i).handle(),
          second.shards().get(i).handle(),
          here.math.pow(numbers.constant(here, adam.beta1()), next),
          here.math.pow(numbers.constant(here, adam.beta2()), next),
          numbers.constant(here, adam.learningRate()),
          numbers.constant(here, adam.beta1()),
          numbers.constant(here, adam.beta2()),
          numbers.constant(here, adam.epsilon()),
          gradient,
          org.tensorflow.op.train.ResourceApplyAdam.useLocking(true));
    };
  }

  private ShardedVariable<T> slot(ShardedVariable<T> weight, String name, double fill) {
    ShardedVariable<T> slot = variables.createLike(weight.name() + "/" + name, weight);
    fills.put(slot.name(), fill);
    return slot;
  }

  Model model() {
    return model;
  }

  Numbers<T> numbers() {
    return numbers;
  }

  Ops ops() {
    return ops;
  }

  Variables variables() {
    return variables;
  }

  /** Variables that an optimizer added, with the value that they begin with. */
  Map<String, Double> fills() {
    return fills;
  }

  Operand<T> features() {
    return features;
  }

  Operand<T> targets() {
    return targets;
  }

  /** What the added losses are divided by before the gradient. */
  Operand<T> divisor() {
    return divisor;
  }

  /** How many examples a gradient is of. */
  Operand<TInt64> examples() {
    return examples;
  }

  /** The step that gradients are for. */
  Placeholder<TInt64> localStep() {
    return localStep;
  }

  /** How many steps were applied before this one. */
  Operand<TInt64> stepBefore() {
    return stepBefore;
  }

  Operand<T> lossSum() {
    return lossSum;
  }

  Op step() {
    return step;
  }

  Op contribute() {
    return contribute;
  }

  Op apply() {
    return apply;
  }

  /** From now on accumulators take only what is for {@link #localStep}, or later. */
  Op beginStep() {
    return beginStep;
  }

  List<Accumulator<T>> accumulators() {
    return accumulators;
  }
}
