package io.sedge.connector.sparkplug.internal;

import io.sedge.connector.Reports;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.sparkplug.internal.EdgeNode.Part;
import io.sedge.connector.sparkplug.internal.RowWriter.Definition;
import io.sedge.connector.sparkplug.internal.RowWriter.Origin;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.jspecify.annotations.Nullable;

/**
 * A host application's view of its edge nodes: who is born, which metrics and aliases there are,
 * and what is missing. One thread.
 *
 * <p><b>Rules.</b> Values are taken from an edge node that is online, by aliases of its last birth.
 * What comes from one whose birth was not seen is left out and counted, and a rebirth is asked for:
 * an alias may mean another metric in each session. A gap in the sequence of an online edge node is
 * said, counted and answered with the same request, but what comes after it is taken: its session
 * has not ended, since its death is sent at QoS 1, and only a session's end gives aliases another
 * meaning (6.4.6).
 */
final class Host {
  /** Births beyond that are refused. */
  private static final long MAX_BYTES = 64L << 20;

  private final ReadSettings settings;
  private final RowWriter rows;
  private final Rebirths rebirths;
  private final Reports reports;
  private final Refused refused;
  private final Map<String, EdgeNode> nodes = new TreeMap<>();
  private long heldBytes;
  private long dropped;

  /** Takes what no row can be made of. */
  interface Refused {
    void add(NodeTopic topic, Metric metric, String reason);
  }

  Host(ReadSettings settings, RowWriter rows, Rebirths rebirths, Reports reports, Refused refused) {
    this.settings = settings;
    this.rows = rows;
    this.rebirths = rebirths;
    this.reports = reports;
    this.refused = refused;
  }

  /** Messages that are missing, and values that were left out. */
  long dropped() {
    return dropped;
  }

  /** The edge nodes that are not known to be dead. */
  List<String> alive() {
    return nodes.values().stream()
        .filter(node -> !node.isDead())
        .map(EdgeNode::descriptor)
        .toList();
  }

  /** The connection is gone: each edge node may be born anew before there is another. */
  void lost() {
    nodes.values().forEach(EdgeNode::transitionToUnknown);
    heldBytes = nodes.values().stream().mapToLong(EdgeNode::bytes).sum();
  }

  /** There is a connection: asks those who are known for their births. */
  void subscribed(Collection<String> known, long nowNanos) {
    known.stream().filter(name -> !nodes.containsKey(name)).forEach(this::addNode);
    nodes.values().stream()
        .filter(node -> !node.isOnline() && !node.isDead())
        .forEach(
            node -> {
              node.requests = 0;
              rebirths.ask(node, nowNanos);
            });
  }

  private EdgeNode addNode(String descriptor) {
    EdgeNode node = new EdgeNode(descriptor);
    heldBytes += node.bytes();
    nodes.put(descriptor, node);
    return node;
  }

  /**
   * Takes a message.
   *
   * @throws MalformedPayloadException if it is none of Sparkplug B
   */
  void take(NodeTopic topic, byte[] bytes, long arrivalMicros, long nowNanos)
      throws MalformedPayloadException {
    Payload payload = Payloads.parse(bytes);
    EdgeNode node = nodes.get(topic.descriptor());
    if (node == null) {
      checkRoom(payload);
      node = addNode(topic.descriptor());
    }
    Origin origin =
        new Origin(
            topic,
            Payloads.seq(payload),
            payload.hasTimestamp() ? Payloads.micros(payload.getTimestamp()) : Payloads.NO_TIME,
            arrivalMicros);
    switch (topic.type()) {
      case NBIRTH -> nodeIsBorn(node, origin, payload);
      case NDEATH -> nodeDies(node, origin, payload);
      case DBIRTH, DDEATH, NDATA, DDATA -> {
        if (!node.isOnline()) {
          leaveOut(node, origin, payload, nowNanos);
        } else {
          checkSequence(node, origin, nowNanos);
          ofSession(node, origin, payload, nowNanos);
        }
      }
    }
    rows.endMessage();
    node.heard(arrivalMicros);
  }

  private void ofSession(EdgeNode node, Origin origin, Payload payload, long nowNanos)
      throws MalformedPayloadException {
    String device = origin.topic().device();
    switch (origin.topic().type()) {
      case DBIRTH -> {
        checkRoom(payload);
        forget(node.died(device));
        node.born(device, born(node, origin, payload));
      }
      case DDEATH -> {
        Part part = node.died(device);
        forget(part);
        if (part != null) {
          reports.warn("device %s/%s has died".formatted(node.descriptor(), device));
          stale(origin, part);
        }
      }
      case NBIRTH, NDEATH, NDATA, DDATA -> values(node, origin, payload, nowNanos);
    }
  }

  private void checkRoom(Payload payload) throws MalformedPayloadException {
    long needed =
        payload.getMetricsList().stream().mapToLong(metric -> Part.bytes(metric.getName())).sum();
    if (heldBytes + needed > MAX_BYTES) {
      throw new MalformedPayloadException(
          "there are more edge nodes and metrics than %d MB hold; read fewer by 'group' and 'edge-node'"
              .formatted(MAX_BYTES >> 20));
    }
  }

