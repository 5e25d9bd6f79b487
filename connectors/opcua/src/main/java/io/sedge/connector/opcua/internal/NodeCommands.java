package io.sedge.connector.opcua.internal;

import io.sedge.connector.Awaited;
import io.sedge.connector.MalformedValueException;
import io.sedge.connector.command.CommandMaker;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Makes commands of rows. A row whose value is NULL writes nothing. */
final class NodeCommands implements CommandMaker<NodeCommand> {
  private final TableShape shape;
  private final List<NodePattern> patterns;
  private final boolean timed;

  /**
   * @param patterns which nodes may be written
   * @param timed whether each command has to say when it was given
   */
  NodeCommands(TableShape shape, List<NodePattern> patterns, boolean timed) {
    this.shape = shape;
    this.patterns = List.copyOf(patterns);
    this.timed = timed;
  }

  Type type() {
    return shape.valueType();
  }

  /**
   * The command of a row.
   *
   * @throws MalformedValueException if it is for no node that may be written, or its time is
   *     missing and needed
   */
  @Override
  public NodeCommand command(long sequence, Batch batch, int row, Optional<Awaited> awaited)
      throws MalformedValueException {
    return new NodeCommand(
        sequence,
        node(batch, row),
        batch.column(shape.value()).value(row),
        given(batch, row, awaited),
        batch.row(row).toString(),
        awaited);
  }

  @Override
  public NodeCommand none(long sequence, String text, Optional<Awaited> awaited) {
    return new NodeCommand(sequence, "", null, Long.MAX_VALUE, text, awaited);
  }

  private String node(Batch batch, int row) throws MalformedValueException {
    int column = shape.of(OpcUaTables.NODE);
    if (column >= 0) {
      Object given = batch.column(column).value(row);
      if (given instanceof String node && patterns.stream().anyMatch(fits(node))) {
        return node;
      }
      throw new MalformedValueException(
          "the node is %s, which 'nodes' does not have".formatted(given));
    }
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, Integer> placeholder : shape.placeholders().entrySet()) {
      Object given = batch.column(placeholder.getValue()).value(row);
      if (!(given instanceof String text) || text.isEmpty()) {
        throw new MalformedValueException(
            "column `%s`, a part of the node id, is %s"
                .formatted(placeholder.getKey(), given == null ? "NULL" : "empty"));
      }
      values.put(placeholder.getKey(), text);
    }
    String node = patterns.getFirst().fill(values);
    if (!fits(node).test(patterns.getFirst())) {
      throw new MalformedValueException("%s does not fit 'nodes'".formatted(node));
    }
    return node;
  }

  private static Predicate<NodePattern> fits(String node) {
    return pattern ->
        pattern.isExact()
            ? pattern.text().equals(node)
            : node.startsWith(prefix(pattern))
                && pattern.match(node.substring(prefix(pattern).length())).isPresent();
  }

  private static String prefix(NodePattern pattern) {
    return pattern.namespace().isEmpty() ? "" : pattern.namespace() + ";";
  }

  /** One that somebody waits for has an end of its own. */
  private long given(Batch batch, int row, Optional<Awaited> awaited)
      throws MalformedValueException {
    int column = shape.of(OpcUaTables.SOURCE_TIMESTAMP);
    if (column >= 0 && batch.column(column).value(row) instanceof Long micros) {
      return micros;
    }
    if (timed && awaited.isEmpty()) {
      throw new MalformedValueException(
          "column `%s` is NULL, but 'sink.max-age' needs to know when a command was given"
              .formatted(shape.schema().name(column)));
    }
    return Long.MAX_VALUE;
  }
}
