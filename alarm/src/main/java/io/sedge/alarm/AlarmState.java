package io.sedge.alarm;

import java.util.Optional;

/**
 * The state of an alarm, after the state diagram of ANSI/ISA-18.2 (IEC 62682, clause 5.2).
 *
 * <pre>
 *                  RAISE           CLEAR           ACKNOWLEDGE   SHELVE          UNSHELVE
 * NORMAL           UNACKNOWLEDGED  =               refused       refused         refused
 * UNACKNOWLEDGED   =               RETURNED        ACKNOWLEDGED  SHELVED         refused
 * ACKNOWLEDGED     =               NORMAL          =             SHELVED         refused
 * RETURNED         UNACKNOWLEDGED  =               NORMAL        SHELVED_NORMAL  refused
 * SHELVED          =               SHELVED_NORMAL  refused       =               UNACKNOWLEDGED
 * SHELVED_NORMAL   SHELVED         =               refused       =               NORMAL
 * </pre>
 *
 * <p>{@code =} stays. WAIT and SETTLE change no state. Suppression by design and out-of-service are
 * what the script does not insert, and a job that is paused.
 */
public enum AlarmState {
  /** Nothing is to be seen, and nothing is kept. */
  NORMAL(1),
  /** Active, and nobody has seen it. */
  UNACKNOWLEDGED(2),
  /** Active, and somebody has seen it. */
  ACKNOWLEDGED(3),
  /** The condition is gone before anybody has seen it. */
  RETURNED(4),
  /** Put aside while the condition holds. */
  SHELVED(5),
  /** Put aside, and the condition is gone. */
  SHELVED_NORMAL(6);

  private final int code;

  AlarmState(int code) {
    this.code = code;
  }

  /** What stands for it in bytes; never changes its meaning. */
  int code() {
    return code;
  }

  /**
   * The one with a code.
   *
   * @throws IllegalArgumentException if there is none
   */
  static AlarmState ofCode(int code) {
    for (AlarmState value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new IllegalArgumentException("an alarm state of code " + code);
  }

  /** Whether the condition holds. */
  public boolean isActive() {
    return this == UNACKNOWLEDGED || this == ACKNOWLEDGED || this == SHELVED;
  }

  /** Whether it is put aside. */
  public boolean isShelved() {
    return this == SHELVED || this == SHELVED_NORMAL;
  }

  /** Whether somebody is to look at it. */
  public boolean asksForAttention() {
    return this == UNACKNOWLEDGED || this == RETURNED;
  }

  /** The state after an event; empty if it cannot happen in this one. */
  public Optional<AlarmState> after(AlarmEvent event) {
    return switch (event) {
      case RAISE -> Optional.of(raised());
      case CLEAR -> Optional.of(cleared());
      case ACKNOWLEDGE ->
          switch (this) {
            case UNACKNOWLEDGED, ACKNOWLEDGED -> Optional.of(ACKNOWLEDGED);
            case RETURNED -> Optional.of(NORMAL);
            case NORMAL, SHELVED, SHELVED_NORMAL -> Optional.empty();
          };
      case SHELVE ->
          switch (this) {
            case UNACKNOWLEDGED, ACKNOWLEDGED, SHELVED -> Optional.of(SHELVED);
            case RETURNED, SHELVED_NORMAL -> Optional.of(SHELVED_NORMAL);
            case NORMAL -> Optional.empty();
          };
      case UNSHELVE ->
          switch (this) {
            case SHELVED -> Optional.of(UNACKNOWLEDGED);
            case SHELVED_NORMAL -> Optional.of(NORMAL);
            case NORMAL, UNACKNOWLEDGED, ACKNOWLEDGED, RETURNED -> Optional.empty();
          };
      case WAIT, SETTLE -> Optional.of(this);
    };
  }

  private AlarmState raised() {
    return switch (this) {
      case NORMAL, RETURNED -> UNACKNOWLEDGED;
      case SHELVED_NORMAL -> SHELVED;
      case UNACKNOWLEDGED, ACKNOWLEDGED, SHELVED -> this;
    };
  }

  private AlarmState cleared() {
    return switch (this) {
      case UNACKNOWLEDGED -> RETURNED;
      case ACKNOWLEDGED -> NORMAL;
      case SHELVED -> SHELVED_NORMAL;
      case NORMAL, RETURNED, SHELVED_NORMAL -> this;
    };
  }
}
