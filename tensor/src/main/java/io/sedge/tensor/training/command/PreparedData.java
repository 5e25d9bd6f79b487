package io.sedge.tensor.training.command;

import io.sedge.tensor.training.Head;
import io.sedge.tensor.training.data.CsvFiles;
import io.sedge.tensor.training.data.DataException;
import io.sedge.tensor.training.data.Examples;
import io.sedge.tensor.training.data.GeneratedTables;
import io.sedge.tensor.training.data.Scaling;
import io.sedge.tensor.training.data.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data of a training, read, checked and scaled. Scaling is that of the rows that are trained
 * on.
 *
 * @param validation examples that are not trained on; null if there are none
 */
record PreparedData(
    Examples training,
    @Nullable Examples validation,
    Scaling featureScaling,
    Scaling targetScaling) {
  static PreparedData of(TrainingFile file) {
    Table all = read(file);
    checkTargets(file, all);
    int kept = all.rows() - (int) (all.rows() * file.data().validation());
    Table trained = all.rows(0, kept);
    List<String> features = file.data().columns().features();
    List<String> targets = file.data().columns().targets();
    boolean numbers = file.model().head() instanceof Head.Regression;
    Scaling featureScaling =
        file.data().scaled() ? Scaling.of(trained, features) : Scaling.none(features.size());
    Scaling targetScaling =
        file.data().scaled() && numbers
            ? Scaling.of(trained, targets)
            : Scaling.none(targets.size());
    boolean isHeldBack = all.rows() - kept >= file.data().columns().window();
    return new PreparedData(
        Examples.of(trained, file.data().columns(), featureScaling, targetScaling),
        isHeldBack
            ? Examples.of(
                all.rows(kept, all.rows()), file.data().columns(), featureScaling, targetScaling)
            : null,
        featureScaling,
        targetScaling);
  }

  private static Table read(TrainingFile file) {
    if (file.data().generated() > 0) {
      return file.data().turbine()
          ? GeneratedTables.turbine(file.data().generated(), file.training().seed())
          : GeneratedTables.labelled(file.data().generated(), file.training().seed());
    }
    return CsvFiles.read(file.data().files(), file.data().columns().all());
  }

  private static void checkTargets(TrainingFile file, Table table) {
    int classes =
        switch (file.model().head()) {
          case Head.Binary ignored -> 2;
          case Head.MultiClass multi -> multi.classes();
          case Head.Regression ignored -> 0;
          case Head.Reconstruction ignored -> 0;
        };
    if (classes == 0) {
      return;
    }
    String target = file.data().columns().targets().getFirst();
    int column = table.column(target);
    for (int row = 0; row < table.rows(); row++) {
      double value = table.value(row, column);
      if (value < 0 || value >= classes || value != Math.rint(value)) {
        throw new DataException(
            "%s, row %d of the data, column '%s' is %s; the model tells classes 0 to %d"
                .formatted(table.name(), row + 1, target, value, classes - 1));
      }
    }
  }
}
