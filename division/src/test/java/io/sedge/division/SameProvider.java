package io.sedge.division;

import io.sedge.connector.Option;
import io.sedge.connector.ScriptFiles;
import io.sedge.learning.DriftOptions;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.learning.Scorer;
import java.util.ArrayList;
import java.util.List;

/** Models that give their features: {@code 'provider' = 'same'}. */
final class SameProvider implements ModelProvider {
  @Override
  public String name() {
    return "same";
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(DriftOptions.ALL);
    options.add(Option.withDefault("version", Option.Kind.INTEGER, "1", "Which one it is."));
    return options;
  }

  @Override
  public Model open(ModelDescriptor model, ScriptFiles files) {
    return new Model() {
      @Override
      public String identity() {
        return "same";
      }

      @Override
      public String version() {
        return "same " + model.options().getOrDefault("version", "1");
      }

      @Override
      public Scorer scorer() {
        return (features, _) -> features;
      }
    };
  }
}
