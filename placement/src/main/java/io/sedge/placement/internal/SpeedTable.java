package io.sedge.placement.internal;

import io.sedge.placement.Device;
import java.util.List;
import java.util.Map;

/**
 * Readings per second of each device for each algorithm. What was not measured is inferred: the
 * logarithm of readings per CPU-second is taken as a device's term plus an algorithm's term (a
 * machine twice as fast is so for all), fitted to what was measured by alternating least squares. A
 * device of which nothing is known counts as the mean of the others. Where nothing was measured at
 * all, too little is done for it to matter, and all count as {@value #UNMEASURED} a CPU-second.
 */
final class SpeedTable {
  static final double UNMEASURED = 1_000_000;

  private static final int ROUNDS = 20;

  private final double[][] logSpeed; // [device][algorithm]; NaN if not measured
  private final double[] deviceTerm;
  private final double[] algorithmTerm;

  SpeedTable(List<Device> devices, List<String> algorithms) {
    logSpeed = new double[devices.size()][algorithms.size()];
    deviceTerm = new double[devices.size()];
    algorithmTerm = new double[algorithms.size()];
    for (int d = 0; d < devices.size(); d++) {
      Map<String, Double> measured = devices.get(d).readingsPerCpuSecond();
      for (int a = 0; a < algorithms.size(); a++) {
        Double speed = measured.get(algorithms.get(a));
        logSpeed[d][a] = speed == null ? Double.NaN : Math.log(speed);
      }
    }
    if (!isComplete()) {
      fit();
    }
  }

  /** Readings per CPU-second; measured, else inferred. */
  double perCpuSecond(int device, int algorithm) {
    double log = logSpeed[device][algorithm];
    return Math.exp(Double.isNaN(log) ? deviceTerm[device] + algorithmTerm[algorithm] : log);
  }

  private boolean isComplete() {
    for (double[] row : logSpeed) {
      for (double log : row) {
        if (Double.isNaN(log)) {
          return false;
        }
      }
    }
    return true;
  }

  private void fit() {
    for (int round = 0; round < ROUNDS; round++) {
      fitTerms(algorithmTerm, deviceTerm, false);
      fitTerms(deviceTerm, algorithmTerm, true);
    }
  }

  /**
   * Each term becomes the mean of what the other side's terms leave; without any, the mean term.
   */
  private void fitTerms(double[] terms, double[] others, boolean ofDevices) {
    boolean[] known = new boolean[terms.length];
    double sumOfTerms = 0;
    int termsKnown = 0;
    for (int t = 0; t < terms.length; t++) {
      double sum = 0;
      int count = 0;
      for (int o = 0; o < others.length; o++) {
        double log = ofDevices ? logSpeed[t][o] : logSpeed[o][t];
        if (Double.isFinite(log)) {
          sum += log - others[o];
          count++;
        }
      }
      known[t] = count > 0;
      if (known[t]) {
        terms[t] = sum / count;
        sumOfTerms += terms[t];
        termsKnown++;
      }
    }
    for (int t = 0; t < terms.length; t++) {
      if (!known[t]) {
        double unmeasured = ofDevices ? 0 : Math.log(UNMEASURED);
        terms[t] = termsKnown == 0 ? unmeasured : sumOfTerms / termsKnown;
      }
    }
  }
}
