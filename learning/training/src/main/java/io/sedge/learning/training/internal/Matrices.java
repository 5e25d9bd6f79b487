package io.sedge.learning.training.internal;

import io.sedge.learning.training.TrainingException;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/** Symmetric matrices. */
final class Matrices {
  /** Below this share of the largest variance a direction is rounding, not data. */
  private static final double RANK = 1e-11;

  private Matrices() {}

  /** Of its upper triangle, row by row. */
  static DMatrixRMaj symmetric(double[] triangle, int from, int size) {
    DMatrixRMaj matrix = new DMatrixRMaj(size, size);
    int at = from;
    for (int i = 0; i < size; i++) {
      for (int j = i; j < size; j++) {
        matrix.set(i, j, triangle[at]);
        matrix.set(j, i, triangle[at++]);
      }
    }
    return matrix;
  }

  /**
   * Eigenvalues and eigenvectors, the largest first; the largest number of each vector by its size
   * is positive, so that signs do not depend on rounding.
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Eigen(double[] values, double[][] vectors) {
    static Eigen of(DMatrixRMaj symmetric) throws TrainingException {
      int size = symmetric.getNumRows();
      EigenDecomposition_F64<DMatrixRMaj> found = DecompositionFactory_DDRM.eig(size, true, true);
      if (!found.decompose(symmetric.copy())) {
        throw new TrainingException(
            "the products of the columns are no numbers: look for values that no sensor can give");
      }
      Integer[] order = new Integer[size];
      Arrays.setAll(order, i -> i);
      Arrays.sort(
          order,
          (left, right) ->
              Double.compare(
                  found.getEigenvalue(right).getReal(), found.getEigenvalue(left).getReal()));
      double[] values = new double[size];
      double[][] vectors = new double[size][];
      for (int i = 0; i < size; i++) {
        values[i] = found.getEigenvalue(order[i]).getReal();
        vectors[i] = upright(found.getEigenVector(order[i]).getData().clone());
      }
      return new Eigen(values, vectors);
    }

    private static double[] upright(double[] vector) {
      int largest = 0;
      for (int i = 1; i < vector.length; i++) {
        // Nearly equal ones must not change places by rounding.
        if (Math.abs(vector[i]) > Math.abs(vector[largest]) * (1 + 1e-9)) {
          largest = i;
        }
      }
      if (vector[largest] < 0) {
        for (int i = 0; i < vector.length; i++) {
          vector[i] = -vector[i];
        }
      }
      return vector;
    }
  }

  /**
   * Solves a system of equations whose matrix has no negative eigenvalue. Where features say the
   * same, so that many solutions are as good, it is the shortest one.
   */
  static double[] solve(DMatrixRMaj left, DMatrixRMaj right, Fitting fitting)
      throws TrainingException {
    Eigen eigen = Eigen.of(left);
    int size = right.getNumRows();
    double[] solution = new double[size];
    int rank = 0;
    for (int k = 0; k < size; k++) {
      double value = eigen.values()[k];
      if (value > RANK * eigen.values()[0]) {
        rank++;
        double along = 0;
        for (int i = 0; i < size; i++) {
          along += eigen.vectors()[k][i] * right.get(i, 0);
        }
        for (int i = 0; i < size; i++) {
          solution[i] += along / value * eigen.vectors()[k][i];
        }
      }
    }
    if (rank < varying(left)) {
      fitting.note(
          "some features say the same as others, which share their weight; leave out what can be"
              + " computed from others");
    }
    return solution;
  }

  /** How many columns are not constant. */
  private static int varying(DMatrixRMaj matrix) {
    int count = 0;
    for (int i = 0; i < matrix.getNumRows(); i++) {
      count += matrix.get(i, i) > 0 ? 1 : 0;
    }
    return count;
  }
}
