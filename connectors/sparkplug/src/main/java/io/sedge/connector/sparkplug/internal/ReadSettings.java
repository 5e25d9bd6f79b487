package io.sedge.connector.sparkplug.internal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a source reads, and within which bounds.
 *
 * @param groups names, or {@code +} alone for all
 * @param nodes names, or {@code +} alone for all
 * @param devices names; empty for all, and the edge nodes themselves
 * @param hostId under which it says that it is online, if it does
 * @param staleRows whether what has died has a row for each of its metrics
 * @param rebirth the least time between two requests to an edge node; empty to ask for nothing
 * @param queueCapacity messages that may wait for the task
 * @param queueBytes bytes of messages that may wait for the task
 * @param maxPayloadBytes more is malformed
 */
record ReadSettings(
    List<String> groups,
    List<String> nodes,
    Set<String> devices,
    Optional<String> hostId,
    boolean staleRows,
    Optional<Duration> rebirth,
    int queueCapacity,
    long queueBytes,
    int maxPayloadBytes) {
  static final String ALL = "+";

  ReadSettings {
    groups = List.copyOf(groups);
    nodes = List.copyOf(nodes);
    devices = Set.copyOf(devices);
  }

  /** The same for some edge nodes. */
  ReadSettings ofNodes(List<String> names) {
    return with(names, hostId);
  }

  /** The same without a word about a host that is online. */
  ReadSettings withoutHost() {
    return with(nodes, Optional.empty());
  }

  private ReadSettings with(List<String> names, Optional<String> host) {
    return new ReadSettings(
        groups,
        names,
        devices,
        host,
        staleRows,
        rebirth,
        queueCapacity,
        queueBytes,
        maxPayloadBytes);
  }

  /** What is subscribed to: all that the edge nodes publish, and their commands, for brevity. */
  List<String> filters() {
    return groups.stream()
        .flatMap(
            group ->
                nodes.stream()
                    .map(node -> "%s/%s/+/%s/#".formatted(NodeTopic.NAMESPACE, group, node)))
        .toList();
  }

  boolean wantsDevice(String device) {
    return devices.isEmpty() || devices.contains(device);
  }

  /** The edge nodes that are known by name before they say a word; none where all are read. */
  List<String> knownNodes() {
    return groups.contains(ALL) || nodes.contains(ALL)
        ? List.of()
        : groups.stream().flatMap(group -> nodes.stream().map(node -> group + "/" + node)).toList();
  }
}
