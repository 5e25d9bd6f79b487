package io.sedge.engine.plan;

import java.util.List;

/** A job's sinks and what each is fed with. Equal nodes under several sinks are run once. */
public record Plan(List<SinkNode> sinks) {
  /**
   * The end of a stream.
   *
   * @param table the name of the table it goes to
   */
  public record SinkNode(String table, PlanNode input) {}

  public Plan {
    sinks = List.copyOf(sinks);
  }
}
