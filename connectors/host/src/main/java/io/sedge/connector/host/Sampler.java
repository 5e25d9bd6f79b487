package io.sedge.connector.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads each quantity at its own sampling rate.
 *
 * <p>A quantity is due at the multiples of its period; quantities of one rate are due together, and
 * one look of their probe serves all of them. A time that has been missed, because the machine or
 * the job was busy, is skipped: a sensor that was not read is not a lost reading.
 *
 * <p>{@link #sample} belongs to one thread; {@link #setRate}, {@link #rate} and {@link #names} may
 * be called from any.
 */
final class Sampler implements AutoCloseable {
  private final List<Group> groups = new ArrayList<>();
  private final Map<String, Channel> channels = new LinkedHashMap<>();
  private final double maxRateHz;

  /** Nothing was due within so many nanoseconds; the caller asks again then. */
  private static final long IDLE_NANOS = 1_000_000_000;

  /**
   * @param probes what there is; those that have nothing to offer are closed
   * @param selection what is wanted of it
   * @param rates the rate to begin with; clamped to what each quantity takes
   * @param maxRateHz the highest rate that any quantity may have
   */
  Sampler(
      Collection<? extends Probe> probes,
      Selection selection,
      ToDoubleFunction<Quantity> rates,
      double maxRateHz) {
    this.maxRateHz = maxRateHz;
    for (Probe probe : probes) {
      Group group = new Group(probe);
      for (int i = 0; i < probe.quantities().size(); i++) {
        Quantity quantity = probe.quantities().get(i);
        if (selection.wants(quantity) && !channels.containsKey(quantity.name())) {
          Channel channel = new Channel(quantity, i, Math.min(maxRateHz, quantity.maxRateHz()));
          channel.period.set(
              SamplingRate.periodNanos(
                  SamplingRate.clamp(rates.applyAsDouble(quantity), channel.maxHz)));
          channels.put(quantity.name(), channel);
          group.channels.add(channel);
        }
      }
      if (group.channels.isEmpty()) {
        group.close();
      } else {
        groups.add(group);
      }
    }
  }

  /** The names of the quantities that it reads. */
  Collection<String> names() {
    return channels.keySet();
  }

  int size() {
    return channels.size();
  }

  double maxRateHz() {
    return maxRateHz;
  }

  /** The sampling rate of a quantity now, in hertz; empty if it does not read it. */
  Optional<Double> rate(String quantity) {
    return Optional.ofNullable(channels.get(quantity)).map(channel -> 1e9 / channel.period.get());
  }

  /**
   * Sets the sampling rate of a quantity, clamped to what it takes.
   *
   * @return what has changed; empty if it does not read that quantity
   */
  Optional<RateChange> setRate(String quantity, double hertz) {
    Channel channel = channels.get(quantity);
    if (channel == null) {
      return Optional.empty();
    }
    double set = SamplingRate.clamp(hertz, channel.maxHz);
    long before = channel.period.getAndSet(SamplingRate.periodNanos(set));
    return Optional.of(new RateChange(1e9 / before, set, channel.maxHz));
  }

  /**
   * A sampling rate has been set.
   *
   * @param fromHz the rate before
   * @param toHz the rate now, which differs from what was asked if that was out of range
   * @param maxHz the highest rate of this quantity
   */
  record RateChange(double fromHz, double toHz, double maxHz) {}

  /**
   * Reads what is due and adds it to the readings, for all of which the caller has seen to room.
   *
   * @param nowNanos a monotonic clock
   * @param micros the wall clock at the same moment
   * @return when to call again, by the same clock; earlier does no harm
   */
  long sample(long nowNanos, long micros, Readings readings) {
    long next = nowNanos + IDLE_NANOS;
    for (Group group : groups) {
      next = Math.min(next, group.sample(nowNanos, micros, readings));
    }
    return next;
  }

  @Override
  public void close() {
    groups.forEach(Group::close);
  }

  /** A quantity and when it is due. All but {@code period} belongs to the sampling thread. */
  private static final class Channel {
    private final Quantity quantity;
    private final int index;
    private final double maxHz;
    private final AtomicLong period = new AtomicLong();
    private final @Nullable History history;
    private long scheduledPeriod;
    private long due;

    Channel(Quantity quantity, int index, double maxHz) {
      this.quantity = quantity;
      this.index = index;
      this.maxHz = maxHz;
      this.history = quantity.measure() == Measure.GAUGE ? null : new History(maxHz);
    }

    /** Puts a new rate into effect: the next reading is at the next multiple of its period. */
    void reschedule(long nowNanos) {
      long wanted = period.get();
      if (wanted != scheduledPeriod) {
        due = scheduledPeriod == 0 ? nowNanos : nextMultiple(nowNanos - 1, wanted);
        scheduledPeriod = wanted;
      }
    }

    boolean isDue(long nowNanos) {
      return nowNanos - due >= 0;
    }

    double measure(long nowNanos, double raw, double whole) {
      double result = history == null ? raw : history.add(quantity.measure(), nowNanos, raw, whole);
      return result * quantity.scale();
    }

    private static long nextMultiple(long nowNanos, long period) {
      return (Math.floorDiv(nowNanos, period) + 1) * period;
    }
  }

  /** A probe and the channels that it serves. */
  private static final class Group {
    private final Probe probe;
    private final List<Channel> channels = new ArrayList<>();
    private final double[] raw;
    private final double[] whole;

    Group(Probe probe) {
      this.probe = probe;
      this.raw = new double[probe.quantities().size()];
      this.whole = new double[raw.length];
    }

    long sample(long nowNanos, long micros, Readings readings) {
      boolean anyDue = false;
      for (Channel channel : channels) {
        channel.reschedule(nowNanos);
        anyDue |= channel.isDue(nowNanos);
      }
      boolean read = anyDue && look();
      long next = Long.MAX_VALUE;
      for (Channel channel : channels) {
        if (channel.isDue(nowNanos)) {
          if (read) {
            take(channel, nowNanos, micros, readings);
          }
          channel.due = Channel.nextMultiple(nowNanos, channel.scheduledPeriod);
        }
        next = Math.min(next, channel.due);
      }
      return next;
    }

    private void take(Channel channel, long nowNanos, long micros, Readings readings) {
      double value = channel.measure(nowNanos, raw[channel.index], whole[channel.index]);
      if (Double.isFinite(value)) {
        readings.add(channel.quantity, micros, value);
      }
    }

    /** Whether there is something; a sensor may be away for a while and come back. */
    private boolean look() {
      try {
        probe.read(raw, whole);
        return true;
      } catch (IOException e) {
        for (Channel channel : channels) {
          if (channel.history != null) {
            channel.history.clear();
          }
        }
        return false;
      }
    }

    void close() {
      try {
        probe.close();
      } catch (IOException e) {
        // It was open for reading only: there is nothing that could be lost.
        return;
      }
    }
  }
}
