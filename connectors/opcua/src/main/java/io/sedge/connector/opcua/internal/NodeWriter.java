package io.sedge.connector.opcua.internal;

import io.sedge.connector.MalformedValueException;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.OpcUaDataType;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.Variant;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteValue;
import org.jspecify.annotations.Nullable;

/**
 * Writes values to nodes over one connection, in the types that the nodes have, and reads them
 * back. Belongs to the writer's thread.
 */
final class NodeWriter {
  /** The types of so many nodes are remembered. */
  private static final int MAX_TYPES = 10_000;

  /** A server may take a moment to have what it was given. */
  private static final int READ_BACKS = 3;

  private static final long READ_BACK_MS = 100;

  /** What passes by itself. */
  private static final Set<Long> PASSING =
      Set.of(
          StatusCodes.Bad_Timeout,
          StatusCodes.Bad_CommunicationError,
          StatusCodes.Bad_NoCommunication,
          StatusCodes.Bad_NotConnected,
          StatusCodes.Bad_DeviceFailure,
          StatusCodes.Bad_OutOfService,
          StatusCodes.Bad_ResourceUnavailable,
          StatusCodes.Bad_WaitingForInitialData,
          StatusCodes.Bad_ServerHalted,
          StatusCodes.Bad_Shutdown);

