package io.sedge.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpeedEstimatorTest {
  private static final double SPEED = 100_000;

  private final SpeedEstimator estimator = new SpeedEstimator();

  @Test
  void itHasNoValueBeforeTheFirstMeasurement() {
    assertThat(estimator.isMeasured()).isFalse();
    assertThat(estimator.value()).isZero();
    estimator.add(SPEED / 2, 0.5);
    assertThat(estimator.value()).isCloseTo(SPEED, within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.02, 0.1, 0.2})
  void noiseIsSmoothed(double noise) {
    for (long seed = 1; seed <= 20; seed++) {
      SpeedEstimator noisy = new SpeedEstimator();
      SplittableRandom random = new SplittableRandom(seed);
      for (int second = 0; second < 600; second++) {
        noisy.add(SPEED * Math.exp(noise * random.nextGaussian()), 1);
        if (second >= 30) {
          assertThat(noisy.value() / SPEED)
              .as("noise %s seed %d second %d", noise, seed, second)
              .isBetween(Math.exp(-1.4 * noise), Math.exp(1.4 * noise));
        }
      }
      assertThat(noisy.spread()).as("seed %d", seed).isBetween(noise / 3, noise * 1.5);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.1, 3, 50})
  void anOutlierOrTwoInARowChangeLittle(double factor) {
    SplittableRandom random = new SplittableRandom(7);
    for (int second = 0; second < 300; second++) {
      boolean outlier = second > 30 && second % 20 < 2;
      double noise = Math.exp(0.03 * random.nextGaussian());
      estimator.add(SPEED * (outlier ? factor : noise), 1);
      assertThat(estimator.value() / SPEED).as("second %d", second).isBetween(0.85, 1.15);
    }
  }

  /** The goal is 5 s, the plan included. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.05, 0.1, 0.2})
  void theLossOfThreeQuartersIsBelievedWithinFourSeconds(double noise) {
    for (long seed = 1; seed <= 50; seed++) {
      SpeedEstimator falling = new SpeedEstimator();
      SplittableRandom random = new SplittableRandom(seed);
      for (int second = 0; second < 60; second++) {
        falling.add(SPEED * Math.exp(noise * random.nextGaussian()), 1);
      }
      for (int second = 0; second < 4; second++) {
        falling.add(SPEED / 4 * Math.exp(noise * random.nextGaussian()), 1);
      }
      assertThat(falling.value() / (SPEED / 4))
          .as("noise %s seed %d", noise, seed)
          .isBetween(0.65, 1.5);
    }
  }

  @Test
  void aGainIsBelievedAfterTenSeconds() {
    run(60, SPEED / 4);
    run(8, SPEED);
    assertThat(estimator.value()).isLessThan(SPEED / 2);
    run(4, SPEED);
    assertThat(estimator.value()).isCloseTo(SPEED, within(SPEED / 10));
  }

  /** A device that other work takes for ten seconds of every twenty. */
  @Test
  void aSpeedThatKeepsFallingAndRisingIsTakenForTheLowOne() {
    run(60, SPEED);
    int changes = 0;
    double before = estimator.value();
    for (int second = 0; second < 1200; second++) {
      run(1, second % 24 < 12 ? SPEED / 4 : SPEED);
      changes += Math.abs(Math.log(estimator.value() / before)) > 0.5 ? 1 : 0;
      before = estimator.value();
    }
    assertThat(changes).isLessThanOrEqualTo(6);
    assertThat(before).isLessThan(SPEED / 2);
  }

  @Test
  void aSlowDriftIsFollowed() {
    double speed = SPEED;
    for (int second = 0; second < 300; second++) {
      speed *= second < 150 ? 0.995 : 1.005;
      run(1, speed);
      assertThat(estimator.value() / speed).as("second %d", second).isBetween(0.85, 1.15);
    }
  }

  @Test
  void anIntervalWithoutWorkSaysNothing() {
    run(10, SPEED);
    assertThat(estimator.add(0, 0)).isFalse();
    assertThat(estimator.add(3, 0.0001)).isFalse();
    assertThat(estimator.value()).isCloseTo(SPEED, within(1e-6));
  }

  @Test
  void whatIsNoMeasurementIsRefused() {
    assertThatThrownBy(() -> estimator.add(-1, 1))
        .hasMessage("amount=-1.0 is not a finite number of at least 0.0");
    assertThatThrownBy(() -> estimator.add(1, Double.NaN))
        .hasMessage("base=NaN is not a finite number of at least 0.0");
  }

  @Test
  void theLoadOfBurstsIsTheirMean() {
    LoadEstimator load = new LoadEstimator(10);
    assertThat(load.value()).isZero();
    for (int second = 0; second < 100; second++) {
      load.add(second % 5 == 4 ? 500 : 0, 1);
    }
    assertThat(load.value()).isBetween(80.0, 130.0);
    for (int second = 0; second < 30; second++) {
      load.add(1000, 1);
    }
    assertThat(load.value()).isBetween(930.0, 1000.0);
  }

  private void run(int seconds, double speed) {
    for (int second = 0; second < seconds; second++) {
      estimator.add(speed, 1);
    }
  }
}
