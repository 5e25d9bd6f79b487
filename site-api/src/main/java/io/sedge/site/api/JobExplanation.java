package io.sedge.site.api;

import java.util.List;

/**
 * How a job runs over the devices of a site.
 *
 * @param text of the whole: how its sources divide it, and what the parts do
 * @param parts one for each task
 */
public record JobExplanation(String job, String text, List<Part> parts) {
  public JobExplanation {
    parts = List.copyOf(parts);
  }

  /**
   * What one task does.
   *
   * @param shard the task's name in the job
   * @param device that runs it; empty if none does
   * @param why there and not elsewhere: some lines of text
   * @param plan its sources, operators and sinks: some lines of text
   */
  public record Part(String shard, String device, String why, String plan) {}
}
