package io.sedge.broker;

/**
 * What went through a broker since it started.
 *
 * @param received messages that clients published
 * @param sent messages that were sent to clients, one for each that wanted it
 * @param dropped messages that a client wanted and will not get, since its queue was full
 */
public record BrokerTraffic(long received, long sent, long dropped) {}
