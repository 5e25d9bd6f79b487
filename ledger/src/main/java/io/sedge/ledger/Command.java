package io.sedge.ledger;

import static java.util.Objects.requireNonNull;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What changes the state. A command is carried out whole or not at all, on every member in the same
 * order. Constructors refuse what could never be carried out ({@link IllegalArgumentException});
 * what the state refuses is a {@link Answer.Refused}.
 */
public sealed interface Command {
  /** Labels of a device, and sources of a task, at most. */
  int MAX_PROPERTIES = 64;

  /** How bytes are shown. */
  HexFormat HEX = HexFormat.of();

  /** Of labels, positions, reasons and the like, in UTF-8. */
  int MAX_TEXT_BYTES = 4_096;

  /**
   * Adds a device, or tells its new address and labels. An expelled one is refused, and one that
   * does not read the site's {@link Format}.
   */
  record RegisterDevice(String device, String address, Map<String, String> labels)
      implements Command {
    public RegisterDevice {
      Names.check(device, "device");
      Names.checkOrEmpty(address, "address of device " + device);
      labels = Map.copyOf(labels);
      checkProperties(labels.size(), "labels", device);
      labels.forEach(
          (name, value) -> {
            Names.check(name, "label");
            Names.checkOrEmpty(value, "value of label " + name);
          });
    }
  }

  /**
   * A device is alive, or was until now.
   *
   * @param atMillis its wall clock
   * @param last whether it is being stopped, and does nothing from now on until it reports again
   */
  record ReportDevice(String device, long atMillis, boolean last) implements Command {
    public ReportDevice {
      Names.check(device, "device");
    }
  }

  /** A device tells what it has measured; replaces what it told before. */
  record MeasureDevice(String device, Measures measures) implements Command {
    public MeasureDevice {
      Names.check(device, "device");
    }
  }

  /** Sets what a device may be used for. */
  record SetDeviceState(String device, DeviceState state) implements Command {
    public SetDeviceState {
      Names.check(device, "device");
    }
  }

  /**
   * Forgets a device. Refused (NOT_NOW) while tasks are assigned to it.
   *
   * @param key of the device; whoever shows it is kept out from then on. Empty if it is not known
   */
  record RemoveDevice(String device, String key) implements Command {
    public RemoveDevice {
      Names.check(device, "device");
      Names.checkOrEmpty(key, "key of device " + device);
    }
  }

  /**
   * Lets one device in that shows the token. Tokens that ended a day ago are forgotten. Refused
   * (TOO_LARGE) if there are {@value #MAX_TOKENS}.
   *
   * @param hash of its secret
   * @param endMillis by a wall clock
   * @param atMillis the wall clock of whoever makes it
   */
  record AddToken(String hash, long endMillis, long atMillis) implements Command {
    /** How many the state keeps. */
    public static final int MAX_TOKENS = 256;

    public AddToken {
      Names.check(hash, "token");
    }
  }

  /**
   * Registers a newcomer and uses its token up, both or neither. Whoever sends it has checked
   * whether the newcomer may come in; the version says that nobody has come between.
   *
   * @param version of {@link SiteState#membershipVersion}; refused (WRONG_SEQUENCE) if it is
   *     another by now
   * @param token its hash; refused (NOT_NOW) if there is none
   * @param key of the newcomer
   */
  record EnrolDevice(long version, String token, String key, RegisterDevice registration)
      implements Command {
    public EnrolDevice {
      Names.check(token, "token");
      Names.check(key, "key");
    }
  }

  /**
   * Adds a job, RUNNING, or replaces its script as it stands, whatever its tasks do: {@link
   * ReplaceJob} is for jobs that run. Done with its version, which no job of that name had before,
   * not even one that was removed. Refused (TOO_LARGE) if the script is, or if the site's files are
   * too large with its own.
   *
   * @param files that the script names
   */
  record SubmitJob(String job, String script, List<JobFile> files) implements Command {
    public SubmitJob {
      Names.check(job, "job");
      files = JobFile.checked(files, job);
    }

    /** One whose script names no files. */
    public SubmitJob(String job, String script) {
      this(job, script, List.of());
    }
  }

