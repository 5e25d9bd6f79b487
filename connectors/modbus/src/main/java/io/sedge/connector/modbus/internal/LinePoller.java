package io.sedge.connector.modbus.internal;

import io.sedge.connector.Reports;
import io.sedge.connector.Tenfold;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Polls the units that share a connection, one after the other, at each tick. Belongs to its loop's
 * thread.
 *
 * <pre>
 * DISCONNECTED -> CONNECTING    there is somebody to ask, after the pause
 * CONNECTING   -> SWEEPING      connected
 * CONNECTING   -> DISCONNECTED  it failed
 * SWEEPING     -> IDLE          every unit was asked
 * SWEEPING     -> CONNECTING    too many units in a row were silent, so the connection is doubted
 * IDLE         -> SWEEPING      a tick, or a silent unit's pause is over
 * IDLE         -> CONNECTING    as above, by a unit that is asked apart
 * IDLE, SWEEPING -> DISCONNECTED  the connection was lost while an answer was waited for
 * IDLE         -> DISCONNECTED  it was closed while none was, as devices do that spare connections
 * any          -> CLOSED
 * </pre>
 *
 * <p>A unit that does not answer is left out of the next sweeps and asked apart, one at a time,
 * with growing pauses: over TCP beside the others, whose answers their transaction ids tell apart;
 * in its turn, after the others, over RTU and where the far end turns out to be a gateway, which
 * asks one at a time. An RTU connection is made anew after each silence, since a late answer could
 * be taken for the next one's.
 *
 * <p>Each callback belongs to a connection; those of earlier ones are passed over.
 */
final class LinePoller {
  /** So many silent units in a row may be a connection that is half open. */
  private static final int MAX_UNANSWERED = 3;

  private enum State {
    DISCONNECTED,
    CONNECTING,
    IDLE,
    SWEEPING,
    CLOSED
  }

  private final Endpoint endpoint;
  private final List<Device> devices;
  private final PollSettings settings;
  private final Loop loop;
  private final Inbox inbox;
  private final Reports reports;
  private final Gaps gaps;
  private final Deque<Device> waiting = new ArrayDeque<>();
  private final Tenfold skipped = new Tenfold();

  private State state = State.DISCONNECTED;
  private @Nullable Link link;
  private int connection;
  private int failures;
  private long retryNanos;
  private int unanswered;
  private @Nullable Device current;
  private @Nullable Device apart;
  private boolean isAskedApart;
  private boolean inTurn;
  private boolean isPollDue;
  private int nextApart;
  private long tick;
  private boolean pausing;
  private boolean away;
  private long answeredMicros;
  private long answeredTick;

  LinePoller(
      Endpoint endpoint,
      List<Device> devices,
      PollSettings settings,
      Loop loop,
      Inbox inbox,
      Reports reports) {
    this.endpoint = endpoint;
    this.devices = List.copyOf(devices);
    this.settings = settings;
    this.loop = loop;
    this.inbox = inbox;
    this.reports = reports;
    this.gaps = new Gaps(endpoint.name(), reports);
    this.inTurn = endpoint.rtu();
    this.retryNanos = System.nanoTime();
    this.answeredMicros = reports.nowMicros();
  }

  /**
   * It is time to poll.
   *
   * @param passed how many ticks there were since the last call, with this one
   */
  void tick(long passed) {
    tick += passed;
    isPollDue = true;
    if (state == State.SWEEPING) {
      skip();
    }
    proceed();
  }

  /** Does what is due: a poll, an attempt to connect, a question to a silent unit. */
  private void proceed() {
    long now = System.nanoTime();
    switch (state) {
      case DISCONNECTED -> {
        if (now - retryNanos >= 0 && fill(now)) {
          connect();
        }
      }
      case IDLE -> {
        if (fill(now)) {
          sweep();
        }
      }
      case CONNECTING, SWEEPING, CLOSED -> {}
    }
  }

