package io.sedge.uplink;

/**
 * What a site says to a {@link Question}.
 *
 * <pre>
 *   version 1 | refusal | length 4, body
 * </pre>
 *
 * @param refusal why there is no answer, for people; empty if there is one
 * @param body the answer; empty if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record QuestionAnswer(String refusal, byte[] body) {
  /** The most that an answer has, in bytes. */
  public static final int MAX_BYTES = Uplink.MAX_BODY_BYTES - 1_024;

  private static final int MAX_REFUSAL = 2_000;
  private static final int VERSION = 1;

  public QuestionAnswer {
    if (body.length > MAX_BYTES || refusal.length() > MAX_REFUSAL) {
      throw new IllegalArgumentException(
          "an answer of %,d bytes, %,d are allowed".formatted(body.length, MAX_BYTES));
    }
  }

  /** One that says why there is none. */
  public static QuestionAnswer refused(String why) {
    return new QuestionAnswer(why.substring(0, Math.min(why.length(), MAX_REFUSAL)), new byte[0]);
  }

  public static QuestionAnswer of(byte[] body) {
    return new QuestionAnswer("", body);
  }

  public boolean isRefused() {
    return !refusal.isEmpty();
  }

  /** As it travels. */
  public byte[] bytes() {
    return Wire.write(
        output -> {
          output.writeByte(VERSION);
          output.writeUTF(refusal);
          Wire.writeBytes(output, body);
        });
  }

  /**
   * Reads one, which may be from anybody who is a site.
   *
   * @throws UplinkException MALFORMED
   */
  public static QuestionAnswer read(byte[] bytes) throws UplinkException {
    return Wire.read(
        bytes,
        input -> {
          Wire.checkVersion(input, VERSION);
          return new QuestionAnswer(input.readUTF(), Wire.readBytes(input));
        });
  }
}
