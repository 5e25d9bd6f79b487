package io.sedge.site.internal.control;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmEvent;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Limit;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A call of {@link SiteControl}, as it goes over the socket. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ControlRequest.Discover.class, name = "discover"),
  @JsonSubTypes.Type(value = ControlRequest.Submit.class, name = "submit"),
  @JsonSubTypes.Type(value = ControlRequest.ShowReplacement.class, name = "replacement"),
  @JsonSubTypes.Type(value = ControlRequest.Replace.class, name = "replace"),
  @JsonSubTypes.Type(value = ControlRequest.Jobs.class, name = "jobs"),
  @JsonSubTypes.Type(value = ControlRequest.OfJob.class, name = "job"),
  @JsonSubTypes.Type(value = ControlRequest.RemoveJob.class, name = "removeJob"),
  @JsonSubTypes.Type(value = ControlRequest.Explain.class, name = "explain"),
  @JsonSubTypes.Type(value = ControlRequest.Logs.class, name = "logs"),
  @JsonSubTypes.Type(value = ControlRequest.SiteLogs.class, name = "siteLogs"),
  @JsonSubTypes.Type(value = ControlRequest.LeftOut.class, name = "leftOut"),
  @JsonSubTypes.Type(value = ControlRequest.Drifts.class, name = "drifts"),
  @JsonSubTypes.Type(value = ControlRequest.Status.class, name = "status"),
  @JsonSubTypes.Type(value = ControlRequest.Why.class, name = "why"),
  @JsonSubTypes.Type(value = ControlRequest.WhatIf.class, name = "whatIf"),
  @JsonSubTypes.Type(value = ControlRequest.OfDevice.class, name = "device"),
  @JsonSubTypes.Type(value = ControlRequest.RemoveDevice.class, name = "removeDevice"),
  @JsonSubTypes.Type(value = ControlRequest.Expel.class, name = "expel"),
  @JsonSubTypes.Type(value = ControlRequest.ShowLimits.class, name = "limits"),
  @JsonSubTypes.Type(value = ControlRequest.SetLimits.class, name = "setLimits"),
  @JsonSubTypes.Type(value = ControlRequest.ShowAllowed.class, name = "allowed"),
  @JsonSubTypes.Type(value = ControlRequest.Allow.class, name = "allow"),
  @JsonSubTypes.Type(value = ControlRequest.Disallow.class, name = "disallow"),
  @JsonSubTypes.Type(value = ControlRequest.ShowCenterRights.class, name = "centerRights"),
  @JsonSubTypes.Type(value = ControlRequest.AllowCenter.class, name = "allowCenter"),
  @JsonSubTypes.Type(value = ControlRequest.SetSecret.class, name = "setSecret"),
  @JsonSubTypes.Type(value = ControlRequest.Secrets.class, name = "secrets"),
  @JsonSubTypes.Type(value = ControlRequest.RemoveSecret.class, name = "removeSecret"),
  @JsonSubTypes.Type(value = ControlRequest.AllowedTables.class, name = "allowedTables"),
  @JsonSubTypes.Type(value = ControlRequest.AllowTable.class, name = "allowTable"),
  @JsonSubTypes.Type(value = ControlRequest.DisallowTable.class, name = "disallowTable"),
  @JsonSubTypes.Type(value = ControlRequest.Alarms.class, name = "alarms"),
  @JsonSubTypes.Type(value = ControlRequest.AlarmHistory.class, name = "alarmHistory"),
  @JsonSubTypes.Type(value = ControlRequest.ActOnAlarms.class, name = "actOnAlarms"),
  @JsonSubTypes.Type(value = ControlRequest.Models.class, name = "models"),
  @JsonSubTypes.Type(value = ControlRequest.StartTraining.class, name = "startTraining"),
  @JsonSubTypes.Type(value = ControlRequest.ShowTraining.class, name = "training"),
  @JsonSubTypes.Type(value = ControlRequest.PromoteModel.class, name = "promoteModel"),
  @JsonSubTypes.Type(value = ControlRequest.ShadowModel.class, name = "shadowModel"),
  @JsonSubTypes.Type(value = ControlRequest.ExportModel.class, name = "exportModel"),
  @JsonSubTypes.Type(value = ControlRequest.Diagnose.class, name = "diagnose"),
  @JsonSubTypes.Type(value = ControlRequest.Token.class, name = "token")
})
sealed interface ControlRequest {
  /** Makes the call; null if it has no answer but that it was done. */
  @Nullable Object call(SiteControl control) throws SiteException;

  /** What is done to a job. */
  enum JobAction {
    PAUSE,
    RESUME,
    STOP
  }

  /** What is done to a device. */
  enum DeviceAction {
    DRAIN,
    UNDRAIN,
    GIVE_AUTHORITY
  }