  /** Proceeds after a pause, if that is sooner than the next tick; later if it is busy then. */
  private void proceedAfter(long pauseNanos) {
    if (pauseNanos < settings.interval().toNanos()) {
      loop.schedule(
          () -> {
            if (state == State.SWEEPING || state == State.CONNECTING || isAskedApart) {
              proceedAfter(settings.link().requestTimeout().toNanos());
            } else {
              proceed();
            }
          },
          pauseNanos);
    }
  }

  /** A poll is left out, since the one before goes on; the first is said, then each tenfold. */
  private void skip() {
    if (skipped.add(1) && !away) {
      reports.warn(
          "%s: a poll took longer than 'poll-interval'; %d %s left out so far"
              .formatted(endpoint.name(), skipped.count(), skipped.count() == 1 ? "was" : "were"));
    }
  }

  /** Gathers whom to ask; false if nobody may be asked now. */
  private boolean fill(long now) {
    if (!inbox.hasRoom(settings.mostArrivals())) {
      if (!pausing) {
        reports.warn(
            "the job does not keep up, so %s is not polled until it has caught up"
                .formatted(endpoint.name()));
      }
      pausing = true;
      inbox.signal();
      return false;
    }
    pausing = false;
    waiting.clear();
    if (isPollDue) {
      devices.stream().filter(device -> !device.isPaused()).forEach(waiting::add);
    }
    apart = isAskedApart ? null : dueApart(now);
    if (apart != null && inTurn) {
      waiting.add(apart);
      apart = null;
    }
    return !waiting.isEmpty() || apart != null;
  }

  /** A silent unit that may be asked again; they take turns. */
  private @Nullable Device dueApart(long now) {
    for (int i = 0; i < devices.size(); i++) {
      Device device = devices.get((nextApart + i) % devices.size());
      if (device.isPaused() && device.isDue(now)) {
        nextApart = (nextApart + i + 1) % devices.size();
        return device;
      }
    }
    return null;
  }

  private void connect() {
    state = State.CONNECTING;
    int made = ++connection;
    loop.connect(
        endpoint,
        () -> {
          if (made == connection) {
            lost();
          }
        },
        (connected, why) -> {
          if (made != connection) {
            if (connected != null) {
              connected.close();
            }
          } else if (connected == null) {
            outage(why);
          } else {
            link = connected;
            unanswered = 0;
            sweep();
          }
        });
  }

  /**
   * A device may close what it takes for unused: that is no outage if the next poll gets through.
   */
  private void lost() {
    if (state == State.IDLE && !isAskedApart) {
      disconnect();
      state = State.DISCONNECTED;
      retryNanos = System.nanoTime();
    } else {
      outage("the connection was lost");
    }
  }

  /** There is no connection; after a pause it is tried again. */
  private void outage(String why) {
    disconnect();
    state = State.DISCONNECTED;
    waiting.clear();
    apart = null;
    long pause = settings.link().pauses().delay(++failures).toNanos();
    retryNanos = System.nanoTime() + pause;
    proceedAfter(pause);
    gaps.forgetBegun();
    if (!away) {
      away = true;
      reports.warn(
          "%s gives nothing since %s: %s; it is tried again"
              .formatted(endpoint.name(), Reports.time(answeredMicros), why));
    }
  }

  private void disconnect() {
    connection++;
    current = null;
    isAskedApart = false;
    if (link != null) {
      link.close();
      link = null;
    }
    inbox.signal();
  }

  private void sweep() {
    state = State.SWEEPING;
    if (apart != null) {
      isAskedApart = true;
      visit(
          apart,
          () -> {
            isAskedApart = false;
            gaps.report();
            inbox.signal();
          });
      apart = null;
    }
    next();
  }

  private void next() {
    if (state != State.SWEEPING) {
      return;
    }
    Device device = waiting.poll();
    current = device;
    if (device == null) {
      state = State.IDLE;
      isPollDue = false;
      gaps.report();
      inbox.signal();
    } else {
      visit(device, this::next);
    }
  }

  /** Asks a unit for all of its plan. */
  private void visit(Device device, Runnable done) {
    request(device, device.plan(), new byte[device.plan().reads().size()][], 0, done);
  }

