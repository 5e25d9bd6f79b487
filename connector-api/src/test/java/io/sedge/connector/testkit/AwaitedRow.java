package io.sedge.connector.testkit;

import io.sedge.connector.Awaited;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Somebody who waits for a row, and keeps what is said of it. */
public final class AwaitedRow implements Awaited {
  private final List<String> said = new CopyOnWriteArrayList<>();
  private volatile boolean over;

  /** From now on it must not be written. */
  public void end() {
    over = true;
  }

  /** What was said, in order: {@code confirmed}, {@code failed: why}, {@code expired: detail}. */
  public List<String> said() {
    return List.copyOf(said);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public void confirmed() {
    said.add("confirmed");
  }

  @Override
  public void failed(String why) {
    said.add("failed: " + why);
  }

  @Override
  public void expired(String detail) {
    said.add("expired: " + detail);
  }
}
