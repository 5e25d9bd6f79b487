package io.sedge.tensor.training;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sedge.tensor.training.data.CsvFiles;
import io.sedge.tensor.training.data.ExampleColumns;
import io.sedge.tensor.training.data.Examples;
import io.sedge.tensor.training.data.Scaling;
import io.sedge.tensor.training.data.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The gas turbine's data, which the project cannot contain, and the exact solution for it. */
public final class SharedData {
  /** The columns that predict the turbine's yield. */
  public static final List<String> FEATURES =
      List.of("AT", "AP", "AH", "AFDP", "GTEP", "TIT", "TAT", "CDP");

  private static final double[] SOLUTION = {
    133.537393,
    -2.43251116,
    -0.371517997,
    -0.0153173263,
    -0.0638161778,
    0.891111990,
    9.77451403,
    -4.37740368,
    2.82842773
  };

  private SharedData() {}

  /** All three years, scaled features, unscaled yield; skips the test where they are not there. */
  public static Examples turbine() {
    Path folder = folder();
    List<Path> years =
        List.of("2011", "2012", "2013").stream()
            .map(year -> folder.resolve("gt_" + year + ".csv"))
            .toList();
    ExampleColumns columns = new ExampleColumns(FEATURES, List.of("TEY"));
    Table table = CsvFiles.read(years, columns.all());
    return Examples.of(table, columns, Scaling.of(table, FEATURES), Scaling.none(1));
  }

  /** The linear model of the oracle. */
  public static Model linear() {
    return Model.of(8, List.of(), new Head.Regression(Head.Distance.SQUARED))
        .withPrecision(Model.Precision.FLOAT64);
  }

  /** The largest relative distance of a coefficient from the exact solution. */
  public static double distance(Weights weights) {
    double[] kernel = weights.of("head/kernel");
    double worst = Math.abs(weights.of("head/bias")[0] / SOLUTION[0] - 1);
    for (int i = 0; i < kernel.length; i++) {
      worst = Math.max(worst, Math.abs(kernel[i] / SOLUTION[i + 1] - 1));
    }
    return worst;
  }

  private static Path folder() {
    Path here = Path.of("").toAbsolutePath();
    while (here != null) {
      Path candidate = here.resolve("../shared/data/gasturbine").normalize();
      if (Files.isDirectory(candidate)) {
        return candidate;
      }
      here = here.getParent();
    }
    assumeTrue(false, "../shared/data/gasturbine is not there");
    throw new AssertionError();
  }
}
