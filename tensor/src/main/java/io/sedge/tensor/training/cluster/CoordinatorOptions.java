package io.sedge.tensor.training.cluster;

import java.time.Duration;
import org.tensorflow.proto.ConfigProto;

/**
 * How a coordinator behaves.
 *
 * @param queueCapacity how many functions may wait for a worker; scheduling more waits
 * @param stepLimit how long one run of a graph may take; also how long a thread can hang on a
 *     server that died (its work is given to others at once)
 * @param probeInterval how often it is looked whether a server that is at work still listens
 * @param startLimit how long to wait for the parameter servers and the first worker at the start
 * @param returnLimit how long to wait for a parameter server to come back, and, when no worker is
 *     left, for one of those
 * @param attempts how often a function is tried while all servers are well, before its error counts
 * @param watchdog after how long, with nothing finished although there is something to do, the
 *     listener is told what is under way; zero for never
 * @param config TensorFlow's options of the sessions; its device filters are set by the coordinator
 */
public record CoordinatorOptions(
    int queueCapacity,
    Duration stepLimit,
    Duration probeInterval,
    Duration startLimit,
    Duration returnLimit,
    int attempts,
    Duration watchdog,
    ConfigProto config) {
  /**
   * 1024 functions, 30 s a step, 10 probes a second, a minute to start, 10 to return, 4 tries, 5
   * minutes until the watchdog tells.
   */
  public static CoordinatorOptions defaults() {
    return new CoordinatorOptions(
        1024,
        Duration.ofSeconds(30),
        Duration.ofMillis(100),
        Duration.ofMinutes(1),
        Duration.ofMinutes(10),
        4,
        Duration.ofMinutes(5),
        ConfigProto.getDefaultInstance());
  }

  /** These, with another queue. */
  public CoordinatorOptions withQueueCapacity(int functions) {
    return new CoordinatorOptions(
        functions, stepLimit, probeInterval, startLimit, returnLimit, attempts, watchdog, config);
  }

  /** These, with other times to wait for servers. */
  public CoordinatorOptions withLimits(Duration start, Duration back) {
    return new CoordinatorOptions(
        queueCapacity, stepLimit, probeInterval, start, back, attempts, watchdog, config);
  }

  /** These, with another limit of a step. */
  public CoordinatorOptions withStepLimit(Duration limit) {
    return new CoordinatorOptions(
        queueCapacity, limit, probeInterval, startLimit, returnLimit, attempts, watchdog, config);
  }

  /** These, with another time until the watchdog tells; zero for never. */
  public CoordinatorOptions withWatchdog(Duration limit) {
    return new CoordinatorOptions(
        queueCapacity, stepLimit, probeInterval, startLimit, returnLimit, attempts, limit, config);
  }
}
