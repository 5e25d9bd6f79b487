package io.sedge.site.api;

/**
 * A task at one moment.
 *
 * @param device that runs it; empty if none does
 * @param epoch grows whenever it is given to a device or started anew
 * @param commits how many it has made
 * @param readingsPerSecond -1 if not known
 * @param lagSeconds how far it is behind the clock; -1 if not known
 * @param stateBytes of its state and positions in the ledger
 * @param remark why it does not go on, or which of its tables is silent, as its device says; else
 *     empty
 */
public record TaskStatus(
    String job,
    String shard,
    String device,
    long epoch,
    long commits,
    double readingsPerSecond,
    double lagSeconds,
    long stateBytes,
    String remark) {}
