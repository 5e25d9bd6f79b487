package io.sedge.learning.training;

import io.sedge.connector.Option;
import io.sedge.connector.ScriptFiles;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.learning.ModelProviders;
import io.sedge.learning.Reference;
import io.sedge.learning.Scorer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code 'provider' = 'site'}: a model that devices train from their own history. Each version is
 * an ONNX file, by which the provider {@code onnx} scores. Before there is a version all scores are
 * NULL.
 */
public final class SiteProvider implements ModelProvider {
  private final ModelProviders providers;

  /** For {@link java.util.ServiceLoader}. */
  public SiteProvider() {
    this.providers = ModelProviders.installed(SiteProvider.class.getClassLoader());
  }

  @Override
  public String name() {
    return "site";
  }

  @Override
  public List<Option> options() {
    return Recipe.OPTIONS;
  }

  @Override
  public Optional<String> label(ModelDescriptor model) {
    return Recipe.of(model).label();
  }

  @Override
  public boolean isTrained() {
    return true;
  }

  @Override
  public Model open(ModelDescriptor model, ScriptFiles files) {
    Recipe recipe = Recipe.of(model);
    // Versions of one model count as one: what is kept of its scores goes on with the next.
    String identity = "site, " + recipe.what();
    Optional<Path> version = files.version(model.name(), recipe.what(), recipe.version());
    Optional<Path> shadow = files.shadow(model.name(), recipe.what());
    return open(
        model,
        identity,
        version,
        () -> Optional.of(open(model, identity, shadow, Optional::empty)));
  }

  private Model open(
      ModelDescriptor model,
      String identity,
      Optional<Path> version,
      Supplier<Optional<Model>> shadow) {
    if (version.isEmpty()) {
      return new SiteModel(
          identity,
          "none",
          () -> (_, rows) -> unknown(model.output(), rows),
          Optional.empty(),
          shadow);
    }
    Path place = version.get();
    Model onnx =
        providers
            .named(model.name(), "onnx")
            .open(
                new ModelDescriptor(
                    model.name(), model.input(), model.output(), Map.of("path", place.toString())),
                (_, _) -> place);
    return new SiteModel(identity, onnx.version(), onnx::scorer, onnx.reference(), shadow);
  }

  private static List<Column> unknown(Schema output, int rows) {
    List<Column> columns = new ArrayList<>();
    for (Type type : output.types()) {
      ColumnBuilder builder = ColumnBuilder.of(type);
      for (int row = 0; row < rows; row++) {
        builder.addNull();
      }
      columns.add(builder.build());
    }
    return columns;
  }

  private record SiteModel(
      String identity,
      String version,
      Supplier<Scorer> scorers,
      Optional<Reference> reference,
      Supplier<Optional<Model>> shadows)
      implements Model {
    @Override
    public Optional<Model> shadow() {
      return shadows.get();
    }

    @Override
    public Scorer scorer() {
      return scorers.get();
    }
  }
}