  record Discover(String job, String script) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.discover(job, script);
    }
  }

  record Submit(String job, String script) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.submit(job, script);
    }
  }

  record ShowReplacement(String job, String script) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.replacement(job, script);
    }
  }

  record Replace(String job, String script, JobReplacement shown) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.replace(job, script, shown);
      return null;
    }
  }

  record Jobs() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.jobs();
    }
  }

  record OfJob(JobAction action, String job) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      switch (action) {
        case PAUSE -> control.pause(job);
        case RESUME -> control.resume(job);
        case STOP -> control.stop(job);
      }
      return null;
    }
  }

  record RemoveJob(String job, boolean discardRows) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.removeJob(job, discardRows);
    }
  }

  record Explain(String job) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.explain(job);
    }
  }

  record Logs(String job, long after) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.logs(job, after);
    }
  }

  record SiteLogs(String job, Set<String> devices, Map<String, String> marks)
      implements ControlRequest {
    public SiteLogs {
      devices = Set.copyOf(devices);
      marks = Map.copyOf(marks);
    }

    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.siteLogs(job, devices, marks);
    }
  }

  record Drifts(String job) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.drifts(job);
    }
  }

  record LeftOut(String job) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.leftOut(job);
    }
  }

  record Status() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.status();
    }
  }

  record Why(String job, String shard) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.why(job, shard);
    }
  }

  record WhatIf(Set<String> lost) implements ControlRequest {
    public WhatIf {
      lost = Set.copyOf(lost);
    }

    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.whatIf(lost);
    }
  }

  record OfDevice(DeviceAction action, String device) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      switch (action) {
        case DRAIN -> control.drain(device);
        case UNDRAIN -> control.undrain(device);
        case GIVE_AUTHORITY -> control.giveAuthority(device);
      }
      return null;
    }
  }

  record RemoveDevice(String device, boolean loseAuthority) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.removeDevice(device, loseAuthority);
      return null;
    }
  }

  record Expel(String device, boolean loseAuthority) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.expel(device, loseAuthority);
      return null;
    }
  }

  record ShowLimits() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.limits();
    }
  }

  record SetLimits(Map<Limit, Long> values) implements ControlRequest {
    public SetLimits {
      values = Map.copyOf(values);
    }

    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.setLimits(values);
      return null;
    }
  }

  record ShowAllowed() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.allowedDirectories();
    }
  }

  record Allow(String directory, boolean writable) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.allow(directory, writable);
      return null;
    }
  }

  record Disallow(String directory) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.disallow(directory);
      return null;
    }
  }

  record ShowCenterRights() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.centerRights();
    }
  }

  record AllowCenter(CenterRight right, boolean allowed) implements ControlRequest {
    public AllowCenter {
      requireNonNull(right, "no right");
    }

    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.allowCenter(right, allowed);
      return null;
    }
  }

  record SetSecret(String name, String value) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.setSecret(name, value);
    }

    @Override
    public String toString() {
      return "SetSecret[name=%s]".formatted(name);
    }
  }

  record Secrets() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.secrets();
    }
  }

  record RemoveSecret(String name) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.removeSecret(name);
      return null;
    }
  }

  record AllowedTables() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.allowedTables();
    }
  }

  record AllowTable(Allowance allowance) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.allowTable(allowance);
      return null;
    }
  }

  record DisallowTable(String job, String table) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.disallowTable(job, table);
      return null;
    }
  }

  record Alarms() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.alarms();
    }
  }

  record AlarmHistory(long id) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.alarmHistory(id);
    }
  }

  record ActOnAlarms(
      AlarmEvent event,
      List<AlarmAction.Target> targets,
      String by,
      long shelvedMillis,
      String note)
      implements ControlRequest {
    public ActOnAlarms {
      targets = List.copyOf(targets);
    }

    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.actOnAlarms(event, targets, by, Duration.ofMillis(shelvedMillis), note);
    }
  }

  record Models() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.models();
    }
  }

  record StartTraining(String job, String model) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.startTraining(job, model);
      return null;
    }
  }

  record ShowTraining(String job, String model) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.training(job, model);
    }
  }

  record PromoteModel(String job, String model, long version) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.promoteModel(job, model, version);
      return null;
    }
  }

  record ShadowModel(String job, String model, long version) implements ControlRequest {
    @Override
    public @Nullable Object call(SiteControl control) throws SiteException {
      control.shadowModel(job, model, version);
      return null;
    }
  }

  record ExportModel(String job, String model, long version) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.exportModel(job, model, version);
    }
  }

  record Diagnose() implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.diagnose();
    }
  }

  record Token(long validMillis) implements ControlRequest {
    @Override
    public Object call(SiteControl control) throws SiteException {
      return control.token(Duration.ofMillis(validMillis));
    }
  }
}
