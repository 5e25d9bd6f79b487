package io.sedge.learning.internal;

import io.sedge.learning.internal.DetectorKind.Parameter;
import java.util.List;

/** The detectors that there are. */
public final class DetectorKinds {
  public static final List<DetectorKind> ALL =
      List.of(
          new DetectorKind(
              "ANOMALY_SCORE",
              false,
              false,
              List.of(new Parameter("lambda", 0.01, 0.0001, 0.9, false)),
              p -> new EwmaScore(p[0])),
          new DetectorKind(
              "ROBUST_Z_SCORE",
              false,
              false,
              List.of(new Parameter("window", 200, 10, 10_000, true)),
              p -> new RobustZScore((int) p[0])),
          new DetectorKind(
              "EWMA_SCORE",
              false,
              false,
              List.of(new Parameter("lambda", 0.05, 0.0001, 0.9, false)),
              p -> new EwmaScore(p[0])),
          new DetectorKind(
              "CUSUM_SCORE",
              false,
              false,
              List.of(
                  new Parameter("slack", 0.5, 0, 3, false),
                  new Parameter("limit", 5, 0.1, 1_000, false)),
              p -> new CusumScore(p[0], p[1])),
          new DetectorKind(
              "PAGE_HINKLEY_SCORE",
              false,
              false,
              List.of(
                  new Parameter("delta", 0.005, 0, 3, false),
                  new Parameter("limit", 50, 0.1, 100_000, false)),
              p -> new PageHinkleyScore(p[0], p[1])),
          new DetectorKind(
              "SEASONAL_SCORE",
              false,
              true,
              List.of(
                  new Parameter("period", 86_400, 1, 31_622_400, false),
                  new Parameter("parts", 24, 1, 1_440, true),
                  new Parameter("lambda", 0.05, 0.0001, 0.9, false)),
              p -> new SeasonalScore((long) (p[0] * 1e6), (int) p[1], p[2])),
          new DetectorKind(
              "MEWMA_SCORE",
              true,
              false,
              List.of(
                  new Parameter("lambda", 0.1, 0.01, 1, false),
                  new Parameter("training", 400, 40, 1_000_000, true)),
              p -> new MewmaScore(p[0], (int) p[1])),
          new DetectorKind(
              "HALF_SPACE_TREES_SCORE",
              true,
              false,
              List.of(
                  new Parameter("trees", 25, 1, 200, true),
                  new Parameter("depth", 6, 1, 12, true),
                  new Parameter("window", 250, 10, 10_000, true)),
              p -> new HalfSpaceTrees((int) p[0], (int) p[1], (int) p[2])),
          new DetectorKind(
              "RANDOM_CUT_FOREST_SCORE",
              true,
              false,
              List.of(
                  new Parameter("trees", 15, 1, 200, true),
                  new Parameter("sample", 64, 16, 1_024, true),
                  new Parameter("shingle", 1, 1, 64, true)),
              p -> new CutForest((int) p[0], (int) p[1], (int) p[2])));

  private DetectorKinds() {}
}
