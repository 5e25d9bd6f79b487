package io.sedge.connector.opcua.internal;

import static org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned.uint;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.NodeIds;
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
  private static final int VALUES_PER_CALL = 1_000;

  private final Link link;
  private final NodeFinder finder;

  History(Link link, NodeFinder finder) {
    this.link = link;
    this.finder = finder;
  }

  /** Takes a value of the past; they come in the order of their times. */
  @FunctionalInterface
  interface Receiver {
    void value(DataValue value) throws InterruptedException;
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
   * Reads the values of a node after a time.
   *
   * @param after 100 ns since 1601
   * @return what the server says: bad if it has no history after all
   */
  StatusCode read(Variable variable, long after, DateTime to, Receiver receiver) throws Exception {
    ReadRawModifiedDetails details =
        new ReadRawModifiedDetails(
            false, new DateTime(after + 1), to, uint(VALUES_PER_CALL), false);
    ByteString point = ByteString.NULL_VALUE;
    while (true) {
      ByteString from = point;
      HistoryReadResponse response =
          link.request(
              header ->
                  new HistoryReadRequest(
                      header,
                      ExtensionObject.encode(link.client().getStaticEncodingContext(), details),
                      TimestampsToReturn.Both,
                      false,
                      new HistoryReadValueId[] {
                        new HistoryReadValueId(
                            variable.nodeId(), null, QualifiedName.NULL_VALUE, from)
                      }),
              HistoryReadResponse.class);
      HistoryReadResult result = Objects.requireNonNull(response.getResults())[0];
      if (result.getStatusCode().isBad()) {
        return result.getStatusCode();
      }
      for (DataValue value : values(result)) {
        // Some servers give the value at the bound, or the one before it, too.
        if (value.sourceTime() != null && value.sourceTime().utcTime() > after) {
          receiver.value(value);
        }
      }
      point = result.getContinuationPoint();
      if (point == null || point.isNullOrEmpty()) {
        return result.getStatusCode();
      }
    }
  }

  private List<DataValue> values(HistoryReadResult result) {
    ExtensionObject data = result.getHistoryData();
    if (data == null
        || data.isNull()
        || !(data.decode(link.client().getStaticEncodingContext()) instanceof HistoryData history)
        || history.getDataValues() == null) {
      return List.of();
    }
    return new ArrayList<>(List.of(history.getDataValues()));
  }
}
