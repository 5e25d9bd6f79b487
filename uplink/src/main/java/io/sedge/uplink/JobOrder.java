package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What a site is to do with a job of its center. Each action may be repeated: what is done already
 * stays as it is.
 *
 * <pre>
 *   version 1 | action 1 | job | the center's version 8 | script
 * </pre>
 *
 * @param version the center's, from 1 on
 * @param script empty where a job is removed
 */
public record JobOrder(Action action, String job, long version, String script)
    implements OrderBody {
  /** What its kind is called. */
  public static final String KIND = "job";

  private static final int FORM = 1;

  /** What is to be done. */
  public enum Action {
    /** Say whether the site can run the script; nothing changes. */
    CHECK(1),
    /** Run the script, in place of the one that the center gave before. */
    DEPLOY(2),
    /** Stop the job, and remove it when its rows are delivered. */
    REMOVE(3);

    private final int code;

    Action(int code) {
      this.code = code;
    }

    private static Action ofCode(int code) throws IOException {
      for (Action action : values()) {
        if (action.code == code) {
          return action;
        }
      }
      throw new IOException("an action with code " + code);
    }
  }

  public JobOrder {
    if (job.isEmpty() || version < 1) {
      throw new IllegalArgumentException("job '%s' with version %d".formatted(job, version));
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeByte(FORM);
    output.writeByte(action.code);
    output.writeUTF(job);
    output.writeLong(version);
    Wire.writeBytes(output, script.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static JobOrder read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, JobOrder::read);
  }

  private static JobOrder read(DataInputStream input) throws IOException {
    Wire.checkVersion(input, FORM);
    return new JobOrder(
        Action.ofCode(input.readUnsignedByte()),
        input.readUTF(),
        input.readLong(),
        new String(Wire.readBytes(input), StandardCharsets.UTF_8));
  }

  /** For people: {@code deploy fleet 3}. */
  @Override
  public String toString() {
    return "%s %s version %d".formatted(action.name().toLowerCase(Locale.ROOT), job, version);
  }
}
