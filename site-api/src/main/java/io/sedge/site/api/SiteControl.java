package io.sedge.site.api;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmList;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Limit;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What people do with a site, through any of its devices. Any thread may call. Methods that change
 * something return when a majority of the ledger's voters has it; while there is none they wait,
 * and after some seconds fail with {@link FailureCode#NO_MAJORITY}, which says that it may happen
 * all the same.
 */
public interface SiteControl {
  /** Lines that a device keeps of what was said on it. */
  int MAX_LOG_LINES = 1_000;

  /**
   * Looks for the shards of tables whose script leaves that to the site, by what readings come now:
   * takes some seconds where there are any. Nothing is changed. A job of that name that runs keeps
   * the shards that it has.
   *
   * @return the script that is to be submitted
   * @throws SiteException as {@link #submit} for a script that is not accepted; NOT_NOW if no
   *     readings come; CONNECTION_FAILED if the source cannot be looked at
   */
  DiscoveredShards discover(String job, String script) throws SiteException;

  /**
   * Adds a job and starts it. One that has ended under the same name is forgotten first, with its
   * state.
   *
   * @param job its name, of the site alone
   * @param script Flink SQL; relative paths in it are each device's own
   * @return whether one was forgotten
   * @throws SiteException NAME_TAKEN if a job of that name has not ended; NOT_NOW if it has ended
   *     and has rows that are not delivered; SCRIPT_NOT_ACCEPTED with the problems;
   *     TABLE_NOT_ACCEPTED; UNKNOWN_NAME if it names a secret that is not set; LIMIT_REACHED if the
   *     script is too large or there are too many jobs
   */
  boolean submit(String job, String script) throws SiteException;

  /**
   * What {@link #replace} would do; changes nothing.
   *
   * @throws SiteException UNKNOWN_NAME if there is no such job; NOT_NOW if it has ended, one of the
   *     scripts is in batch mode, its tasks are not made yet, or rows of a version before the
   *     present one are still to be delivered; SCRIPT_NOT_ACCEPTED with the problems;
   *     TABLE_NOT_ACCEPTED
   */
  JobReplacement replacement(String job, String script) throws SiteException;

  /**
   * Gives a job another script, in one step; one that is paused stays so. Steps that mean the same
   * go on with what they have; what else is kept and what is lost was said before.
   *
   * @param shown what {@link #replacement} has said
   * @throws SiteException as {@link #replacement}; NOT_NOW if it would say something else by now;
   *     LIMIT_REACHED if the script is too large. Nothing has changed then
   */
  void replace(String job, String script, JobReplacement shown) throws SiteException;

  /** By name. */
  List<JobStatus> jobs() throws SiteException;

  /** Stops a job's tasks where they are; it goes on from there when it is resumed. */
  void pause(String job) throws SiteException;

  void resume(String job) throws SiteException;

  /** Ends a job for good. Rows that are not delivered yet still will be. */
  void stop(String job) throws SiteException;

  /**
   * Forgets a job that has ended, with its state.
   *
   * @param discardRows whether rows that are not delivered yet may be lost
   * @return how many are, at most: some may have been delivered in the last moment
   * @throws SiteException NOT_NOW if it has not ended, or has such rows and they may not
   */
  long removeJob(String job, boolean discardRows) throws SiteException;

  /** How a job is cut into tasks, where each runs and why. */
  JobExplanation explain(String job) throws SiteException;

  /**
   * What a job's tasks have said on this device, the oldest first; the last {@link #MAX_LOG_LINES}
   * are kept.
   *
   * @param job empty for what all have said, and the device itself
   * @param after only lines with a higher {@link LogLine#number}; 0 for all
   */
  List<LogLine> logs(String job, long after) throws SiteException;

  /**
   * What a job's tasks have said on the devices of the site, or what comes next of it; expelled
   * ones are not asked. All are asked at the same time, and one that has not answered within two
   * seconds is not waited for.
   *
   * @param job as for {@link #logs}
   * @param devices their names, of which those that are gone are left out; empty for all
   * @param marks how far each device was read ({@link LogPage#mark}), by its name; one that is not
   *     in it is read from its first line
   * @return by name; of one that cannot be asked, why
   * @throws SiteException UNKNOWN_NAME if no device has one of the names
   */
  List<DeviceLogs> siteLogs(String job, Set<String> devices, Map<String, String> marks)
      throws SiteException;

  /**
   * What a job's tasks have left out on the devices of the site, by the reasons. Devices are asked
   * as for {@link #siteLogs}. A device counts since it has had its tasks: from nothing again when
   * it is started again, and when the job has another script. The most frequent reasons are told,
   * as far as {@link LeftOutPage} has room; what goes beyond is counted in {@link
   * SiteLeftOut#others}.
   *
   * @throws SiteException UNKNOWN_NAME if there is no such job
   */
  SiteLeftOut leftOut(String job) throws SiteException;

  /**
   * What the last windows of a job have shown of its models that are watched for drift, as far as
   * devices have ended them since they were started, and which devices could not be asked.
   *
   * @throws SiteException UNKNOWN_NAME if there is no such job
   */
  SiteDrifts drifts(String job) throws SiteException;

  /** As this device knows it, which may be a moment behind. */
  SiteStatus status() throws SiteException;

  /** Why a task runs where it does, and not on each of the other devices: some lines of text. */
  String why(String job, String shard) throws SiteException;

  /** What would become of the tasks if devices were lost: some lines of text. */
  String whatIf(Set<String> lost) throws SiteException;

  /** Moves a device's tasks elsewhere and gives it no more; returns at once. */
  void drain(String device) throws SiteException;

  /** Uses a drained device again. */
  void undrain(String device) throws SiteException;

  /**
   * Forgets a device that has no tasks any more, and takes it out of the ledger's members.
   *
   * @param loseAuthority whether it may go where no other device with the certificate authority is
   *     up: without nobody can join, nor are certificates renewed, until another device gets it
   *     from a backup
   * @throws SiteException NOT_NOW while it has tasks: drain it first; or if it has the authority,
   *     no other one that has it is up, and that may not be lost
   */
  void removeDevice(String device, boolean loseAuthority) throws SiteException;

  /**
   * Shuts a device out for good: its certificate is refused from now on by all others, its
   * connections end, it may not renew nor join again. Its tasks go elsewhere.
   *
   * @param loseAuthority as for {@link #removeDevice}
   */
  void expel(String device, boolean loseAuthority) throws SiteException;

  /**
   * Gives the site's certificate authority to a further device, which may then make tokens, let
   * others in and renew certificates, as this one can. Returns when it has it; nothing happens if
   * it had it before.
   *
   * @throws SiteException NOT_NOW if this device does not have it, or the other one does not fetch
   *     it within half a minute; SHUT_OUT if that was expelled
   */
  void giveAuthority(String device) throws SiteException;

  /** What the site allows at most, and what is used of it, as this device knows it. */
  SiteLimits limits() throws SiteException;

  /**
   * Changes limits for the whole site; those that are not named stay. One below what is in use
   * refuses growth and takes nothing away.
   *
   * @throws SiteException USAGE if a value may not be, or does not go with the others
   */
  void setLimits(Map<Limit, Long> values) throws SiteException;

  /** What the site's center may do, besides writing to tables ({@link #allowedTables}). */
  Set<CenterRight> centerRights() throws SiteException;

  /** Says whether the site's center may do something. */
  void allowCenter(CenterRight right, boolean allowed) throws SiteException;

  /** Directories of the device that is asked whose files jobs may use. */
  List<AllowedDirectory> allowedDirectories() throws SiteException;

  /**
   * Lets jobs use the files of one more directory of the device that is asked, or changes whether
   * they may write there.
   *
   * @param directory an absolute path
   * @throws SiteException USAGE if it is no directory, or of a device's own
   */
  void allow(String directory, boolean writable) throws SiteException;

  /**
   * Ends what {@link #allow} began. Files that tasks have open stay open.
   *
   * @throws SiteException UNKNOWN_NAME if it is not allowed
   */
  void disallow(String directory) throws SiteException;

  /**
   * Adds a secret, or gives it another value, which tasks take when their tables are opened next.
   * It is sealed in the ledger, for each device of the site; no method of this gives it back.
   *
   * @param value of 1 to 16,384 bytes in UTF-8
   * @return what is known of it; devices that were not stopped have it, or did not answer for some
   *     seconds
   * @throws SiteException USAGE if name or value may not be; LIMIT_REACHED if there are too many
   */
  SecretStatus setSecret(String name, String value) throws SiteException;

  /** By name. */
  List<SecretStatus> secrets() throws SiteException;

  /**
   * Forgets a secret.
   *
   * @throws SiteException UNKNOWN_NAME if there is none; NOT_NOW if a job that has not ended names
   *     it
   */
  void removeSecret(String name) throws SiteException;

  /** The tables of jobs that a center may write to, and what it may write. */
  List<Allowance> allowedTables() throws SiteException;

  /**
   * Lets a center write to a table of a job; replaces what was allowed of that table. The job need
   * not be there yet.
   *
   * @throws SiteException UNKNOWN_NAME if the job is there and does not write to such a table, or
   *     that has no such columns; USAGE if a bound is no number; LIMIT_REACHED
   */
  void allowTable(Allowance allowance) throws SiteException;

  /**
   * Ends what {@link #allowTable} began, also for commands that are not written yet.
   *
   * @throws SiteException UNKNOWN_NAME if it is not allowed
   */
  void disallowTable(String job, String table) throws SiteException;

  /** The site's alarms, as this device knows them, which may be a moment behind. */
  AlarmList alarms() throws SiteException;

  /**
   * What the site still knows of an alarm, in order; also of one that is over.
   *
   * @throws SiteException UNKNOWN_NAME if it knows nothing of it
   */
  List<AlarmChange> alarmHistory(long id) throws SiteException;

  /**
   * Acknowledges, shelves or unshelves alarms. What cannot happen to one, or was seen before it was
   * raised again, is passed over.
   *
   * @param event ACKNOWLEDGE, SHELVE or UNSHELVE
   * @param by who, for people to read
   * @param shelved for how long; zero unless they are shelved
   * @param note why; may be empty
   * @return to how many it happened
   * @throws SiteException USAGE if they would be shelved for more than {@link
   *     AlarmAction#MAX_SHELVED}
   */
  int actOnAlarms(
      AlarmEvent event, List<AlarmAction.Target> targets, String by, Duration shelved, String note)
      throws SiteException;

  /** The models that jobs have the site train, as the device that is asked knows them. */
  List<ModelStatus> models() throws SiteException;

  /**
   * Begins to train a model; the device that is asked leads it. Returns at once.
   *
   * @throws SiteException UNKNOWN_NAME if there is none; NOT_NOW if its job does not run, or the
   *     device trains it already
   */
  void startTraining(String job, String model) throws SiteException;

  /**
   * How the training gets on, or has ended, that the device was asked for last.
   *
   * @throws SiteException UNKNOWN_NAME if it was not, or has been started again since
   */
  TrainingStatus training(String job, String model) throws SiteException;

  /**
   * Has a job score by a version of a model. Rows that are committed were scored by the version
   * before, all others are scored by this one, whichever device dies.
   *
   * @throws SiteException UNKNOWN_NAME if there is none; NOT_NOW as for {@link #replacement}
   */
  void promoteModel(String job, String model, long version) throws SiteException;

  /**
   * Has a version of a model score beside the live one, where the job's script asks for it; there
   * is one such version of a model at most. It is so no longer when it is promoted.
   *
   * @param version 0 for none
   * @throws SiteException UNKNOWN_NAME if there is none; NOT_NOW if it is live, if not all devices
   *     have been upgraded, or as for {@link #replacement}
   */
  void shadowModel(String job, String model, long version) throws SiteException;

  /**
   * The ONNX file of a version.
   *
   * @throws SiteException UNKNOWN_NAME if there is none; NOT_NOW if the device that is asked does
   *     not have it yet
   */
  byte[] exportModel(String job, String model, long version) throws SiteException;

  /** What the device knows of itself, for whoever looks for a fault. */
  Diagnosis diagnose() throws SiteException;

  /**
   * A token with which one device may join, once.
   *
   * @param validFor at most a week
   * @throws SiteException NO_AUTHORITY if no device that has the certificate authority can be
   *     reached
   */
  JoinToken token(Duration validFor) throws SiteException;
}
