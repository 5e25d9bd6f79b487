package io.sedge.connector.host;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The readers of this process that are open, so that sinks can set their sampling rates. There is
 * one for each {@link HostConnectorFactory}. Any thread.
 */
final class RateRegistry {
  private final List<HostReader> open = new CopyOnWriteArrayList<>();

  void add(HostReader reader) {
    open.add(reader);
  }

  void remove(HostReader reader) {
    open.remove(reader);
  }

  /** Sets the rate in every reader that reads the quantity; empty if there is none. */
  Optional<Sampler.RateChange> setRate(String quantity, double hertz) {
    Optional<Sampler.RateChange> change = Optional.empty();
    for (HostReader reader : open) {
      Optional<Sampler.RateChange> of = reader.setRate(quantity, hertz);
      change = change.isPresent() ? change : of;
    }
    return change;
  }

  /** The names of all quantities that are read now. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    open.forEach(reader -> names.addAll(reader.names()));
    return names;
  }
}
