package io.sedge.site.internal.device;

import io.sedge.ledger.Device;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Whose ledger has led, and whose answers, as a device sees it. */
final class PlayedPeers implements Peers {
  final Set<String> led = new HashSet<>();
  private final Predicate<String> answers;

  PlayedPeers(Predicate<String> answers) {
    this.answers = answers;
  }

  @Override
  public boolean hasLed(Device device) {
    return led.contains(device.name());
  }

  @Override
  public boolean answers(Device device) {
    return answers.test(device.name());
  }
}
