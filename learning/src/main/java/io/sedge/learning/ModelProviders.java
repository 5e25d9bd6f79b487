package io.sedge.learning;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Suggestions;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/** The providers that a program has, by name. Any thread. */
public final class ModelProviders {
  private final Iterable<ModelProvider> providers;

  private ModelProviders(Iterable<ModelProvider> providers) {
    this.providers = providers;
  }

  /** These. */
  public static ModelProviders of(ModelProvider... providers) {
    return new ModelProviders(List.of(providers));
  }

  /** Those that the class loader finds, once they are asked for. */
  public static ModelProviders installed(ClassLoader loader) {
    // A ServiceLoader is not for several threads, so each question has its own.
    return new ModelProviders(() -> ServiceLoader.load(ModelProvider.class, loader).iterator());
  }

  /**
   * The provider of a model.
   *
   * @param model the model's name, for the message
   * @param name the value of its option {@code provider}
   * @throws ConnectorException of kind USER if there is none of that name
   */
  public ModelProvider named(String model, String name) {
    Set<String> names = new TreeSet<>();
    for (ModelProvider provider : providers) {
      if (provider.name().equals(name)) {
        return provider;
      }
      names.add(provider.name());
    }
    throw new ConnectorException(
        Kind.USER,
        "model %s: 'provider' = '%s' is not one of %s%s"
            .formatted(
                model,
                name,
                names.isEmpty()
                    ? "none, as this program has no providers"
                    : String.join(", ", names),
                Suggestions.closest(name, names)
                    .map("; did you mean '%s'?"::formatted)
                    .orElse("")));
  }
}
