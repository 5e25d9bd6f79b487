package io.sedge.connector.modbus.internal;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Parses {@code KIND:ADDRESS[.BIT][:TYPE[:ORDER]]}: {@code holding:10:float32:le-swap}, {@code
 * holding:12.3}, {@code coil:7}. Failures are {@link IllegalArgumentException} whose message is the
 * end of a sentence that names the value.
 */
final class RegisterParser {
  /** The most bytes of text: what one answer holds. */
  static final int MAX_TEXT_BYTES = 250;

  private static final int ADDRESSES = 65_536;
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,6})(?:\\.(\\d{1,2}))?");
  private static final Pattern TYPE = Pattern.compile("([a-z0-9]+)(?:\\((\\d{1,4})\\))?");

  private final Addressing addressing;
  private final ByteOrder defaultOrder;

  /** How addresses are written. */
  enum Addressing {
    /** From 0, as they are sent; a number that may be the other way is refused. */
    UNSTATED,
    /** From 0, as they are sent. */
    PROTOCOL,
    /** From 1, behind the digit of the kind: 40001. */
    MODICON
  }

  RegisterParser(Addressing addressing, ByteOrder defaultOrder) {
    this.addressing = addressing;
    this.defaultOrder = defaultOrder;
  }

  Register parse(String text) {
    List<String> parts = List.of(text.strip().split(":", -1));
    if (parts.size() < 2 || parts.size() > 4) {
      throw new IllegalArgumentException(
          "is not a register; write it as KIND:ADDRESS:TYPE, such as holding:0:float32");
    }
    RegisterKind kind = kind(parts.get(0));
    Matcher number = NUMBER.matcher(parts.get(1));
    if (!number.matches()) {
      throw new IllegalArgumentException(
          "has the address '%s'; write a number, or number.bit for a bit of a register"
              .formatted(parts.get(1)));
    }
    int address = address(kind, number.group(1));
    if (number.group(2) != null) {
      return bitOfRegister(kind, address, Integer.parseInt(number.group(2)), parts);
    }
    if (kind.isBits()) {
      if (parts.size() > 2 && (parts.size() > 3 || !parts.get(2).equals("bool"))) {
        throw new IllegalArgumentException(
            "has a type, but %s holds single bits; leave out what stands after the address"
                .formatted(kind));
      }
      return new Register(new Span(kind, address, 1), -1, RegisterType.BOOL, 0, ByteOrder.BE);
    }
    return value(kind, address, parts);
  }

  private Register value(RegisterKind kind, int address, List<String> parts) {
    Matcher matcher = TYPE.matcher(parts.size() > 2 ? parts.get(2) : "uint16");
    Optional<RegisterType> found =
        matcher.matches()
            ? Stream.of(RegisterType.values())
                .filter(type -> type.toString().equals(matcher.group(1)))
                .findFirst()
            : Optional.empty();
    RegisterType type =
        found.orElseThrow(
            () ->
                new IllegalArgumentException(
                    ("has the type '%s'; known are int16, uint16, int32, uint32, int64, uint64,"
                            + " float32, float64, string(N)")
                        .formatted(parts.get(2))));
    if (type == RegisterType.BOOL) {
      throw new IllegalArgumentException(
          "is a whole register; write holding:%d.0 for its lowest bit, up to .15"
              .formatted(address));
    }
    boolean hasLength = matcher.group(2) != null;
    if (hasLength != (type == RegisterType.STRING)) {
      throw new IllegalArgumentException(
          hasLength
              ? "has a length, which only string(N) has"
              : "has no length; write string(N), N the number of bytes");
    }
    int length = hasLength ? Integer.parseInt(matcher.group(2)) : 0;
    if (hasLength && (length < 1 || length > MAX_TEXT_BYTES)) {
      throw new IllegalArgumentException(
          "has a length of %d bytes, which is not in 1 to %d".formatted(length, MAX_TEXT_BYTES));
    }
    int count = hasLength ? (length + 1) / 2 : type.registers();
    if (address + count > ADDRESSES) {
      throw new IllegalArgumentException(
          "goes beyond the last address, %d".formatted(ADDRESSES - 1));
    }
    return new Register(new Span(kind, address, count), -1, type, length, order(parts));
  }

  private ByteOrder order(List<String> parts) {
    if (parts.size() < 4) {
      return defaultOrder;
    }
    return ByteOrder.named(parts.get(3))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "has the byte order '%s', which is not one of %s"
                        .formatted(parts.get(3), String.join(", ", ByteOrder.names()))));
  }

  private Register bitOfRegister(RegisterKind kind, int address, int bit, List<String> parts) {
    if (kind.isBits()) {
      throw new IllegalArgumentException(
          "has a bit, but each %s is one; leave out .%d".formatted(kind, bit));
    }
    if (bit > 15) {
      throw new IllegalArgumentException("has the bit %d, which is not in 0 to 15".formatted(bit));
    }
    if (parts.size() > 2) {
      throw new IllegalArgumentException(
          "is a bit, which has no type; leave out what stands after .%d".formatted(bit));
    }
    return new Register(new Span(kind, address, 1), bit, RegisterType.BOOL, 0, defaultOrder);
  }

  private static RegisterKind kind(String text) {
    for (RegisterKind kind : RegisterKind.values()) {
      if (kind.toString().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "begins with '%s', which is not one of coil, discrete, input, holding".formatted(text));
  }

  private int address(RegisterKind kind, String digits) {
    int number = Integer.parseInt(digits);
    if (addressing == Addressing.MODICON) {
      return modicon(kind, digits)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      ("has the address %s; with 'addressing' = 'modicon' the %s registers are"
                              + " %d0001 to %d9999, or %d00001 to %d65536")
                          .formatted(
                              digits,
                              kind,
                              kind.digit(),
                              kind.digit(),
                              kind.digit(),
                              kind.digit())));
    }
    Optional<Integer> other = modicon(kind, digits);
    if (addressing == Addressing.UNSTATED && other.isPresent()) {
      throw new IllegalArgumentException(
          ("has the address %s, which may be meant in two ways; write %s:%d, or say 'addressing' ="
                  + " 'modicon' (all are written like %s), or 'addressing' = 'protocol' (address %d"
                  + " itself is meant)")
              .formatted(digits, kind, other.get(), digits, number));
    }
    if (number >= ADDRESSES) {
      throw new IllegalArgumentException(
          "has the address %d, which is not in 0 to %d".formatted(number, ADDRESSES - 1));
    }
    return number;
  }

  /** What a number says in 40001 style: five or six digits, of which the first is the kind's. */
  private static Optional<Integer> modicon(RegisterKind kind, String digits) {
    if (digits.length() < 5 || digits.charAt(0) - '0' != kind.digit()) {
      return Optional.empty();
    }
    int number = Integer.parseInt(digits.substring(1));
    return number < 1 || number > ADDRESSES ? Optional.empty() : Optional.of(number - 1);
  }
}
