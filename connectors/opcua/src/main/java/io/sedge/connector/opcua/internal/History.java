package io.sedge.connector.opcua.internal;

import static org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned.uint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.NodeIds;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.types.builtin.ByteString;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.eclipse.milo.opcua.stack.core.types.builtin.ExtensionObject;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.QualifiedName;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UByte;
import org.eclipse.milo.opcua.stack.core.types.enumerated.TimestampsToReturn;
import org.eclipse.milo.opcua.stack.core.types.structured.HistoryData;
import org.eclipse.milo.opcua.stack.core.types.structured.HistoryReadRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.HistoryReadResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.HistoryReadResult;
import org.eclipse.milo.opcua.stack.core.types.structured.HistoryReadValueId;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadRawModifiedDetails;

/** Reads what a server keeps of the past. Belongs to the feeder's thread. */
final class History {
  private static final int HISTORY_READ = 0x04;
  private static final int NODES_PER_CALL = 100;

  /** So many values a response has, of all its nodes. */
  private static final int VALUES_PER_CALL = 5_000;

  /** Nodes whose last values are within a minute are read together; in 100 ns. */
  private static final long NEAR = 600_000_000L;

  /** So many pages without a new value are borne. */
  private static final int STILL_PAGES = 100;

  private final Link link;
  private final ServerLimits limits;
  private final NodeFinder finder;

  History(Link link, ServerLimits limits, NodeFinder finder) {
    this.link = link;
    this.limits = limits;
    this.finder = finder;
  }

  /** Takes pages of the past. */
  interface Receiver {
    /** Values of a node, in the order of their times. */
    void values(Variable variable, List<DataValue> values);

    /** The server gives nothing more of a node. */
    void refused(Variable variable, StatusCode status);

    /** All of a page was given. */
    void pageEnds() throws InterruptedException;
  }

  /** Finds out which nodes have a history that this user may read. */
  void mark(List<Variable> variables) throws Exception {
    List<NodeId> nodes = variables.stream().map(Variable::nodeId).toList();
    List<DataValue> levels = finder.read(nodes, AttributeId.UserAccessLevel);
    for (int i = 0; i < variables.size(); i++) {
      variables.get(i).hasHistory =
          levels.get(i).value().value() instanceof UByte level
              && (level.intValue() & HISTORY_READ) != 0;
    }
  }

  /** The server's clock. */
  DateTime now() throws Exception {
    return finder
                .read(List.of(NodeIds.Server_ServerStatus_CurrentTime), AttributeId.Value)
                .getFirst()
                .value()
                .value()
            instanceof DateTime time
        ? time
        : DateTime.now();
  }

  /**
   * Reads the values of nodes after their last ones. Nodes whose last values are near each other
   * are read together, as a request has one beginning for all of them.
   */
  void read(List<Variable> variables, DateTime to, Receiver receiver) throws Exception {
    List<Variable> sorted =
        variables.stream().sorted(Comparator.comparingLong(one -> one.received)).toList();
    int perCall = limits.perCall(NODES_PER_CALL, limits.history());
    int from = 0;
    for (int i = 1; i <= sorted.size(); i++) {
      if (i == sorted.size()
          || i - from == perCall
          || sorted.get(i).received - sorted.get(from).received > NEAR) {
        readTogether(sorted.subList(from, i), to, receiver);
        from = i;
      }
    }
  }

  /** Where reading a node goes on. */
  private record Open(Variable variable, long after, ByteString point) {}

  private void readTogether(List<Variable> variables, DateTime to, Receiver receiver)
      throws Exception {
    List<Open> open =
        variables.stream()
            .map(variable -> new Open(variable, variable.received, ByteString.NULL_VALUE))
            .toList();
    ReadRawModifiedDetails details =
        new ReadRawModifiedDetails(
            false,
            new DateTime(variables.getFirst().received + 1),
            to,
            uint(VALUES_PER_CALL / variables.size()),
            false);
    List<Variable> alone = new ArrayList<>();
    int still = 0;
    while (!open.isEmpty()) {
      List<HistoryReadResult> results;
      try {
        results = page(open, details);
      } catch (ExecutionException e) {
        if (open.size() == 1 || !Failures.isTooMuch(e)) {
          throw e;
        }
        List<Variable> rest = open.stream().map(Open::variable).toList();
        readTogether(rest.subList(0, rest.size() / 2), to, receiver);
        readTogether(rest.subList(rest.size() / 2, rest.size()), to, receiver);
        break;
      }
      List<Open> next = new ArrayList<>();
      boolean hasNew = false;
      for (int i = 0; i < open.size(); i++) {
        Open one = open.get(i);
        HistoryReadResult result = results.get(i);
        StatusCode status = result.getStatusCode();
        if (status.isBad()) {
          if (open.size() > 1 && status.value() == StatusCodes.Bad_NoContinuationPoints) {
            alone.add(one.variable());
          } else {
            receiver.refused(one.variable(), status);
          }
          continue;
        }
        // Some servers give the value at the bound, or the one before it, too.
        List<DataValue> values =
            values(result).stream()
                .filter(
                    value ->
                        value.sourceTime() != null && value.sourceTime().utcTime() > one.after())
                .toList();
        hasNew |=
            values.stream()
                .map(DataValue::sourceTime)
                .anyMatch(time -> time != null && time.utcTime() > one.variable().received);
        receiver.values(one.variable(), values);
        ByteString point = result.getContinuationPoint();
        if (point != null && !point.isNullOrEmpty()) {
          next.add(new Open(one.variable(), one.after(), point));
        }
      }
      receiver.pageEnds();
      still = hasNew ? 0 : still + 1;
      if (still > STILL_PAGES) {
        throw new UaException(
            StatusCodes.Bad_UnknownResponse, "the server's history goes on without new values");
      }
      open = next;
    }
    for (Variable variable : alone) {
      readTogether(List.of(variable), to, receiver);
    }
  }

  private List<HistoryReadResult> page(List<Open> open, ReadRawModifiedDetails details)
      throws Exception {
    HistoryReadValueId[] wanted =
        open.stream()
            .map(
                one ->
                    new HistoryReadValueId(
                        one.variable().nodeId(), null, QualifiedName.NULL_VALUE, one.point()))
            .toArray(HistoryReadValueId[]::new);
    HistoryReadResponse response =
        link.request(
            header ->
                new HistoryReadRequest(
                    header,
                    ExtensionObject.encode(link.client().getStaticEncodingContext(), details),
                    TimestampsToReturn.Both,
                    false,
                    wanted),
            HistoryReadResponse.class);
    return Link.all(response.getResults(), wanted.length);
  }

  private List<DataValue> values(HistoryReadResult result) {
    ExtensionObject data = result.getHistoryData();
    if (data == null
        || data.isNull()
        || !(data.decode(link.client().getStaticEncodingContext()) instanceof HistoryData history)
        || history.getDataValues() == null) {
      return List.of();
    }
    return List.of(history.getDataValues());
  }
}
