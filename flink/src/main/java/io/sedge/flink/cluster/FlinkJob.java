package io.sedge.flink.cluster;

import java.util.Map;

/**
 * How a job of a cluster is.
 *
 * @param id 32 hexadecimal digits
 * @param state as Flink has it: {@code RUNNING}
 * @param operators how many of its operators are in which state
 */
public record FlinkJob(String id, String state, Map<String, Integer> operators) {
  public FlinkJob {
    operators = Map.copyOf(operators);
  }

  /** Whether it has begun: operators of a job that ends run one after the other. */
  public boolean hasBegun() {
    return state.equals("FINISHED")
        || (state.equals("RUNNING") && count("RUNNING") + count("FINISHED") > 0);
  }

  /** Whether all that it consists of runs, or has done its work. */
  public boolean isUp() {
    int all = operators.values().stream().mapToInt(Integer::intValue).sum();
    return state.equals("FINISHED")
        || (state.equals("RUNNING") && all > 0 && all == count("RUNNING") + count("FINISHED"));
  }

  /** Whether it has ended otherwise than by the end of its input, or is about to. */
  public boolean hasFailed() {
    return switch (state) {
      case "FAILED", "FAILING", "CANCELED", "CANCELLING", "SUSPENDED" -> true;
      default -> false;
    };
  }

  /** Whether it has failed, and Flink begins it anew from its last checkpoint. */
  public boolean isRestarting() {
    return state.equals("RESTARTING");
  }

  /** How many operators wait for a slot. */
  public int waiting() {
    return count("CREATED") + count("SCHEDULED");
  }

  private int count(String wanted) {
    return operators.getOrDefault(wanted, 0);
  }
}
