package io.sedge.connector.modbus.internal;

/** What became of a request. */
sealed interface Outcome {
  /** The values that were asked for, as many as were; of a write, none. */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Answered(byte[] values) implements Outcome {}

  /** No answer came in time; one that is late is not taken for another's. */
  record NoAnswer() implements Outcome {}

  /**
   * The device has answered with an exception.
   *
   * @param code the exception code
   */
  record Refused(int code) implements Outcome {
    static final int ILLEGAL_ADDRESS = 2;
    static final int ILLEGAL_VALUE = 3;
    static final int ACKNOWLEDGE = 5;
    static final int BUSY = 6;
    static final int NO_PATH = 10;
    static final int TARGET_SILENT = 11;

    /** Whether a gateway says that it has not heard from the device. */
    boolean isSilence() {
      return code == NO_PATH || code == TARGET_SILENT;
    }

    /** Whether the same request may be answered later. */
    boolean passes() {
      return isSilence() || code == ACKNOWLEDGE || code == BUSY;
    }

    @Override
    public String toString() {
      String meaning =
          switch (code) {
            case 1 ->
                "illegal function: the device has no registers of this kind, or none to be written;"
                    + " see its manual";
            case ILLEGAL_ADDRESS ->
                "illegal data address: the device has no such register; compare it, and"
                    + " 'addressing', with its manual";
            case ILLEGAL_VALUE ->
                "illegal data value: the device does not take that value, or so many registers at"
                    + " once";
            case 4 -> "server device failure: the device says that it has failed; look at it";
            case ACKNOWLEDGE -> "acknowledge: it is still at work";
            case BUSY -> "server device busy: it may be asked too often, by others too";
            case 8 -> "memory parity error: the device's memory is faulty";
            case NO_PATH ->
                "gateway path unavailable: the gateway does not know the way to this unit; look at"
                    + " the unit id and at its settings";
            case TARGET_SILENT ->
                "the gateway's target does not respond: look at the unit id, and at power and"
                    + " wiring behind the gateway";
            default -> "not of the standard: see the device's manual";
          };
      return "exception %d, %s".formatted(code, meaning);
    }
  }

  /**
   * An answer came that is none.
   *
   * @param values what it held, perhaps nothing
   * @param why what is wrong with it
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Garbled(byte[] values, String why) implements Outcome {}

  /** The connection cannot be used. */
  record Lost(String why) implements Outcome {}
}