  private void request(Device device, ReadPlan plan, byte[][] values, int index, Runnable done) {
    Link used = link;
    if (used == null) {
      return;
    }
    int of = connection;
    ReadPlan.Read read = plan.reads().get(index);
    used.read(
        device.unit(),
        read.span(),
        outcome -> {
          if (of != connection) {
            return;
          }
          switch (outcome) {
            case Outcome.Answered(byte[] answer) -> {
              unanswered = 0;
              values[index] = answer;
              if (index + 1 < values.length) {
                request(device, plan, values, index + 1, done);
              } else {
                answered(device, plan, values);
                done.run();
              }
            }
            case Outcome.NoAnswer _ -> silent(device, done);
            case Outcome.Refused refused -> refused(device, read, refused, done);
            case Outcome.Garbled(byte[] answer, String why) -> {
              unanswered = 0;
              inbox.add(
                  new Arrival.Garbled(device.index(), read.span(), answer, why), System.nanoTime());
              if (endpoint.rtu()) {
                current = null;
                reconnect();
              } else {
                done.run();
              }
            }
            case Outcome.Lost(String why) -> outage(why);
          }
        });
  }

  private void answered(Device device, ReadPlan plan, byte[][] values) {
    long now = reports.nowMicros();
    boolean hadGap = device.gap() != null;
    long since = device.answeredMicros();
    long missed = device.answered(now, tick);
    if (away) {
      away = false;
      reports.warn(
          "%s answers again; it gave nothing from %s to %s, %d polls of each of its units"
              .formatted(
                  endpoint.name(),
                  Reports.time(answeredMicros),
                  Reports.time(now),
                  Math.max(0, tick - answeredTick - 1)));
    }
    if (hadGap) {
      gaps.ended(device.unit(), since, now, missed);
    }
    failures = 0;
    answeredMicros = now;
    answeredTick = tick;
    inbox.add(new Arrival.Reading(device.index(), plan, now, values), System.nanoTime());
  }

  private void silent(Device device, Runnable done) {
    String reason = "no answer within %d ms".formatted(settings.link().requestTimeout().toMillis());
    if (isAskedApart && device.equals(current)) {
      // A gateway may have kept it waiting behind the unit that is asked apart: it is not to blame.
      inTurn = true;
      beginGap(device, reason);
    } else {
      pause(device, reason);
    }
    unanswered++;
    if (endpoint.rtu() || unanswered >= Math.min(MAX_UNANSWERED, devices.size())) {
      reconnect();
    } else {
      done.run();
    }
  }

  private void pause(Device device, String reason) {
    proceedAfter(device.pause(settings.link().pauses(), System.nanoTime()));
    beginGap(device, reason);
  }

  private void beginGap(Device device, String reason) {
    if (device.beginGap(reason)) {
      gaps.begun(device, reason);
    }
  }

  /** Makes a doubtful connection anew, and goes on with those who have not been asked. */
  private void reconnect() {
    if (current != null && !current.isPaused()) {
      waiting.addFirst(current);
    }
    disconnect();
    connect();
  }

  private void refused(Device device, ReadPlan.Read read, Outcome.Refused refused, Runnable done) {
    unanswered = 0;
    boolean address =
        refused.code() == Outcome.Refused.ILLEGAL_ADDRESS
            || refused.code() == Outcome.Refused.ILLEGAL_VALUE;
    if (address && read.overGaps() && device.stopReadingOverGaps()) {
      reports.inform(
          "%s unit %d answers %s with %s. Registers between those of the columns are not read any more, so it takes more requests"
              .formatted(endpoint.name(), device.unit(), read.span(), refused));
      visit(device, done);
      return;
    }
    String reason = "%s is answered with %s".formatted(read.span(), refused);
    if (refused.isSilence()) {
      inTurn = true;
      pause(device, reason);
    } else {
      beginGap(device, reason);
    }
    done.run();
  }

  /** Ends the connection. */
  void close() {
    disconnect();
    state = State.CLOSED;
  }
}
