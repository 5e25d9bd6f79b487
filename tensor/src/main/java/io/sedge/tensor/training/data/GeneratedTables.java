package io.sedge.tensor.training.data;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Tables that need no file, the same for the same seed. */
public final class GeneratedTables {
  /** How many features the labelled table has. */
  public static final int LABELLED_FEATURES = 10;

  /** The column of the labelled table that is to be predicted. */
  public static final String LABEL = "label";

  /** The columns of the turbine's table, those of the data set that it stands in for. */
  public static final List<String> TURBINE_COLUMNS =
      List.of("AT", "AP", "AH", "AFDP", "GTEP", "TIT", "TAT", "TEY", "CDP");

  private GeneratedTables() {}

  /**
   * Rows of ten independent normal features {@code x0..x9} and a label of 0 or 1, which a plane and
   * one product of two features decide, with some noise: a line tells about 80 of 100, a hidden
   * layer more than 90.
   */
  public static Table labelled(int rows, long seed) {
    checkRows(rows);
    SplittableRandom random = new SplittableRandom(seed);
    List<double[]> made = new ArrayList<>(rows);
    for (int i = 0; i < rows; i++) {
      double[] row = new double[LABELLED_FEATURES + 1];
      double score = 0;
      for (int j = 0; j < LABELLED_FEATURES; j++) {
        row[j] = random.nextGaussian();
        score += row[j] * (j % 3 - 1);
      }
      score += 2 * row[0] * row[1] + 0.3 * random.nextGaussian();
      row[LABELLED_FEATURES] = score > 0 ? 1 : 0;
      made.add(row);
    }
    List<String> columns = new ArrayList<>();
    for (int j = 0; j < LABELLED_FEATURES; j++) {
      columns.add("x" + j);
    }
    columns.add(LABEL);
    return Table.of("generated rows", columns, made);
  }

  /**
   * Rows such as a gas turbine's, hour after hour: weather by season and hour, a load, and what
   * follows from them. A stand-in with the columns and ranges of the UCI data set "Gas Turbine CO
   * and NOx Emission", not its numbers.
   */
  public static Table turbine(int rows, long seed) {
    checkRows(rows);
    SplittableRandom random = new SplittableRandom(seed);
    List<double[]> made = new ArrayList<>(rows);
    double load = 0.8;
    for (int hour = 0; hour < rows; hour++) {
      load = Math.clamp(load + 0.02 * random.nextGaussian() + 0.05 * (0.8 - load), 0.5, 1.0);
      made.add(turbineRow(hour, load, random));
    }
    return Table.of("generated turbine", TURBINE_COLUMNS, made);
  }

  private static double[] turbineRow(int hour, double load, SplittableRandom random) {
    double season = Math.sin(2 * Math.PI * hour / 8766);
    double day = Math.sin(2 * Math.PI * hour / 24);
    double temperature = 17.5 + 9 * season + 4 * day + 1.5 * random.nextGaussian();
    double pressure = 1013 - 3 * season + 5 * random.nextGaussian();
    double humidity = Math.clamp(78 - 12 * day + 8 * random.nextGaussian(), 25, 100);
    double filter = 2.5 + 1.8 * load * load + 0.1 * random.nextGaussian();
    double exhaust = 10 + 20 * load + 0.4 * random.nextGaussian();
    double inlet = 1000 + 100 * load + 2 * random.nextGaussian();
    double outlet = 550 - 60 * Math.max(0, load - 0.9) + 1.5 * random.nextGaussian();
    double compressor = 7 + 6.5 * load + 0.05 * random.nextGaussian();
    double yield =
        40
            + 125 * load
            - 0.35 * (temperature - 15)
            + 0.05 * (pressure - 1013)
            - 0.01 * (humidity - 60)
            + 0.5 * random.nextGaussian();
    return new double[] {
      temperature, pressure, humidity, filter, exhaust, inlet, outlet, yield, compressor
    };
  }

  private static void checkRows(int rows) {
    if (rows < 1) {
      throw new DataException(rows + " rows cannot be generated: 1 or more");
    }
  }
}