  /**
   * Gives a job that has not ended another script, and its tasks what they go on from, in one step.
   * Tasks that stay have another epoch from then on, and keep device, sequence, and what {@link
   * KeptTasks} names of their positions and state; one that had ended and goes on does what is new.
   * Tasks that go are forgotten. Done with the new version.
   *
   * <p>Refused (WRONG_SEQUENCE) if the job has another version by now; (NOT_NOW) if it has ended,
   * if rows of the version before are still {@link Job#earlier to be delivered} by its own script,
   * or if the tasks that are named are not those that there are; (TOO_LARGE) as {@link SubmitJob}.
   *
   * @param files that the script names
   * @param kept the tasks that stay; each is named once
   * @param dropped the tasks that go
   * @param exchanges the exchange tables whose rows stay, and what they are called from then on.
   *     Rows of others go
   * @param deliversBefore whether rows that are in the outbox by then must be delivered by the
   *     script before, since the new one has other tables
   */
  record ReplaceJob(
      String job,
      long version,
      String script,
      List<JobFile> files,
      List<KeptTasks> kept,
      Set<String> dropped,
      Map<String, String> exchanges,
      boolean deliversBefore)
      implements Command {
    public ReplaceJob {
      Names.check(job, "job");
      files = JobFile.checked(files, job);
      kept = List.copyOf(kept);
      dropped = Set.copyOf(dropped);
      exchanges = Map.copyOf(exchanges);
      checkDistinct(exchanges.values(), "exchange tables of job " + job);
      List<String> shards = new ArrayList<>(dropped);
      kept.forEach(tasks -> shards.addAll(tasks.shards()));
      checkDistinct(shards, "tasks of job " + job);
    }
  }

  /**
   * What tasks that do the same keep when their job is replaced.
   *
   * @param positions the sources whose positions stay, and what they are called from then on
   * @param state the entries that stay; all others go
   * @param set is set in those that keep an entry
   * @param goesOn whether one that had ended has something to do again
   */
  record KeptTasks(
      Set<String> shards,
      Map<String, String> positions,
      List<KeptState> state,
      List<Change> set,
      boolean goesOn) {
    public KeptTasks {
      shards = Set.copyOf(shards);
      positions = Map.copyOf(positions);
      state = List.copyOf(state);
      set = List.copyOf(set);
      checkDistinct(positions.values(), "sources of tasks " + shards);
      checkDistinct(state.stream().map(kept -> HEX.formatHex(kept.from())).toList(), "prefixes");
      checkDistinct(state.stream().map(kept -> HEX.formatHex(kept.to())).toList(), "prefixes");
    }
  }

  /**
   * Entries of state that stay: those whose keys begin with some bytes, which then are others.
   *
   * @param from {@value #BYTES} bytes, as all prefixes have
   * @param to as many
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  record KeptState(byte[] from, byte[] to) {
    /** So that none begins with another. */
    public static final int BYTES = 2;

