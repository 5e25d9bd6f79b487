package io.sedge.learning.internal;

import com.amazon.randomcutforest.RandomCutForest;
import com.amazon.randomcutforest.state.RandomCutForestMapper;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * AWS's random cut forest: the score is how much a reading would change trees that cut a sample of
 * the readings at random, about 1 for usual ones and more for strange ones. With a shingle of n a
 * point is a reading and the n - 1 before it.
 *
 * <p>Source: Guha, Mishra, Roy, Schrijvers, "Robust Random Cut Forest Based Anomaly Detection on
 * Streams", ICML 2016. Trees, samples and random numbers are kept as the library maps them, so that
 * one which was restored goes on with the same bits.
 */
final class CutForest implements Detector {
  private static final long SEED = 2016;

  /** Of trees times sample; at most so many points are kept. */
  private static final int MOST_SAMPLED = 16_384;

  /** The library computes with floats, whose sums are to be finite. */
  private static final double MOST = 1e30;

  /**
   * Ends of boxes around the points of trees that are kept, 8 bytes each; the others are computed
   * when they are needed, with the same scores.
   */
  private static final double BOXES_KEPT = 16_384;

  private final int trees;
  private final int sample;
  private final int shingle;
  private @Nullable RandomCutForest forest;
  private float[] point = {};

  CutForest(int trees, int sample, int shingle) {
    if (trees * sample > MOST_SAMPLED) {
      throw new IllegalArgumentException(
          "trees x sample = %d x %d is more than %d".formatted(trees, sample, MOST_SAMPLED));
    }
    this.trees = trees;
    this.sample = sample;
    this.shingle = shingle;
  }

  private static RandomCutForestMapper mapper() {
    RandomCutForestMapper mapper = new RandomCutForestMapper();
    mapper.setSaveTreeStateEnabled(true);
    mapper.setSaveSamplerStateEnabled(true);
    mapper.setSaveCoordinatorStateEnabled(true);
    mapper.setSaveExecutorContextEnabled(true);
    return mapper;
  }

  private RandomCutForest create(int values) {
    return RandomCutForest.builder()
        .dimensions(values * shingle)
        .shingleSize(shingle)
        .internalShinglingEnabled(shingle > 1)
        .numberOfTrees(trees)
        .sampleSize(sample)
        .randomSeed(SEED)
        .boundingBoxCacheFraction(Math.min(1, BOXES_KEPT / (trees * sample * values * shingle)))
        .parallelExecutionEnabled(false)
        .build();
  }

  @Override
  public int mostValues() {
    return MOST_VALUES / shingle;
  }

  @Override
  public double score(double[] reading, long time) {
    RandomCutForest known = forest;
    if (known == null) {
      known = create(reading.length);
      forest = known;
    }
    if (point.length != reading.length) {
      point = new float[reading.length];
    }
    for (int i = 0; i < reading.length; i++) {
      point[i] = (float) Math.clamp(reading[i], -MOST, MOST);
    }
    // As the library has it, until it has seen a quarter of a sample.
    double score =
        known.isOutputReady() ? known.getAnomalyScore(shingled(known, point)) : Double.NaN;
    known.update(point);
    return score;
  }

  private static float[] shingled(RandomCutForest forest, float[] point) {
    return forest.isInternalShinglingEnabled() ? forest.transformToShingledPoint(point) : point;
  }

  @Override
  public void write(DataOutput output) throws IOException {
    RandomCutForest known = forest;
    output.writeBoolean(known != null);
    if (known != null) {
      new ForestState(output).write(mapper().toState(known));
    }
  }

  @Override
  public void read(DataInput input) throws IOException {
    forest = input.readBoolean() ? mapper().toModel(ForestState.read(input)) : null;
  }
}
