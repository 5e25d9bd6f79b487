package io.sedge.site.internal.control;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmList;
import io.sedge.identity.message.Frames;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Limit;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.AllowedDirectory;
import io.sedge.site.api.DeviceLogs;
import io.sedge.site.api.Diagnosis;
import io.sedge.site.api.DiscoveredShards;
import io.sedge.site.api.JobExplanation;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.ModelStatus;
import io.sedge.site.api.SecretStatus;
import io.sedge.site.api.SiteDrifts;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLeftOut;
import io.sedge.site.api.SiteLimits;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.api.TrainingStatus;
import io.sedge.site.internal.control.ControlRequest.DeviceAction;
import io.sedge.site.internal.control.ControlRequest.JobAction;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A device that runs in another process of this machine. Any thread; one call at a time. */
public final class RemoteControl implements DeviceConnection {
  /** Longer than a device takes for anything: it tells before that what it waits for in vain. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** A device that works answers sooner, most of the time; who waits for longer is told. */
  private static final Duration USUAL = Duration.ofSeconds(3);

  private final Duration patience;
  private final Consumer<String> listener;
  private final SocketChannel channel;
  private final Frames requests;
  private final Frames answers;
  private final Path data;

  private RemoteControl(
      SocketChannel channel, Path data, Duration patience, Consumer<String> listener) {
    this.channel = channel;
    this.data = data;
    this.patience = patience;
    this.listener = listener;
    this.requests =
        new Frames(
            Channels.newInputStream(channel),
            Channels.newOutputStream(channel),
            ControlSocket.MAX_REQUEST);
    this.answers =
        new Frames(
            Channels.newInputStream(channel),
            Channels.newOutputStream(channel),
            ControlSocket.MAX_ANSWER);
  }

  /**
   * Connects to the device of a data directory.
   *
   * @param listener hears, in a thread of its own, that an answer takes long
   * @throws SiteException DEVICE_NOT_RUNNING if none runs there
   */
  public static RemoteControl connect(Path data, Consumer<String> listener) throws SiteException {
    return connect(data, PATIENCE, listener);
  }

  static RemoteControl connect(Path data, Duration patience, Consumer<String> listener)
      throws SiteException {
    UnixDomainSocketAddress address = ControlSocket.address(data);
    RemoteControl control;
    try {
      control =
          new RemoteControl(
              SocketChannel.open(StandardProtocolFamily.UNIX), data, patience, listener);
    } catch (IOException e) {
      throw new SiteException(FailureCode.INTERNAL_ERROR, "no socket can be made: " + e, e);
    }
    Waiting waiting = control.waiting();
    try (waiting) {
      control.channel.connect(address);
      return control;
    } catch (IOException e) {
      control.close();
      throw new SiteException(
          FailureCode.DEVICE_NOT_RUNNING,
          waiting.isOver()
              ? "the device in %s %s".formatted(data, waiting.text())
              : "no device runs in %s (or it is another user's): start it with `sedge device start --data %s`, or say with --data or SEDGE_DATA where one runs"
                  .formatted(data, data),
          e);
    }
  }

  private Waiting waiting() {
    return new Waiting(
        channel,
        patience,
        () ->
            listener.accept(
                "the device in %s has not answered for %d s; it is waited for, %d s at most"
                    .formatted(data, USUAL.toSeconds(), patience.toSeconds())));
  }

