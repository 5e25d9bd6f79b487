package io.sedge.tensor.training.command;

import io.sedge.tensor.training.Activation;
import io.sedge.tensor.training.Head;
import io.sedge.tensor.training.Layer;
import io.sedge.tensor.training.Model;
import io.sedge.tensor.training.Optimizer;
import io.sedge.tensor.training.TrainingOptions.Mode;
import io.sedge.tensor.training.cluster.ParameterServerStrategy.Placement;
import io.sedge.tensor.training.data.ExampleColumns;
import io.sedge.tensor.training.data.GeneratedTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * What a training file says: data, model, training and cluster. See {@code docs/tensor.md} for
 * every key. All problems of a file are told at once.
 *
 * @param name the file's, without its ending
 * @param model what is trained
 */
record TrainingFile(
    String name, Data data, Model model, Training training, Cluster cluster, Path output) {
  /**
   * What is trained on.
   *
   * @param files CSV files, against the file's directory; empty if the data is generated
   * @param generated rows to generate; 0 for none
   * @param turbine whether those are a turbine's
   * @param columns features, targets and window
   * @param scaled whether columns are brought to mean 0 and deviation 1
   * @param validation the share of the examples, the last ones, that is not trained on
   * @param readBy who opens the files
   */
  record Data(
      List<Path> files,
      int generated,
      boolean turbine,
      ExampleColumns columns,
      boolean scaled,
      double validation,
      ReadBy readBy) {}

  /** Who opens the files of the data. */
  enum ReadBy {
    /** The chief, which feeds the workers. */
    CHIEF,
    /** Every worker; they share the rows. */
    WORKERS,
    /** Every worker, and the rows of its files are its own. */
    OWNERS
  }

  /**
   * How it is trained, and for how long.
   *
   * @param batch examples of a gradient; 0 for a worker's shard
   * @param epochs times that all examples are gone through; 0 if {@code steps} says how long
   * @param steps gradients; 0 if {@code epochs} says how long
   * @param seed of everything that is random
   */
  record Training(Optimizer optimizer, int batch, long epochs, long steps, long seed) {}

  /**
   * The cluster.
   *
   * @param shards into how many pieces a variable is cut at most
   * @param checkpointSeconds how much progress may be lost
   */
  record Cluster(
      int workers,
      int parameterServers,
      Mode mode,
      int backupWorkers,
      Placement placement,
      int shards,
      int checkpointSeconds) {}

  static final int MOST_TASKS = 64;

  /** Reads a file; throws a {@link UsageException} with all its problems. */
  static TrainingFile read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new UsageException(file + " does not exist, or is not a file");
    }
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new UsageException(file + " cannot be read: " + e.getMessage());
    }
    Path absolute = file.toAbsolutePath().normalize();
    String name = absolute.getFileName().toString().replaceFirst("\\.[^.]*$", "");
    return parse(text, file.toString(), absolute.resolveSibling(""), name);
  }

  static TrainingFile parse(String text, String shown, Path directory, String name) {
    Optional<Node> root;
    try {
      root = new Compose(LoadSettings.builder().setLabel(shown).build()).composeString(text);
    } catch (YamlEngineException e) {
      throw new UsageException(shown + " is not YAML: " + e.getMessage());
    }
    List<String> problems = new ArrayList<>();
    Section top = new Section(shown, "", root.orElse(null), problems);
    TrainingFile read;
    try {
      read = read(top, directory, name);
      top.finish();
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage() + " (" + shown + ")");
      throw problems(problems);
    }
    if (!problems.isEmpty()) {
      throw problems(problems);
    }
    return read;
  }

  private static UsageException problems(List<String> problems) {
    return new UsageException(String.join(System.lineSeparator(), problems));
  }

  private static TrainingFile read(Section top, Path directory, String name) {
    Section data = top.section("data");
    Section model = top.section("model");
    Section training = top.section("training");
    Section cluster = top.section("cluster");
    List<Path> files = data.texts("files").stream().map(directory::resolve).toList();
    int generated = (int) data.integer("generate", 0, 1, 100_000_000);
    boolean turbine = data.choice("kind", List.of("labelled", "turbine")).equals("turbine");
    if (files.isEmpty() == (generated == 0)) {
      data.missing("files", "name CSV files there, or say with data.generate how many rows");
    }
    List<String> features = data.texts("features");
    List<String> targets = data.texts("targets");
    if (features.isEmpty()) {
      data.missing("features", "name the columns that the model sees");
      features = List.of("?");
    }
    int window = (int) data.integer("window", 1, 1, 100_000);
    ExampleColumns columns =
        new ExampleColumns(features, targets, window, (int) data.integer("stride", 1, 1, 100_000));
    boolean scaled = data.yes("scale", true);
    double validation = data.number("validation", 0.2, 0, true, 1);
    ReadBy readBy =
        ReadBy.valueOf(
            data.choice("read_by", List.of("chief", "workers", "owners")).toUpperCase(Locale.ROOT));
    if (readBy != ReadBy.CHIEF && generated > 0) {
      data.wrong("read_by", "rows that are generated are the chief's; name files");
    }
    data.finish();
    long seed = training.integer("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
    Model read = model(model, columns, seed);
    Optimizer optimizer = optimizer(training);
    int batch = (int) training.integer("batch", 64, 0, 1_000_000);
    if (readBy != ReadBy.CHIEF && batch == 0) {
      training.wrong("batch", "0, a whole shard, needs data.read_by: chief");
    }
    long steps = training.integer("steps", 0, 1, Long.MAX_VALUE);
    long epochs = training.integer("epochs", steps == 0 ? 20 : 0, 1, 1_000_000);
    if (steps > 0 && epochs > 0) {
      training.wrong("epochs", "there is training.steps as well, and only one can say how long");
    }
    Cluster tasks = cluster(cluster, training);
    training.finish();
    cluster.finish();
    return new TrainingFile(
        name,
        new Data(files, generated, turbine, columns, scaled, validation, readBy),
        read,
        new Training(optimizer, batch, epochs, steps, seed),
        tasks,
        Path.of(top.text("output").orElse("trained/" + name)));
  }

  private static Model model(Section model, ExampleColumns columns, long seed) {
    Head.Distance distance =
        Head.Distance.valueOf(
            model.choice("loss", List.of("squared", "absolute", "huber")).toUpperCase(Locale.ROOT));
    int classes = (int) model.integer("classes", 2, 2, 100_000);
    Head head =
        switch (model.choice(
            "head", List.of("regression", "binary", "classes", "reconstruction"))) {
          case "binary" -> new Head.Binary();
          case "classes" -> new Head.MultiClass(classes);
          case "reconstruction" -> new Head.Reconstruction(distance);
          default -> new Head.Regression(distance);
        };
    Model.Precision precision =
        Model.Precision.valueOf(
            model.choice("precision", List.of("float32", "float64")).toUpperCase(Locale.ROOT));
    List<Layer> layers = new ArrayList<>();
    for (Section layer : model.sections("layers")) {
      layer(layer).ifPresent(layers::add);
    }
    model.finish();
    return new Model(
        columns.window(),
        columns.features().size(),
        layers,
        head,
        columns.targets().size(),
        precision,
        seed);
  }

  private static Optional<Layer> layer(Section layer) {
    Layer read = null;
    if (layer.has("dense")) {
      read = new Layer.Dense((int) layer.integer("dense", 1, 1, 1_000_000), activation(layer));
    } else if (layer.has("convolution")) {
      int filters = (int) layer.integer("convolution", 1, 1, 1_000_000);
      read =
          new Layer.Conv1D(
              filters,
              (int) layer.integer("kernel", 3, 1, 100_000),
              (int) layer.integer("stride", 1, 1, 100_000),
              layer.yes("padded", false),
              activation(layer));
    } else if (layer.has("flatten")) {
      layer.text("flatten");
      read = new Layer.Flatten();
    } else {
      layer.missing("dense", "a layer is dense: UNITS, convolution: FILTERS, or flatten");
    }
    if (read != null) {
      layer.finish();
    }
    return Optional.ofNullable(read);
  }

  private static Activation activation(Section layer) {
    return Activation.valueOf(
        layer
            .choice("activation", List.of("relu", "linear", "tanh", "sigmoid", "elu", "softplus"))
            .toUpperCase(Locale.ROOT));
  }

  private static Optimizer optimizer(Section training) {
    String name = training.choice("optimizer", List.of("adam", "sgd", "momentum", "adagrad"));
    double usual =
        switch (name) {
          case "adam" -> 0.001;
          default -> 0.01;
        };
    double rate = training.number("learning_rate", usual, 0, false, 1e6);
    double momentum = training.number("momentum", 0.9, 0, true, 1);
    return switch (name) {
      case "sgd" -> new Optimizer.Sgd(rate);
      case "momentum" -> new Optimizer.Momentum(rate, momentum, false);
      case "adagrad" -> new Optimizer.AdaGrad(rate);
      default -> new Optimizer.Adam(rate);
    };
  }

  private static Cluster cluster(Section cluster, Section training) {
    Mode mode =
        Mode.valueOf(
            training
                .choice("mode", List.of("asynchronous", "synchronous"))
                .toUpperCase(Locale.ROOT));
    Placement placement =
        Placement.valueOf(
            cluster
                .choice("placement", List.of("by_size", "round_robin"))
                .toUpperCase(Locale.ROOT));
    return new Cluster(
        (int) cluster.integer("workers", 2, 1, MOST_TASKS),
        (int) cluster.integer("parameter_servers", 1, 1, MOST_TASKS),
        mode,
        (int) training.integer("backup_workers", 0, 0, MOST_TASKS),
        placement,
        (int) cluster.integer("shards", 1, 1, 1000),
        (int) cluster.integer("checkpoint_seconds", 5, 1, 86_400));
  }

  /** A training of generated rows, by a network that can learn what they say. */
  static TrainingFile generated(int rows) {
    StringBuilder features = new StringBuilder();
    for (int j = 0; j < GeneratedTables.LABELLED_FEATURES; j++) {
      features.append(j == 0 ? "x" : ", x").append(j);
    }
    String text =
        """
        data:
          generate: %d
          features: [%s]
          targets: label
        model:
          head: binary
          layers:
            - dense: 64
              activation: relu
        training:
          optimizer: adam
          learning_rate: 0.003
          batch: 64
        """
            .formatted(rows, features);
    return parse(text, "generated", Path.of("").toAbsolutePath(), "generated");
  }

  /** The same with other data, as {@code --data} says. */
  TrainingFile withFiles(List<Path> other) {
    Data files =
        new Data(
            other.stream().map(Path::toAbsolutePath).toList(),
            0,
            false,
            data.columns(),
            data.scaled(),
            data.validation(),
            data.readBy());
    return new TrainingFile(name, files, model, training, cluster, output);
  }

  /** The same with another output directory. */
  TrainingFile withOutput(Path other) {
    return new TrainingFile(name, data, model, training, cluster, other);
  }

  /** The same for other numbers of tasks. */
  TrainingFile withTasks(int workers, int parameterServers) {
    Cluster other =
        new Cluster(
            workers,
            parameterServers,
            cluster.mode(),
            cluster.backupWorkers(),
            cluster.placement(),
            cluster.shards(),
            cluster.checkpointSeconds());
    return new TrainingFile(name, data, model, training, other, output);
  }

  /** The same for another time. */
  TrainingFile withEpochs(long other) {
    Training longer =
        new Training(training.optimizer(), training.batch(), other, 0, training.seed());
    return new TrainingFile(name, data, model, longer, cluster, output);
  }
}
