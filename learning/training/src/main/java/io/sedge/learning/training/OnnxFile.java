package io.sedge.learning.training;

import io.sedge.learning.Reference;
import io.sedge.learning.training.internal.OnnxGraph;
import java.util.Arrays;
import java.util.List;

/**
 * Writes models as ONNX files, which any runtime of ONNX scores by. Equal models have equal bytes.
 */
public final class OnnxFile {
  private OnnxFile() {}

  /**
   * The file of a model that was trained, with what its rows looked like.
   *
   * @param outputs the names of its outputs, as many as the algorithm gives
   */
  public static byte[] of(Trained trained, List<String> outputs) {
    OnnxGraph graph = graph(trained.model(), outputs);
    trained.reference().ifPresent(reference -> graph.metadata(Reference.KEY, reference.text()));
    return graph.file();
  }

  /**
   * The file of a model.
   *
   * @param outputs the names of its outputs, as many as the algorithm gives
   */
  public static byte[] of(FittedModel model, List<String> outputs) {
    return graph(model, outputs).file();
  }

  private static OnnxGraph graph(FittedModel model, List<String> outputs) {
    OnnxGraph graph = new OnnxGraph(model.algorithm().text(), model.features(), outputs);
    switch (model) {
      case Linear linear -> {
        weighted(graph, linear.weights());
        graph.output("sum", outputs.getFirst());
      }
      case Logistic logistic -> {
        weighted(graph, logistic.weights());
        graph.node("Sigmoid", List.of("sum"), "likelihood");
        graph.output("likelihood", outputs.getFirst());
      }
      case Clusters clusters -> {
        clusters(graph, clusters);
        graph.wholeOutput("nearest", outputs.getFirst());
        graph.output("distance", outputs.getLast());
      }
      case Components components -> {
        components(graph, components);
        graph.output("beside_sum", outputs.getFirst());
        graph.output("ratio_sum", outputs.getLast());
      }
      case Network network -> {
        network(graph, network);
        if (network.algorithm().classes()) {
          graph.node("Sigmoid", List.of("sum"), "likelihood");
        }
        graph.output(network.algorithm().classes() ? "likelihood" : "sum", outputs.getFirst());
      }
    }
    return graph;
  }

  private static void weighted(OnnxGraph graph, Weights weights) {
    graph
        .constant("weights", List.of(weights.each().length), weights.each())
        .constant("intercept", List.of(), weights.intercept())
        .node("MatMul", List.of(OnnxGraph.INPUT, "weights"), "weighted")
        .node("Add", List.of("weighted", "intercept"), "sum");
  }

  private static void scaled(OnnxGraph graph, Scaling scaling) {
    // What is constant becomes 0: it is divided by infinity.
    double[] spreads =
        Arrays.stream(scaling.spreads())
            .map(spread -> spread == 0 ? Double.POSITIVE_INFINITY : spread)
            .toArray();
    graph
        .constant("means", List.of(scaling.size()), scaling.means())
        .constant("spreads", List.of(scaling.size()), spreads)
        .node("Sub", List.of(OnnxGraph.INPUT, "means"), "centred")
        .node("Div", List.of("centred", "spreads"), "scaled");
  }

  private static void network(OnnxGraph graph, Network network) {
    scaled(graph, network.scaling());
    int[] sizes = network.layers().sizes();
    String values = "scaled";
    int at = 0;
    for (int layer = 1; layer < sizes.length; layer++) {
      int inputs = sizes[layer - 1];
      int units = sizes[layer];
      boolean last = layer == sizes.length - 1;
      double[] weights = Arrays.copyOfRange(network.weights(), at, at + inputs * units);
      at += weights.length;
      double[] intercepts = Arrays.copyOfRange(network.weights(), at, at + units);
      at += units;
      graph
          // The last layer gives one number a row, not a row of one.
          .constant("weights_" + layer, last ? List.of(inputs) : List.of(inputs, units), weights)
          .constant("intercepts_" + layer, last ? List.of() : List.of(units), intercepts)
          .node("MatMul", List.of(values, "weights_" + layer), "weighted_" + layer)
          .node("Add", List.of("weighted_" + layer, "intercepts_" + layer), "sums_" + layer);
      values = "values_" + layer;
      if (!last) {
        boolean tanh = network.layers().activation() == Layers.Activation.TANH;
        graph.node(tanh ? "Tanh" : "Relu", List.of("sums_" + layer), values);
      }
    }
    graph
        .constant("label_spread", List.of(), network.spread())
        .constant("label_mean", List.of(), network.mean())
        .node("Mul", List.of("sums_" + (sizes.length - 1), "label_spread"), "spread")
        .node("Add", List.of("spread", "label_mean"), "sum");
  }

  private static void clusters(OnnxGraph graph, Clusters clusters) {
    int count = clusters.centres().length;
    int features = clusters.features();
    double[] centres = new double[count * features];
    for (int i = 0; i < count; i++) {
      System.arraycopy(clusters.centres()[i], 0, centres, i * features, features);
    }
    scaled(graph, clusters.scaling());
    graph
        .constant("centres", List.of(1, count, features), centres)
        .whole("second_axis", 1)
        .node("Unsqueeze", List.of("scaled", "second_axis"), "each")
        .node("Sub", List.of("each", "centres"), "differences")
        .node("Mul", List.of("differences", "differences"), "squares")
        .sum("squares", 2, "distances")
        .alongAxis("ArgMin", "distances", 1, "nearest")
        .alongAxis("ReduceMin", "distances", 1, "least")
        .node("Sqrt", List.of("least"), "distance");
  }

  private static void components(OnnxGraph graph, Components components) {
    int count = components.directions().length;
    int features = components.features();
    double[] directions = new double[count * features];
    double[] transposed = new double[count * features];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < features; j++) {
        directions[i * features + j] = components.directions()[i][j];
        transposed[j * count + i] = components.directions()[i][j];
      }
    }
    scaled(graph, components.scaling());
    graph
        .constant("directions", List.of(count, features), directions)
        .constant("transposed", List.of(features, count), transposed)
        .constant("variances", List.of(count), components.variances())
        .node("MatMul", List.of("scaled", "transposed"), "along")
        .node("MatMul", List.of("along", "directions"), "seen")
        .node("Sub", List.of("scaled", "seen"), "beside")
        .node("Mul", List.of("beside", "beside"), "beside_squares")
        .sum("beside_squares", 1, "beside_sum")
        .node("Mul", List.of("along", "along"), "along_squares")
        .node("Div", List.of("along_squares", "variances"), "ratios")
        .sum("ratios", 1, "ratio_sum");
  }
}