  private void nodeIsBorn(EdgeNode node, Origin origin, Payload payload)
      throws MalformedPayloadException {
    checkRoom(payload);
    heldBytes -= node.bytes();
    node.transitionToUnknown();
    heldBytes += node.bytes();
    Part own = born(node, origin, payload);
    node.transitionToOnline(
        Payloads.bdSeq(payload).orElse((long) Payloads.NO_SEQ), origin.seq(), own);
    long leftOut = node.takeLeftOut();
    if (leftOut > 0) {
      reports.warn(
          "edge node %s is born; %d values before that are left out"
              .formatted(node.descriptor(), leftOut));
    }
  }

  /** The metrics of a birth; their values become rows. */
  private Part born(EdgeNode node, Origin origin, Payload payload) {
    Part part = new Part();
    boolean isWanted = settings.wantsDevice(origin.topic().device());
    long aliases = 0;
    for (Metric metric : payload.getMetricsList()) {
      String name = metric.getName();
      if (name.isEmpty()) {
        refused.add(origin.topic(), metric, "a metric of a birth has no name");
        continue;
      }
      int column = isWanted && !Payloads.isOfProtocol(name) ? rows.column(name) : RowWriter.NONE;
      Definition definition = new Definition(name, metric.getDatatype(), column);
      if (part.define(definition, metric)) {
        aliases++;
      }
      add(origin, definition, metric);
    }
    heldBytes += part.bytes();
    if (aliases > 0) {
      reports.warn(
          "the %s of %s has %d aliases that two metrics have: values by them are left out"
              .formatted(origin.topic().type(), node.descriptor(), aliases));
    }
    return part;
  }

  private void nodeDies(EdgeNode node, Origin origin, Payload payload) {
    if (!node.isOnline()) {
      return;
    }
    long number = Payloads.bdSeq(payload).orElse((long) Payloads.NO_SEQ);
    if (!node.isOfSession(number)) {
      reports.warn(
          "the death of session %d of edge node %s is ignored: its session is %d"
              .formatted(number, node.descriptor(), node.bdSeq()));
      return;
    }
    reports.warn("edge node %s has died".formatted(node.descriptor()));
    NodeTopic topic = origin.topic();
    node.parts()
        .forEach(
            (device, part) ->
                stale(
                    // A will bears the time of the connection, so the arrival is the time of death.
                    new Origin(
                        new NodeTopic(topic.group(), topic.type(), topic.node(), device),
                        Payloads.NO_SEQ,
                        Payloads.NO_TIME,
                        origin.arrivalMicros()),
                    part));
    heldBytes -= node.bytes();
    node.transitionToDead();
    heldBytes += node.bytes();
  }

  private void stale(Origin origin, Part part) {
    if (!settings.staleRows()) {
      return;
    }
    for (Definition definition : part.definitions()) {
      add(origin, definition, null);
    }
    rows.endMessage();
  }

  private void forget(@Nullable Part part) {
    heldBytes -= part == null ? 0 : part.bytes();
  }

  private void leaveOut(EdgeNode node, Origin origin, Payload payload, long nowNanos) {
    int values = payload.getMetricsCount();
    dropped += Math.max(1, values);
    if (node.leaveOut(values)) {
      reports.warn(
          "edge node %s publishes, but its birth was not seen: its values are left out until it is%s"
              .formatted(
                  origin.topic().descriptor(),
                  rebirths.areAsked() ? " born again, which is asked for" : ""));
    }
    rebirths.ask(node, nowNanos);
  }

  private void checkSequence(EdgeNode node, Origin origin, long nowNanos) {
    if (origin.seq() == Payloads.NO_SEQ) {
      if (!node.unnumberedSaid) {
        node.unnumberedSaid = true;
        reports.warn(
            "edge node %s does not number its messages: what is missing cannot be seen"
                .formatted(node.descriptor()));
      }
      return;
    }
    int expected = node.nextSeq();
    int missing = node.advance(origin.seq());
    if (missing > 0) {
      dropped += missing;
      reports.warn(
          "of edge node %s %d messages or more are missing between %s and %s: the sequence goes from %d to %d%s"
              .formatted(
                  node.descriptor(),
                  missing,
                  Reports.time(node.lastMicros()),
                  Reports.time(origin.arrivalMicros()),
                  (expected - 1) & 0xFF,
                  origin.seq(),
                  rebirths.areAsked() ? "; a rebirth is asked for" : ""));
      rebirths.ask(node, nowNanos);
    }
  }

  private void values(EdgeNode node, Origin origin, Payload payload, long nowNanos) {
    Part part = node.part(origin.topic().device());
    if (part == null) {
      leaveOut(node, origin, payload, nowNanos);
      return;
    }
    int unknown = 0;
    for (Metric metric : payload.getMetricsList()) {
      Definition definition = part.find(metric);
      if (definition == null) {
        unknown++;
      } else {
        add(origin, definition, metric);
      }
    }
    if (unknown > 0) {
      dropped += unknown;
      if (node.leaveOut(unknown)) {
        reports.warn(
            "edge node %s publishes metrics that no birth has: they are left out"
                .formatted(node.descriptor()));
      }
      rebirths.ask(node, nowNanos);
    }
  }

  private void add(Origin origin, Definition definition, @Nullable Metric metric) {
    if (definition.column() == RowWriter.NONE) {
      return;
    }
    try {
      rows.add(origin, definition, metric);
    } catch (MalformedMetricException e) {
      refused.add(
          origin.topic(),
          metric == null ? Metric.getDefaultInstance() : metric,
          "metric '%s': %s".formatted(definition.name(), e.getMessage()));
    }
  }
}
