package io.sedge.learning.training.internal;

import io.sedge.learning.training.Components;
import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Question;
import io.sedge.learning.training.Scaling;
import io.sedge.learning.training.TrainingException;
import java.io.IOException;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;

/**
 * Principal components of the correlation matrix. Jackson, Mudholkar, Technometrics 21, 1979, for Q
 * and T².
 */
final class PrincipalComponents {
  private PrincipalComponents() {}

  static FittedModel fit(Fitting fitting, Scaling scaling, long rows)
      throws TrainingException, IOException, InterruptedException {
    Matrices.Eigen eigen = eigen(fitting, scaling, rows);
    double[] variances = eigen.values();
    double all = Arrays.stream(variances).map(value -> Math.max(value, 0)).sum();
    int count = 0;
    double explained = 0;
    while (count < variances.length
        && explained < fitting.recipe().explained() * all * (1 - 1e-9)) {
      explained += Math.max(variances[count++], 0);
    }
    return new Components(
        scaling, Arrays.copyOf(eigen.vectors(), count), Arrays.copyOf(variances, count));
  }

  static Matrices.Eigen eigen(Fitting fitting, Scaling scaling, long rows)
      throws TrainingException, IOException, InterruptedException {
    double[] products = fitting.ask(new Question.Products(scaling)).sums().clone();
    for (int i = 0; i < products.length; i++) {
      products[i] /= rows;
    }
    DMatrixRMaj correlations = Matrices.symmetric(products, 0, scaling.size());
    return Matrices.Eigen.of(correlations);
  }
}
