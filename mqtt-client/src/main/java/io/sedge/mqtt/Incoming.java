package io.sedge.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A message as the client hands it over. Its payload is not to be changed. */
public final class Incoming {
  /**
   * About what an object of the client, one of ours and a receipt take beside topic and payload.
   */
  private static final int OVERHEAD_BYTES = 256;

  private final String topic;
  private final byte[] payload;
  private final int length;
  private final int qos;
  private final boolean retained;
  private final @Nullable String contentType;
  private final String properties;
  private final int identity;
  private final @Nullable Runnable acknowledgement;

  private Incoming(
      Incoming.Header header,
      byte[] payload,
      int length,
      int identity,
      @Nullable Runnable acknowledgement) {
    this.topic = header.topic();
    this.qos = header.qos();
    this.retained = header.retained();
    this.contentType = header.contentType();
    this.properties = header.properties();
    this.payload = payload;
    this.length = length;
    this.identity = identity;
    this.acknowledgement = acknowledgement;
  }

  /**
   * What stands before the payload.
   *
   * @param properties the user properties as a text, whichever; empty if there are none
   */
  public record Header(
      String topic, int qos, boolean retained, @Nullable String contentType, String properties) {}

  /**
   * A message.
   *
   * @param identity as {@link PacketIdentity} found it; 0 if it is not known
   * @param acknowledgement to be run once when the broker may forget it; null at QoS 0
   */
  public static Incoming of(
      Header header, byte[] payload, int identity, @Nullable Runnable acknowledgement) {
    return new Incoming(header, payload, payload.length, identity, acknowledgement);
  }

  /** The same with another payload, of which only the first bytes are kept. */
  public Incoming cut(byte[] begin) {
    return new Incoming(
        new Header(topic, qos, retained, contentType, properties),
        begin,
        length,
        identity,
        acknowledgement);
  }

  public String topic() {
    return topic;
  }

  /** The payload, or its begin where it is larger than a payload may be. */
  public byte[] payload() {
    return payload;
  }

  /** The length of the whole payload in bytes. */
  public int length() {
    return length;
  }

  /**
   * A number that tells it from another message of the same packet identifier, as surely as 32 bits
   * can; the same each time that the broker sends it, on whichever device.
   */
  public int tag() {
    CRC32C crc = new CRC32C();
    crc.update(topic.getBytes(UTF_8));
    crc.update(qos);
    crc.update(properties.getBytes(UTF_8));
    crc.update(length);
    crc.update(payload);
    return (int) crc.getValue();
  }

  /** About how many bytes it takes in memory until it is acknowledged. */
  public int heldBytes() {
    return length + topic.length() + OVERHEAD_BYTES;
  }

  public int qos() {
    return qos;
  }

  public boolean retained() {
    return retained;
  }

  public @Nullable String contentType() {
    return contentType;
  }

  /** The packet identifier, 1 to 65535, or 0 where there is none or it is not known. */
  public int packet() {
    return PacketIdentity.packet(identity);
  }

  /** The DUP flag: whether the broker has sent it before. */
  public boolean duplicate() {
    return PacketIdentity.duplicate(identity);
  }

  public @Nullable Runnable acknowledgement() {
    return acknowledgement;
  }
}
