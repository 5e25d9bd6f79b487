package io.sedge.learning.training;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.ModelDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/** Rows of bearings, dealt to devices, and devices that answer from their rows. */
final class Plant {
  static final List<String> FEATURES = List.of("vibration", "temperature", "speed");

  private Plant() {}

  /** A model of three features. */
  static Recipe recipe(Algorithm algorithm, String... options) {
    Schema.Builder input = Schema.builder();
    FEATURES.forEach(name -> input.add(name, Type.DOUBLE));
    Schema.Builder output = Schema.builder();
    Map<String, String> all = new HashMap<>(Map.of("algorithm", algorithm.text()));
    switch (algorithm) {
      case LINEAR, LOGISTIC, MLP, MLP_LOGISTIC -> {
        output.add("risk", Type.DOUBLE);
        all.put("label", "failed");
      }
      case KMEANS -> output.add("kind", Type.BIGINT).add("distance", Type.DOUBLE);
      case PCA -> output.add("q", Type.DOUBLE).add("t2", Type.DOUBLE);
    }
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return Recipe.of(new ModelDescriptor("wear", input.build(), output.build(), all));
  }

  /** Rows of vibration, temperature, speed, and a label that follows from them with noise. */
  static List<double[]> rows(int count, boolean classes, long seed) {
    Random random = new Random(seed);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double wear = random.nextDouble();
      double vibration = 2 + 3 * wear + 0.5 * random.nextGaussian();
      double temperature = 320 + 20 * wear + 4 * random.nextGaussian();
      double speed = 1500 + 30 * random.nextGaussian();
      double score = 1.5 * (vibration - 3.5) + 0.1 * (temperature - 330) - 1;
      double label =
          classes
              ? (random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0)
              : score + 0.3 * random.nextGaussian();
      rows.add(new double[] {vibration, temperature, speed, label});
    }
    return rows;
  }

  /** Deals rows to devices, to the first most. */
  static List<List<double[]>> dealt(List<double[]> rows, int devices, long seed) {
    Random random = new Random(seed);
    List<List<double[]>> dealt = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      dealt.add(new ArrayList<>());
    }
    for (double[] row : rows) {
      dealt.get((int) (devices * Math.pow(random.nextDouble(), 1.5))).add(row);
    }
    return dealt;
  }

  /** The same rows in one place, which holds out the same ones: the newest of each device. */
  static List<List<double[]>> together(List<List<double[]>> devices) {
    List<List<double[]>> parts = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (List<double[]> own : devices) {
      int heldOut = own.size() - (int) (own.size() * 0.2);
      int stopping = heldOut - (int) (heldOut * 0.2);
      parts.get(0).addAll(own.subList(0, stopping));
      parts.get(1).addAll(own.subList(stopping, heldOut));
      parts.get(2).addAll(own.subList(heldOut, own.size()));
    }
    List<double[]> all = new ArrayList<>();
    parts.forEach(all::addAll);
    return List.of(all);
  }

  /** Devices with files in a directory. */
  static final class Devices implements Trainer.Devices, AutoCloseable {
    private final List<DeviceRows> devices = new ArrayList<>();
    private final TrainingShare share = new TrainingShare(1, System::nanoTime);

    Devices(Path directory, Recipe recipe, List<List<double[]>> rows)
        throws IOException, TrainingException {
      for (List<double[]> own : rows) {
        DeviceRows device = new DeviceRows(directory.resolve("rows-" + devices.size()), recipe);
        devices.add(device);
        for (double[] row : own) {
          device.add(Arrays.copyOf(row, recipe.columns()), Long.MIN_VALUE);
        }
        device.finish();
      }
    }

    DeviceRows device(int index) {
      return devices.get(index);
    }

    @Override
    public NavigableMap<String, Statistic> ask(Question question)
        throws IOException, InterruptedException {
      NavigableMap<String, Statistic> answers = new TreeMap<>();
      for (int i = 0; i < devices.size(); i++) {
        answers.put("device-" + i, devices.get(i).answer(question, share));
      }
      return answers;
    }

    @Override
    public void close() throws IOException {
      for (DeviceRows device : devices) {
        device.close();
      }
    }
  }
}