    public KeptState {
      if (from.length != BYTES || to.length != BYTES) {
        throw new IllegalArgumentException(
            "prefixes of %d and %d bytes; they have %d".formatted(from.length, to.length, BYTES));
      }
    }
  }

  /**
   * All rows that the script before had to deliver are delivered, and its sinks are closed: they
   * are acknowledged, and that script is forgotten.
   *
   * @param version of that script; refused (WRONG_SEQUENCE) if it is not delivering
   */
  record EndDelivery(String job, long version) implements Command {
    public EndDelivery {
      Names.check(job, "job");
    }
  }

  /**
   * Sets what a job is to do. One that has ended does not go on (NOT_NOW): rows on their way
   * between its tasks are gone.
   *
   * @param version the job's; refused (WRONG_SEQUENCE) if it has another by now
   */
  record SetJobState(String job, long version, JobState state, String detail) implements Command {
    public SetJobState {
      Names.check(job, "job");
      int bytes = detail.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MAX_TEXT_BYTES) {
        throw new IllegalArgumentException(
            "the detail of job %s has %d bytes, at most %d are allowed"
                .formatted(job, bytes, MAX_TEXT_BYTES));
      }
    }
  }

  /**
   * Tells into which parts a job's input was cut. They hold for as long as the job has the script
   * that it has: who comes second is refused (NOT_NOW).
   *
   * @param version the job's; refused (WRONG_SEQUENCE) if it has another by now
   */
  record SetParts(String job, long version, List<InputPart> parts) implements Command {
    /** How many there may be, of all tables of the job together. */
    public static final int MAX_PARTS = 1_024;

    /** What their tables, names and ranges may have together, in UTF-8. */
    public static final int MAX_TEXT_BYTES = 256 << 10;

    public SetParts {
      Names.check(job, "job");
      parts = List.copyOf(parts);
      long bytes = 0;
      for (InputPart part : parts) {
        String text = part.table() + part.name() + part.range();
        bytes += text.getBytes(StandardCharsets.UTF_8).length;
      }
      if (parts.isEmpty() || parts.size() > MAX_PARTS || bytes > MAX_TEXT_BYTES) {
        throw new IllegalArgumentException(
            "job %s has %d parts with %d bytes of names; 1 to %d parts are allowed, with %d bytes"
                .formatted(job, parts.size(), bytes, MAX_PARTS, MAX_TEXT_BYTES));
      }
    }
  }

  /**
   * Forgets a job that has ended, with its tasks and their state.
   *
   * @param discardRows whether rows that were not acknowledged may go; else it is refused (NOT_NOW)
   *     while there are some
   */
  record RemoveJob(String job, boolean discardRows) implements Command {
    public RemoveJob {
      Names.check(job, "job");
    }
  }

  /**
   * Gives a task to a device, or to nobody. Done with the new epoch: from then on commits of the
   * owner before are refused.
   *
   * @param device empty for nobody
   * @param epoch the task's; 0 if the task is new. Refused (OLD_EPOCH) if it is another by now
   */
  record AssignTask(TaskId task, String device, long epoch) implements Command {
    public AssignTask {
      Names.checkOrEmpty(device, "device");
    }
  }

  /**
   * The assigned device begins to run a task: at first, and each time that it has been started
   * anew. Done with the new epoch, which the commits must carry: what an earlier process of the
   * same device still had under way is refused from then on. What the state holds at the index of
   * the answer is what to go on from.
   *
   * @param epoch the task's; refused (OLD_EPOCH) if it is another by now
   */
  record OpenTask(TaskId task, String device, long epoch) implements Command {
    public OpenTask {
      Names.check(device, "device");
    }
  }

  /**
   * A task's input has ended and all of it is committed. It is nobody's from then on, its state is
   * forgotten, and it cannot be assigned again. Done with the new epoch.
   *
   * @param epoch the task's; refused (OLD_EPOCH) if it is another by now
   */
  record EndTask(TaskId task, long epoch) implements Command {}

  /** Forgets a task with its state. Its rows stay in the outbox. */
  record RemoveTask(TaskId task, long epoch) implements Command {}

  /**
   * One step of a task. Whoever has the state after it can go on from there.
   *
   * @param epoch refused (OLD_EPOCH) if the task has another
   * @param sequence one more than the commit before; {@link Answer.Repeated} if it is not above
   *     that, refused (WRONG_SEQUENCE) if it leaves a gap
   * @param positions by source; sources that are not named keep theirs
   * @param changes in order: the last mention of a key counts
   * @param rows in the order in which they get the sequences of their channels
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  record Commit(
      TaskId task,
      long epoch,
      long sequence,
      Map<String, byte[]> positions,
      List<Change> changes,
      List<Rows> rows)
      implements Command {
    public Commit {
      positions = Map.copyOf(positions);
      changes = List.copyOf(changes);
      rows = List.copyOf(rows);
      checkProperties(positions.size(), "positions", task.toString());
      positions.keySet().forEach(source -> Names.check(source, "source"));
    }
  }

  /**
   * A part of a commit that is too large for one log entry. The commit is carried out with the last
   * part; the answer to that is the commit's. Parts come in order; the first begins anew. A refused
   * part discards those before it.
   *
   * @param number 0 for the first
   * @param count how many there are
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  record CommitPart(TaskId task, long epoch, long sequence, int number, int count, byte[] bytes)
      implements Command {
    /** Parts of a commit, at most. */
    public static final int MAX_PARTS = 1_024;

    public CommitPart {
      if (number < 0 || number >= count || count > MAX_PARTS || bytes.length == 0) {
        throw new IllegalArgumentException(
            "part %d of %d with %d bytes; at most %d parts are allowed, none empty"
                .formatted(number, count, bytes.length, MAX_PARTS));
      }
    }
  }

  /**
   * Removes rows of a job from a channel: they are safe elsewhere. What is not there is passed
   * over.
   */
  record AcknowledgeRows(String job, Channel channel, long upTo) implements Command {
    public AcknowledgeRows {
      Names.check(job, "job");
    }
  }

  /**
   * Removes the rows that one task gave to a channel of its job: whoever takes rows in an order of
   * its own would else keep those that it has taken behind one that it has not. What is not there
   * is passed over.
   *
   * @param task need not be there any more
   */
  record AcknowledgeTaskRows(TaskId task, Channel channel, long upTo) implements Command {}

  /**
   * Sets bounds of the state; those that are not named stay, so that two who change different ones
   * do not undo each other. Refused (NOT_NOW) if they do not go with those that stay.
   */
  record SetLimits(Map<Limit, Long> values) implements Command {
    public SetLimits {
      values = Map.copyOf(values);
      if (values.isEmpty()) {
        throw new IllegalArgumentException("no limit is named");
      }
      values.forEach(Limit::check);
    }
  }

  /**
   * Raises the {@link Format} of the site. Refused (NOT_NOW) if it has that one already, or if a
   * device that was not expelled does not tell that it reads it.
   */
  record RaiseFormat(int format) implements Command {
    public RaiseFormat {
      if (format <= Format.FIRST) {
        throw new IllegalArgumentException("format %d is no later one".formatted(format));
      }
    }
  }

  /** What is said of secrets. */
  sealed interface OfSecrets extends Command {}

  /**
   * Tells with which key secrets are sealed for a device. What was sealed for another key of it is
   * forgotten: others that have the secrets share them anew.
   *
   * @param key the public one
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  record AnnounceKey(String device, byte[] key) implements OfSecrets {
    public AnnounceKey {
      Names.check(device, "device");
      Secret.checkBytes(key, Secret.MAX_KEY_BYTES, "key of device " + device);
    }
  }

  /**
   * Adds a secret or gives it another value. Shares for devices that are not of the site, or have
   * another key by now, are left out; refused (NOT_NOW) if none is left. Done with its version.
   *
   * @param shares by device
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  record SetSecret(String secret, long atMillis, byte[] sealed, Map<String, Secret.Share> shares)
      implements OfSecrets {
    public SetSecret {
      Names.check(secret, "secret");
      Secret.checkBytes(sealed, Secret.MAX_SEALED_BYTES, "sealed secret");
      shares = Map.copyOf(shares);
      if (shares.size() > Secret.MAX_SHARES) {
        throw new IllegalArgumentException(
            "secret %s has %d shares, at most %d are allowed"
                .formatted(secret, shares.size(), Secret.MAX_SHARES));
      }
    }
  }

  /**
   * Lets one more device read a secret. Passed over if it can already.
   *
   * @param version the secret's; refused (WRONG_SEQUENCE) if it has another by now
   */
  record ShareSecret(String secret, long version, String device, Secret.Share share)
      implements OfSecrets {
    public ShareSecret {
      Names.check(secret, "secret");
      Names.check(device, "device");
    }
  }

  /** Forgets a secret. What is not there is passed over. */
  record RemoveSecret(String secret) implements OfSecrets {
    public RemoveSecret {
      Names.check(secret, "secret");
    }
  }

  /** What is said of orders of a center. */
  sealed interface OfOrders extends Command {}

  /**
   * The site takes an order, whatever becomes of it, and puts its row into the outbox of its job if
   * it has one: both or neither. {@link Answer.Repeated} if the order was taken before. Done with
   * the sequence of the row, or 0.
   *
   * <p>Refused (WRONG_SEQUENCE) if its number is not above that of the order before; (UNKNOWN_JOB);
   * (NOT_NOW) if the job is not running, has another version by now, or its table is not allowed
   * any more; (OUTBOX_FULL); (TOO_OFTEN); (TOO_LARGE) if {@value Order#MAX_OPEN} are open.
   *
   * @param number from 1 on
   */
  record TakeOrder(
      long number, UUID id, OrderState state, String detail, long atMillis, Optional<NewRow> row)
      implements OfOrders {
    public TakeOrder {
      checkDetail(detail);
      if (number < 1) {
        throw new IllegalArgumentException("an order with number " + number);
      }
    }
  }

  /**
   * The row of an order.
   *
   * @param version of the job that it is made for
   * @param untilMillis as {@link Order.Row#untilMillis}
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  record NewRow(String job, long version, String table, long untilMillis, byte[] bytes) {
    public NewRow {
      Names.check(job, "job");
      Names.check(table, "table");
    }
  }

  /**
   * Tells what has become of an order. Passed over if it is not known any more, or has come further
   * already.
   */
  record SettleOrder(UUID id, OrderState state, String detail, long atMillis) implements OfOrders {
    public SettleOrder {
      checkDetail(detail);
    }
  }

  /** Lets centers write to a table; replaces what was allowed of that table. */
  record AllowTable(Allowance allowance) implements OfOrders {}

  /** Lets centers write to a table no more. What is not there is passed over. */
  record DisallowTable(String job, String table) implements OfOrders {
    public DisallowTable {
      Names.check(job, "job");
      Names.check(table, "table");
    }
  }

  /** Says whether a center may do something. */
  record AllowCenter(CenterRight right, boolean allowed) implements OfOrders {
    public AllowCenter {
      requireNonNull(right, "no right");
    }
  }

  /**
   * Says that a job is the center's, before it is submitted for the first time and after each
   * script that replaces it. Refused (NOT_NOW) if there is a job of that name that is the site's
   * own, or the site allows no jobs; (TOO_LARGE) as {@link SubmitJob}. Removing the job removes the
   * mark.
   *
   * @param version the center's, from 1 on; 0 takes the mark away
   */
  record MarkJob(String job, long version) implements OfOrders {
    public MarkJob {
      Names.check(job, "job");
      if (version < 0) {
        throw new IllegalArgumentException("job %s with version %d".formatted(job, version));
      }
    }
  }

  private static void checkDetail(String detail) {
    if (detail.length() > Order.MAX_DETAIL) {
      throw new IllegalArgumentException(
          "the detail of an order has %d characters, at most %d are allowed"
              .formatted(detail.length(), Order.MAX_DETAIL));
    }
  }

  /** What is said of alarms. */
  sealed interface OfAlarms extends Command {}

  /**
   * What a table's sink says of its alarms; carried out whole. Refused (OLD_EPOCH) if the task that
   * delivers has another epoch by now; (TOO_LARGE) if there are too many tables.
   *
   * @param task that delivers the job's rows
   */
  record ReportAlarms(TaskId task, long epoch, AlarmBatch batch) implements OfAlarms {
    public ReportAlarms {
      Names.check(batch.table(), "table");
    }
  }

  /** What a person does to alarms. Done with the number of those that it happened to. */
  record ActOnAlarms(AlarmAction action) implements OfAlarms {}

  /**
   * Forgets the alarms of a job but for those of some tables: its script has no others any more.
   *
   * @param epoch of the task that delivers; refused (OLD_EPOCH) if it is another by now
   */
  record KeepAlarms(TaskId task, long epoch, Set<String> tables) implements OfAlarms {
    public KeepAlarms {
      tables = Set.copyOf(tables);
      checkProperties(tables.size(), "tables of alarms", task.toString());
    }
  }

  /**
   * Keeps a version of a model that devices have trained. Done with its number; that of the version
   * with the same file if there is one, in whose place it comes. Refused (UNKNOWN_JOB); (TOO_LARGE)
   * if there are versions of {@value ModelVersion#MAX_MODELS} models. Where a model has {@value
   * ModelVersion#MAX_VERSIONS}, the oldest that is not live is forgotten.
   *
   * @param version its number, and since when it is live, are not looked at
   */
  record AddModelVersion(ModelVersion version) implements Command {}

  private static void checkDistinct(Collection<String> names, String what) {
    if (new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException(
          "%s are named twice: %s".formatted(what, String.join(", ", names)));
    }
  }

  private static void checkProperties(int count, String what, String owner) {
    if (count > MAX_PROPERTIES) {
      throw new IllegalArgumentException(
          "%s has %d %s, at most %d are allowed".formatted(owner, count, what, MAX_PROPERTIES));
    }
  }
}
