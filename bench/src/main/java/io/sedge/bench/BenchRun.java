package io.sedge.bench;

import java.lang.reflect.InvocationTargetException;

/** The program of one contender's process: {@code BenchRun CLASS WORKLOAD READINGS}. */
public final class BenchRun {
  private BenchRun() {}

  public static void main(String[] args) throws Exception {
    Contender contender;
    try {
      contender = Class.forName(args[0]).asSubclass(Contender.class).getConstructor().newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(args[0] + " cannot be made", e);
    }
    Meter meter = new Meter(Long.parseLong(args[2]));
    contender.run(Workload.valueOf(args[1]), new Readings(), meter);
    System.out.println(meter.report());
    System.exit(0);
  }
}
