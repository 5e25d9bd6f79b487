package io.sedge.connector.mqtt.internal;

/** A message to be published. Its payload is not to be changed. */
final class Outgoing {
  private final String topic;
  private final byte[] payload;
  private final int qos;
  private final boolean retain;

  Outgoing(String topic, byte[] payload, int qos, boolean retain) {
    this.topic = topic;
    this.payload = payload;
    this.qos = qos;
    this.retain = retain;
  }

  String topic() {
    return topic;
  }

  byte[] payload() {
    return payload;
  }

  int qos() {
    return qos;
  }

  boolean retain() {
    return retain;
  }
}
