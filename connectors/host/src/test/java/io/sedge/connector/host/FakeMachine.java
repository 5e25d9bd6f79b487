package io.sedge.connector.host;

import java.util.List;

/** A machine with the probes of a test. */
final class FakeMachine implements Machine {
  private final FakeProbe probe;

  FakeMachine(FakeProbe probe) {
    this.probe = probe;
  }

  @Override
  public String name() {
    return "press-7";
  }

  @Override
  public List<Probe> open() {
    return List.of(probe);
  }
}
