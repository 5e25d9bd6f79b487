package io.sedge.connector.host;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A probe whose numbers a test sets, and which counts how often it is looked at. */
final class FakeProbe implements Probe {
  final double[] raw;
  final double[] whole;
  final List<Quantity> quantities;
  final AtomicInteger looks = new AtomicInteger();
  volatile boolean failing;
  volatile @Nullable Error error;
  volatile boolean closed;

  FakeProbe(Quantity... quantities) {
    this.quantities = List.of(quantities);
    this.raw = new double[quantities.length];
    this.whole = new double[quantities.length];
  }

  @Override
  public List<Quantity> quantities() {
    return quantities;
  }

  @Override
  public void read(double[] rawOut, double[] wholeOut) throws IOException {
    looks.incrementAndGet();
    Error thrown = error;
    if (thrown != null) {
      throw thrown;
    }
    if (failing) {
      throw new IOException("pulled out");
    }
    System.arraycopy(raw, 0, rawOut, 0, raw.length);
    System.arraycopy(whole, 0, wholeOut, 0, whole.length);
  }

  @Override
  public void close() {
    closed = true;
  }
}
