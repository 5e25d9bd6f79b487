package io.sedge.ledger;

import io.sedge.alarm.AlarmView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state as of one log entry, for reading. Valid only while the query runs that it was handed
 * to; what its methods return stays valid. Byte arrays are shared: whoever reads one must not write
 * to it.
 */
public interface SiteState {
  /** The log entry that was carried out last; 0 before the first. */
  long appliedIndex();

  Limits limits();

  /** The {@link Format} of all that members write. */
  int format();

  /** By name. */
  List<Device> devices();

  Optional<Device> device(String name);

  /** Changes whenever a device is registered, changed or removed, and when a token is made. */
  long membershipVersion();

  Optional<Token> token(String hash);

  /** Whether a device was removed that had this key. Of the last thousand removals. */
  boolean isRemovedKey(String key);

  /** By name. */
  List<Secret> secrets();

  /** The keys that secrets are sealed with for devices of the site, as far as they told them. */
  Map<String, byte[]> sealingKeys();

  /** Orders of a center that were taken, the latest last. */
  List<Order> orders();

  /** The number and the id of the order that was taken last; empty if there was none. */
  Optional<Order> lastOrder();

  /** The order whose row has a sequence in the outbox of a job. */
  Optional<Order> order(String job, long sequence);

  /** What a center may write, by job and table. */
  List<Allowance> allowances();

  /** Whether a center may do something. */
  boolean allows(CenterRight right);

  /** The jobs that a center has given, with the center's version. One may be not submitted yet. */
  Map<String, Long> givenJobs();

  /** The alarms of all jobs; to be looked at in the query alone. */
  AlarmView alarms();

  /** The versions of models that the site has trained: by job and model, the latest last. */
  List<ModelVersion> models();

  /** By name. */
  List<Job> jobs();

  Optional<Job> job(String name);

  /** The parts into which its input was cut; empty if it was not, or not yet. */
  List<InputPart> parts(String job);

  /** By job and shard. */
  List<Task> tasks();

  Optional<Task> task(TaskId id);

  /** How far each source has been read; empty if the task is unknown. */
  Map<String, byte[]> positions(TaskId id);

  /** All entries of a task's state, by key; empty if the task is unknown. */
  List<Map.Entry<byte[], byte[]>> state(TaskId id);

  /**
   * Rows of a channel of a job that have not been acknowledged, in order.
   *
   * @param after only rows with a higher sequence
   * @param maxBytes stops before the block that would go over it; one is returned if there is one
   */
  List<RowBlock> rows(String job, Channel channel, long after, int maxBytes);

  /** What counts towards {@link Limits#bytes} of the channel. */
  long rowBytes(Channel channel);

  /** What of that a task has given. */
  long rowBytes(TaskId task, Channel channel);

  /** What counts towards {@link Limits#stateBytes}. */
  long stateBytes();
}