  private final Link link;
  private final Type type;
  private final ServerLimits limits;
  private final NodeFinder finder;
  private final Map<NodeId, Class<?>> types =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<NodeId, Class<?>> eldest) {
          return size() > MAX_TYPES;
        }
      };

  /** What has become of a command. */
  sealed interface Answer {}

  /** It is written, and read back if that was wanted. */
  record Written(NodeCommand command, int size) implements Answer {}

  /** It will never be. */
  record Refused(NodeCommand command, String why) implements Answer {}

  /** It may be tried again. */
  record Later(NodeCommand command, String why) implements Answer {}

  private record Prepared(NodeCommand command, NodeId node, Variant value) {}

  NodeWriter(Link link, Type type, ServerLimits limits) {
    this.link = link;
    this.type = type;
    this.limits = limits;
    this.finder = new NodeFinder(link, limits);
  }

  /** Writes commands that are for different nodes. */
  List<Answer> write(List<NodeCommand> commands, boolean readBack) throws Exception {
    List<Answer> answers = new ArrayList<>();
    List<Prepared> prepared = prepare(commands, answers);
    int perCall = limits.perCall(prepared.size(), limits.write());
    List<Prepared> written = new ArrayList<>();
    for (int from = 0; from < prepared.size(); from += perCall) {
      List<Prepared> part = prepared.subList(from, Math.min(prepared.size(), from + perCall));
      WriteValue[] values =
          part.stream()
              .map(
                  one ->
                      new WriteValue(
                          one.node(),
                          AttributeId.Value.uid(),
                          null,
                          DataValue.valueOnly(one.value())))
              .toArray(WriteValue[]::new);
      part.forEach(one -> one.command().isSent = true);
      List<StatusCode> results =
          Link.all(
              link.request(header -> new WriteRequest(header, values), WriteResponse.class)
                  .getResults(),
              values.length);
      for (int i = 0; i < part.size(); i++) {
        judge(part.get(i), results.get(i), written, answers);
      }
    }
    if (readBack) {
      readBack(written, answers);
    } else {
      written.forEach(one -> answers.add(done(one)));
    }
    return answers;
  }

  private static Answer done(Prepared one) {
    return new Written(one.command(), String.valueOf(one.command().value()).length());
  }

  private List<Prepared> prepare(List<NodeCommand> commands, List<Answer> answers)
      throws Exception {
    Map<NodeCommand, NodeId> nodes = new LinkedHashMap<>();
    for (NodeCommand command : commands) {
      try {
        nodes.put(command, finder.nodeId(command.node()));
      } catch (ConnectorRefusal e) {
        answers.add(new Refused(command, String.valueOf(e.getMessage())));
      } catch (RuntimeException e) { // That is how Milo says that it is no node id.
        answers.add(new Refused(command, "%s is no node id".formatted(command.node())));
      }
    }
    Map<NodeId, StatusCode> passing = new LinkedHashMap<>();
    Map<NodeId, String> unknown = learn(List.copyOf(nodes.values()), passing);
    List<Prepared> prepared = new ArrayList<>();
    nodes.forEach(
        (command, node) -> {
          String why = unknown.get(node);
          StatusCode status = passing.get(node);
          if (status != null) {
            answers.add(later(command, status));
            return;
          }
          try {
            if (why != null) {
              throw new MalformedValueException(why);
            }
            Object value =
                Values.to(
                    Objects.requireNonNull(command.value()),
                    type,
                    Objects.requireNonNull(types.get(node)));
            prepared.add(new Prepared(command, node, new Variant(value)));
          } catch (MalformedValueException e) {
            answers.add(new Refused(command, "%s: %s".formatted(command.node(), e.getMessage())));
          }
        });
    return prepared;
  }

  /**
   * Finds out the types of nodes; what is returned says of which that is not possible.
   *
   * @param passing takes the nodes of which it may be possible later
   */
  private Map<NodeId, String> learn(List<NodeId> nodes, Map<NodeId, StatusCode> passing)
      throws Exception {
    Map<NodeId, String> unknown = new LinkedHashMap<>();
    List<NodeId> wanted = nodes.stream().filter(node -> !types.containsKey(node)).toList();
    if (wanted.isEmpty()) {
      return unknown;
    }
    List<DataValue> dataTypes = finder.read(wanted, AttributeId.DataType);
    List<DataValue> values = finder.read(wanted, AttributeId.Value);
    for (int i = 0; i < wanted.size(); i++) {
      DataValue dataType = dataTypes.get(i);
      Class<?> found =
          dataType.value().value() instanceof NodeId id && OpcUaDataType.isBuiltin(id)
              ? basic(OpcUaDataType.getBackingClass(id), values.get(i))
              : basic(null, values.get(i));
      if (found != null) {
        types.put(wanted.get(i), found);
      } else if (PASSING.contains(dataType.statusCode().value())) {
        passing.put(wanted.get(i), dataType.statusCode());
      } else if (PASSING.contains(values.get(i).statusCode().value())) {
        passing.put(wanted.get(i), values.get(i).statusCode());
      } else if (dataType.statusCode().isBad()) {
        unknown.put(wanted.get(i), refusal(dataType.statusCode()));
      } else {
        unknown.put(
            wanted.get(i),
            "its type is %s, none of the basic ones, and it has no value that tells"
                .formatted(dataType.value().value()));
      }
    }
    return unknown;
  }

  /** Types derived from basic ones, and Number, show by the value that is there. */
  private static @Nullable Class<?> basic(@Nullable Class<?> declared, DataValue value) {
    if (declared != null && declared != Variant.class && declared != DataValue.class) {
      return declared;
    }
    Object current = value.value().value();
    if (current == null) {
      return null;
    }
    Class<?> type = current.getClass();
    return type.isArray() ? type.getComponentType() : type;
  }

  private static Later later(NodeCommand command, StatusCode status) {
    return new Later(command, "%s: %s".formatted(command.node(), Failures.name(status)));
  }

  private void judge(
      Prepared one, StatusCode status, List<Prepared> written, List<Answer> answers) {
    boolean isMistyped = status.value() == StatusCodes.Bad_TypeMismatch;
    if (isMistyped) {
      // A program that was loaded into the controller may have changed it.
      types.remove(one.node());
    }
    if (!status.isBad()) {
      written.add(one);
    } else if (PASSING.contains(status.value()) || (isMistyped && !one.command().wasMistyped)) {
      one.command().wasMistyped = isMistyped;
      answers.add(later(one.command(), status));
    } else {
      answers.add(
          new Refused(one.command(), "%s: %s".formatted(one.command().node(), refusal(status))));
    }
  }

  private static String refusal(StatusCode status) {
    String name = Failures.name(status);
    return switch (name) {
      case "BadNodeIdUnknown", "BadNodeIdInvalid" -> name + ": the server has no such node";
      case "BadNotWritable" -> name + ": nobody may write it";
      case "BadUserAccessDenied" -> name + ": this user may not write it";
      case "BadTypeMismatch" -> name + ": the server wants another type";
      case "BadOutOfRange" -> name + ": the server takes no such value";
      default -> name;
    };
  }

  private void readBack(List<Prepared> written, List<Answer> answers) throws Exception {
    List<Prepared> open = new ArrayList<>(written);
    for (int i = 1; !open.isEmpty(); i++) {
      List<DataValue> read =
          finder.read(open.stream().map(Prepared::node).toList(), AttributeId.Value);
      List<Prepared> differing = new ArrayList<>();
      for (int j = 0; j < open.size(); j++) {
        Prepared one = open.get(j);
        DataValue value = read.get(j);
        if (Objects.deepEquals(value.value().value(), one.value().value())) {
          answers.add(done(one));
        } else if (i < READ_BACKS) {
          differing.add(one);
        } else {
          answers.add(
              new Refused(
                  one.command(),
                  "%s was written, and is read back as %s"
                      .formatted(
                          one.command().node(),
                          value.statusCode().isBad()
                              ? Failures.name(value.statusCode())
                              : Values.shown(value.value().value()))));
        }
      }
      open = differing;
      if (!open.isEmpty()) {
        Thread.sleep(READ_BACK_MS);
      }
    }
  }
}
