package io.sedge.simulator;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link SimulationPublisher} is to do. Times are simulated ones, which pass {@code speed}
 * times as fast as real ones.
 *
 * @param subject what is simulated
 * @param broker {@code mqtt://host:port}, or {@code mqtts} for TLS with the certificates that Java
 *     trusts
 * @param credentials user and password, if the broker wants them
 * @param seed of everything that is random
 * @param rateHz readings per second and sensor, from 0.01 to 1000
 * @param speed how much faster than real time passes, more than 0
 * @param duration when to stop; empty for until {@link SimulationPublisher#stop}
 * @param faults what goes wrong when
 * @param audit a file that takes what was sent, as JSON
 */
public record SimulationOptions(
    Subject subject,
    URI broker,
    Optional<Credentials> credentials,
    long seed,
    double rateHz,
    double speed,
    Optional<Duration> duration,
    List<PlannedFault> faults,
    Optional<Path> audit) {

  /** A user and a password. */
  public record Credentials(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  public SimulationOptions {
    faults = List.copyOf(faults);
    if (!("mqtt".equals(broker.getScheme()) || "mqtts".equals(broker.getScheme()))
        || broker.getHost() == null) {
      throw new IllegalArgumentException(
          "'%s' is not the address of a broker; write it as mqtt://localhost:1883"
              .formatted(broker));
    }
    for (PlannedFault planned : faults) {
      if (!planned.fault().befalls(subject)) {
        throw new IllegalArgumentException(planned.fault().notOf(subject));
      }
    }
    if (!(speed > 0 && speed <= 1000)) {
      throw new IllegalArgumentException(
          "a speed of %s is not one: above 0, at most 1000".formatted(speed));
    }
  }

  /** At real speed without faults, until it is stopped. */
  public static SimulationOptions of(Subject subject, URI broker) {
    return new SimulationOptions(
        subject, broker, Optional.empty(), 1, 1, 1, Optional.empty(), List.of(), Optional.empty());
  }
}