  private synchronized ControlAnswer call(ControlRequest request) throws SiteException {
    Waiting waiting = waiting();
    try (waiting) {
      requests.write(request);
      ControlAnswer answer = answers.read(ControlAnswer.class);
      answer.check();
      return answer;
    } catch (Frames.MalformedFrameException e) {
      throw new SiteException(FailureCode.LIMIT_REACHED, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      String what = waiting.isOver() ? waiting.text() : "ended before it answered";
      throw new SiteException(
          FailureCode.DEVICE_NOT_RUNNING,
          "the device in %s %s; what was asked for may have happened".formatted(data, what),
          e);
    }
  }

  /** Ends a channel that is waited on for too long: it has no timeouts of its own. */
  private static final class Waiting implements AutoCloseable {
    private final SocketChannel channel;
    private final Duration patience;
    private final Runnable late;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean over;

    Waiting(SocketChannel channel, Duration patience, Runnable late) {
      this.channel = channel;
      this.patience = patience;
      this.late = late;
      Thread.ofPlatform().daemon().name("sedge-patience").start(this::run);
    }

    private void run() {
      try {
        long rest = Math.max(0, patience.minus(USUAL).toMillis());
        if (rest > 0 && !ended.await(USUAL.toMillis(), TimeUnit.MILLISECONDS)) {
          late.run();
        }
        if (!ended.await(rest > 0 ? rest : patience.toMillis(), TimeUnit.MILLISECONDS)) {
          over = true;
          channel.close();
        }
      } catch (IOException e) {
        // It is closed all the same.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    boolean isOver() {
      return over;
    }

    /** What is said of the device when it is over. */
    String text() {
      return "has not answered for %d s".formatted(patience.toSeconds());
    }

    @Override
    public void close() {
      ended.countDown();
    }
  }

  private <T> T ask(ControlRequest request, Class<T> type) throws SiteException {
    @Nullable T value = null;
    try {
      ControlAnswer answer = call(request);
      if (answer.value() != null) {
        value = Frames.value(answer.value(), type);
      }
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.CONNECTION_FAILED, "an answer of another form: " + e.getMessage(), e);
    }
    if (value == null) {
      throw new SiteException(FailureCode.CONNECTION_FAILED, "an answer without a value");
    }
    return value;
  }

  @Override
  public DiscoveredShards discover(String job, String script) throws SiteException {
    return ask(new ControlRequest.Discover(job, script), DiscoveredShards.class);
  }

  @Override
  public boolean submit(String job, String script) throws SiteException {
    return ask(new ControlRequest.Submit(job, script), Boolean.class);
  }

  @Override
  public JobReplacement replacement(String job, String script) throws SiteException {
    return ask(new ControlRequest.ShowReplacement(job, script), JobReplacement.class);
  }

  @Override
  public void replace(String job, String script, JobReplacement shown) throws SiteException {
    call(new ControlRequest.Replace(job, script, shown));
  }

  @Override
  public List<JobStatus> jobs() throws SiteException {
    return List.of(ask(new ControlRequest.Jobs(), JobStatus[].class));
  }

  @Override
  public void pause(String job) throws SiteException {
    call(new ControlRequest.OfJob(JobAction.PAUSE, job));
  }

  @Override
  public void resume(String job) throws SiteException {
    call(new ControlRequest.OfJob(JobAction.RESUME, job));
  }

  @Override
  public void stop(String job) throws SiteException {
    call(new ControlRequest.OfJob(JobAction.STOP, job));
  }

  @Override
  public long removeJob(String job, boolean discardRows) throws SiteException {
    return ask(new ControlRequest.RemoveJob(job, discardRows), Long.class);
  }

  @Override
  public JobExplanation explain(String job) throws SiteException {
    return ask(new ControlRequest.Explain(job), JobExplanation.class);
  }

  @Override
  public List<LogLine> logs(String job, long after) throws SiteException {
    return List.of(ask(new ControlRequest.Logs(job, after), LogLine[].class));
  }

  @Override
  public List<DeviceLogs> siteLogs(String job, Set<String> devices, Map<String, String> marks)
      throws SiteException {
    return List.of(ask(new ControlRequest.SiteLogs(job, devices, marks), DeviceLogs[].class));
  }

  @Override
  public SiteLeftOut leftOut(String job) throws SiteException {
    return ask(new ControlRequest.LeftOut(job), SiteLeftOut.class);
  }

  @Override
  public SiteDrifts drifts(String job) throws SiteException {
    return ask(new ControlRequest.Drifts(job), SiteDrifts.class);
  }

  @Override
  public SiteStatus status() throws SiteException {
    return ask(new ControlRequest.Status(), SiteStatus.class);
  }

  @Override
  public String why(String job, String shard) throws SiteException {
    return ask(new ControlRequest.Why(job, shard), String.class);
  }

  @Override
  public String whatIf(Set<String> lost) throws SiteException {
    return ask(new ControlRequest.WhatIf(lost), String.class);
  }

  @Override
  public void drain(String device) throws SiteException {
    call(new ControlRequest.OfDevice(DeviceAction.DRAIN, device));
  }

  @Override
  public void undrain(String device) throws SiteException {
    call(new ControlRequest.OfDevice(DeviceAction.UNDRAIN, device));
  }

  @Override
  public void removeDevice(String device, boolean loseAuthority) throws SiteException {
    call(new ControlRequest.RemoveDevice(device, loseAuthority));
  }

  @Override
  public void expel(String device, boolean loseAuthority) throws SiteException {
    call(new ControlRequest.Expel(device, loseAuthority));
  }

  @Override
  public void giveAuthority(String device) throws SiteException {
    call(new ControlRequest.OfDevice(DeviceAction.GIVE_AUTHORITY, device));
  }

  @Override
  public SiteLimits limits() throws SiteException {
    return ask(new ControlRequest.ShowLimits(), SiteLimits.class);
  }

  @Override
  public void setLimits(Map<Limit, Long> values) throws SiteException {
    call(new ControlRequest.SetLimits(values));
  }

  @Override
  public Set<CenterRight> centerRights() throws SiteException {
    return Set.of(ask(new ControlRequest.ShowCenterRights(), CenterRight[].class));
  }

  @Override
  public void allowCenter(CenterRight right, boolean allowed) throws SiteException {
    call(new ControlRequest.AllowCenter(right, allowed));
  }

  @Override
  public List<AllowedDirectory> allowedDirectories() throws SiteException {
    return List.of(ask(new ControlRequest.ShowAllowed(), AllowedDirectory[].class));
  }

  @Override
  public void allow(String directory, boolean writable) throws SiteException {
    call(new ControlRequest.Allow(directory, writable));
  }

  @Override
  public void disallow(String directory) throws SiteException {
    call(new ControlRequest.Disallow(directory));
  }

  @Override
  public SecretStatus setSecret(String name, String value) throws SiteException {
    return ask(new ControlRequest.SetSecret(name, value), SecretStatus.class);
  }

  @Override
  public List<SecretStatus> secrets() throws SiteException {
    return List.of(ask(new ControlRequest.Secrets(), SecretStatus[].class));
  }

  @Override
  public void removeSecret(String name) throws SiteException {
    call(new ControlRequest.RemoveSecret(name));
  }

  @Override
  public List<Allowance> allowedTables() throws SiteException {
    return List.of(ask(new ControlRequest.AllowedTables(), Allowance[].class));
  }

  @Override
  public void allowTable(Allowance allowance) throws SiteException {
    call(new ControlRequest.AllowTable(allowance));
  }

  @Override
  public void disallowTable(String job, String table) throws SiteException {
    call(new ControlRequest.DisallowTable(job, table));
  }

  @Override
  public AlarmList alarms() throws SiteException {
    return ask(new ControlRequest.Alarms(), AlarmList.class);
  }

  @Override
  public List<AlarmChange> alarmHistory(long id) throws SiteException {
    return List.of(ask(new ControlRequest.AlarmHistory(id), AlarmChange[].class));
  }

  @Override
  public int actOnAlarms(
      AlarmEvent event, List<AlarmAction.Target> targets, String by, Duration shelved, String note)
      throws SiteException {
    return ask(
        new ControlRequest.ActOnAlarms(event, targets, by, shelved.toMillis(), note),
        Integer.class);
  }

  @Override
  public List<ModelStatus> models() throws SiteException {
    return List.of(ask(new ControlRequest.Models(), ModelStatus[].class));
  }

  @Override
  public void startTraining(String job, String model) throws SiteException {
    call(new ControlRequest.StartTraining(job, model));
  }

  @Override
  public TrainingStatus training(String job, String model) throws SiteException {
    return ask(new ControlRequest.ShowTraining(job, model), TrainingStatus.class);
  }

  @Override
  public void promoteModel(String job, String model, long version) throws SiteException {
    call(new ControlRequest.PromoteModel(job, model, version));
  }

  @Override
  public void shadowModel(String job, String model, long version) throws SiteException {
    call(new ControlRequest.ShadowModel(job, model, version));
  }

  @Override
  public byte[] exportModel(String job, String model, long version) throws SiteException {
    return ask(new ControlRequest.ExportModel(job, model, version), byte[].class);
  }

  @Override
  public Diagnosis diagnose() throws SiteException {
    return ask(new ControlRequest.Diagnose(), Diagnosis.class);
  }

  @Override
  public JoinToken token(Duration validFor) throws SiteException {
    return ask(new ControlRequest.Token(validFor.toMillis()), JoinToken.class);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // The device sees that nobody asks any more.
    }
  }
}
