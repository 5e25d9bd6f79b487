package io.sedge.connector.sparkplug.internal;

import java.util.Arrays;
import java.util.Optional;

/**
 * The topic of a message of an edge node: {@code spBv1.0/group/type/edge node[/device]} (4.1).
 *
 * @param device empty for the edge node itself
 */
record NodeTopic(String group, MessageType type, String node, String device) {
  static final String NAMESPACE = "spBv1.0";

  /** Empty if it is none: a command, or a topic that is not of Sparkplug. */
  static Optional<NodeTopic> parse(String topic) {
    String[] levels = topic.split("/", -1);
    if (levels.length < 4 || levels.length > 5 || !levels[0].equals(NAMESPACE)) {
      return Optional.empty();
    }
    String device = levels.length == 5 ? levels[4] : "";
    return Arrays.stream(MessageType.values())
        .filter(type -> type.name().equals(levels[2]) && type.isOfDevice() != device.isEmpty())
        .map(type -> new NodeTopic(levels[1], type, levels[3], device))
        .findFirst();
  }

  /** The edge node's name: unique in its infrastructure. */
  String descriptor() {
    return group + "/" + node;
  }

  /** Where commands to the edge node go. */
  static String command(String descriptor) {
    int slash = descriptor.indexOf('/');
    return "%s/%s/NCMD/%s"
        .formatted(NAMESPACE, descriptor.substring(0, slash), descriptor.substring(slash + 1));
  }

  /** Whether a name can be a level of a topic. */
  static boolean isName(String name) {
    return !name.isEmpty()
        && name.equals(name.strip())
        && name.chars().noneMatch(c -> c == '+' || c == '#' || c == '/' || c == 0);
  }
}
