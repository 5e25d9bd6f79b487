package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.state.StateWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An operator in its place: the valve before it and the fan-outs behind it.
 *
 * <p>It holds its operator to one call at a time: while a call waits for room, every other call is
 * refused, so an operator that is reached on two ways from one source never sees one call inside
 * another. States: FREE; PROCESSING, when a batch of {@code busyInput} waits for room; SETTLING,
 * when a watermark or idleness that came from there does. Each goes back to FREE when all is passed
 * on.
 */
final class Node {
  private enum State {
    FREE,
    PROCESSING,
    SETTLING
  }

  private final int id;
  private final String name;
  private final Operator operator;
  private final FanOut output = new FanOut();
  private final @Nullable FanOut late;
  private final Valve valve;

  private State state = State.FREE;
  private int busyInput;
  private @Nullable Batch offered;
  private @Nullable Batch seen;
  private boolean operatorAdvanced;
  private boolean lateAdvanced;
  private boolean idleAnnounced;
  private long rowsIn;
  private byte @Nullable [] written;

  Node(int id, String name, Operator operator, int inputs, @Nullable FanOut late) {
    this.id = id;
    this.name = name;
    this.operator = operator;
    this.valve = new Valve(inputs);
    this.late = late;
  }

  int id() {
    return id;
  }

  String name() {
    return name;
  }

  Operator operator() {
    return operator;
  }

  FanOut output() {
    return output;
  }

  @Nullable FanOut late() {
    return late;
  }

  long rowsIn() {
    return rowsIn;
  }

  long watermark() {
    return valve.common();
  }

  /** Whether its consumers have been told that it is idle, and not yet all that it is back. */
  boolean isHeldForIdle() {
    return idleAnnounced;
  }

  /** Whether nothing waits for room. */
  boolean isFree() {
    return state == State.FREE;
  }

  NodeInput input(int input) {
    return new Input(input);
  }

  private final class Input implements NodeInput {
    private final int input;

    Input(int input) {
      this.input = input;
    }

    @Override
    public boolean offer(Batch batch) {
      if (state == State.FREE) {
        if (batch.rows() == 0) {
          return true;
        }
        if (!operator.ready(input)) {
          return false;
        }
        transitionToProcessing(input, batch);
      } else if (state != State.PROCESSING || busyInput != input) {
        return false;
      } else if (offered != batch) {
        throw new IllegalStateException(
            "%s was offered a batch of %d rows before it had taken the one that it refused"
                .formatted(name, batch.rows()));
      }
      return process();
    }

    @Override
    public boolean advance(long watermark) {
      if (state == State.FREE) {
        boolean ends = watermark == Long.MAX_VALUE && !valve.ended(input);
        valve.advance(input, watermark);
        if (ends) {
          operator.ended(input);
        }
        transitionToSettling(input);
      } else if (state != State.SETTLING || busyInput != input) {
        return false;
      }
      return settle();
    }

    @Override
    public boolean idle(boolean idle) {
      if (state == State.FREE) {
        if (!operator.ready(input)) {
          return false;
        }
        if (operator.ready(0)) {
          valve.idle(input, idle);
        }
        transitionToSettling(input);
      } else if (state != State.SETTLING || busyInput != input) {
        return false;
      }
      return settle();
    }
  }

  /**
   * Tells a consumer the watermark and the idleness that this node has announced, if it has not
   * heard of them.
   *
   * @return false if it did not take all: call again
   */
  boolean announceTo(Node consumer, int input) {
    long announced = operator.announced(valve.common());
    boolean knows = consumer.isFree() && announced <= consumer.valve.mark(input);
    if (!knows && !consumer.input(input).advance(announced)) {
      return false;
    }
    boolean knowsIdleness = consumer.isFree() && idleAnnounced == consumer.valve.isIdle(input);
    return knowsIdleness || consumer.input(input).idle(idleAnnounced);
  }

  private boolean process() {
    Batch batch = seen;
    if (batch == null || !operator.process(busyInput, batch, output)) {
      return false;
    }
    rowsIn += batch.rows();
    transitionToFree();
    return true;
  }

  /** Brings the operator and its consumers up to what the valve says. */
  private boolean settle() {
    long due = valve.due();
    if (due > valve.common()) {
      operatorAdvanced = operatorAdvanced || operator.advance(due, output);
      if (!operatorAdvanced) {
        return false;
      }
      lateAdvanced = lateAdvanced || late == null || late.advance(due);
      if (!lateAdvanced) {
        return false;
      }
      valve.announce(due);
      operatorAdvanced = false;
      lateAdvanced = false;
    }
    if (!announceIdleness()) {
      return false;
    }
    transitionToFree();
    return true;
  }

  private boolean announceIdleness() {
    boolean idle = valve.idle();
    if (idle == idleAnnounced) {
      return true;
    }
    operatorAdvanced = operatorAdvanced || output.idle(idle);
    if (!operatorAdvanced) {
      return false;
    }
    if (late != null && !late.idle(idle)) {
      return false;
    }
    operatorAdvanced = false;
    idleAnnounced = idle;
    return true;
  }

  private void transitionToProcessing(int input, Batch batch) {
    state = State.PROCESSING;
    busyInput = input;
    offered = batch;
    seen = valve.behind(input, batch);
  }

  private void transitionToSettling(int input) {
    state = State.SETTLING;
    busyInput = input;
  }

  private void transitionToFree() {
    state = State.FREE;
    offered = null;
    seen = null;
  }

  /** Writes the watermarks and the operator's state under this node's prefix. */
  void writeSnapshot(StateWriter writer) {
    writer.put(StateKeys.ofNode(id), encode());
    operator.writeSnapshot(new StateKeys(id, writer));
  }

  void writeChanges(StateWriter writer) {
    byte[] now = encode();
    if (!Arrays.equals(now, written)) {
      written = now;
      writer.put(StateKeys.ofNode(id), now.clone());
    }
    operator.writeChanges(new StateKeys(id, writer));
  }

  void restoreWatermarks(byte[] value) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(value))) {
      idleAnnounced = input.readBoolean();
      valve.read(input);
    } catch (IOException e) {
      throw new UncheckedIOException("the watermarks of %s cannot be read".formatted(name), e);
    }
    written = value.clone();
  }

  private byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream data = new DataOutputStream(bytes)) {
      data.writeBoolean(idleAnnounced);
      valve.write(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
