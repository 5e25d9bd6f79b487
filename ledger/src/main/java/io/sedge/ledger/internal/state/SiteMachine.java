package io.sedge.ledger.internal.state;

import io.sedge.alarm.AlarmView;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.Job;
import io.sedge.ledger.Limits;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.ModelVersion;
import io.sedge.ledger.Order;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.Secret;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.ledger.Token;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The state machine: applies envelopes, answers queries, writes and reads snapshots. */
public final class SiteMachine implements SiteState {
  private Site site = new Site();
  private Presence presence = new Presence();

  public Answers apply(long index, Envelope envelope) {
    advance(index);
    Site.Producer producer = new Site.Producer(envelope.producerHigh(), envelope.producerLow());
    Site.Answered last = site.producers.get(producer);
    if (last != null && envelope.sequence() == last.sequence()) {
      return last.answers();
    }
    List<Answer> answers = new ArrayList<>(envelope.commands().size());
    for (Command command : envelope.commands()) {
      boolean overtaken = last != null && envelope.sequence() < last.sequence();
      answers.add(overtaken ? new Answer.Repeated(index) : apply(command));
    }
    Answers all = new Answers(index, answers);
    if (last == null || envelope.sequence() > last.sequence()) {
      site.remember(producer, new Site.Answered(envelope.sequence(), all));
    }
    return all;
  }

  public void advance(long index) {
    if (index <= site.appliedIndex && index != 0) {
      throw new IllegalStateException(
          "entry %d is applied after entry %d".formatted(index, site.appliedIndex));
    }
    site.appliedIndex = index;
  }

  /** Takes what a device tells outside of the log. */
  public Answer tell(Command command) {
    String name =
        switch (command) {
          case Command.ReportDevice report when !report.last() -> report.device();
          case Command.MeasureDevice measure -> measure.device();
          default -> throw new IllegalArgumentException("%s is not told".formatted(command));
        };
    DeviceEntry device = site.devices.get(name);
    if (device == null) {
      return new Answer.Refused(Refusal.UNKNOWN_DEVICE, 0);
    }
    if (device.state == DeviceState.EXPELLED) {
      return new Answer.Refused(Refusal.EXPELLED, 0);
    }
    presence.take(command);
    return new Answer.Done(site.appliedIndex, 0);
  }

  public byte[] toldSince(long version) {
    return presence.since(version);
  }

  public long learn(byte[] told) throws MalformedException {
    return presence.learn(told);
  }

  public void keepTold(SiteMachine before) {
    presence = before.presence;
  }

  private Answer apply(Command command) {
    DeviceRegistry registry = new DeviceRegistry(site);
    Administration administration = new Administration(site);
    Committing committing = new Committing(site);
    Replacing replacing = new Replacing(site);
    return switch (command) {
      case Command.RegisterDevice register -> registry.register(register);
      case Command.ReportDevice report -> registry.report(report);
      case Command.MeasureDevice measure -> registry.measure(measure);
      case Command.SetDeviceState state -> registry.setState(state);
      case Command.RemoveDevice remove -> {
        Answer answer = registry.remove(remove);
        if (answer.isDone()) {
          presence.forget(remove.device());
        }
        yield answer;
      }
      case Command.AddToken add -> registry.add(add);
      case Command.EnrolDevice enrol -> registry.enrol(enrol);
      case Command.SubmitJob submit -> administration.submit(submit);
      case Command.ReplaceJob replace -> replacing.replace(replace);
      case Command.EndDelivery end -> replacing.endDelivery(end);
      case Command.SetJobState state -> administration.setState(state);
      case Command.SetParts parts -> administration.setParts(parts);
      case Command.RemoveJob remove -> administration.remove(remove);
      case Command.AssignTask assign -> administration.assign(assign);
      case Command.OpenTask open -> administration.open(open);
      case Command.EndTask end -> administration.end(end);
      case Command.RemoveTask remove -> administration.remove(remove);
      case Command.Commit commit -> committing.commit(commit);
      case Command.CommitPart part -> committing.part(part);
      case Command.AcknowledgeRows acknowledge -> administration.acknowledge(acknowledge);
      case Command.AcknowledgeTaskRows acknowledge -> administration.acknowledge(acknowledge);
      case Command.SetLimits limits -> administration.setLimits(limits);
      case Command.RaiseFormat raise -> registry.raise(raise);
      case Command.OfSecrets ofSecrets -> new Vaulting(site).carryOut(ofSecrets);
      case Command.OfOrders ofOrders -> new Ordering(site).carryOut(ofOrders);
      case Command.OfAlarms ofAlarms -> new Alarming(site).carryOut(ofAlarms);
      case Command.AddModelVersion add -> site.models.add(add, site);
    };
  }

  public void writeSnapshot(OutputStream output) throws IOException {
    SnapshotCodec.write(site, output);
  }

  public void readSnapshot(InputStream input) throws IOException, MalformedException {
    site = SnapshotCodec.read(input);
  }

  /** Fails if sums do not agree with what they are of. */
  void checkInvariants() {
    site.checkInvariants();
  }

  @Override
  public long appliedIndex() {
    return site.appliedIndex;
  }

  @Override
  public Limits limits() {
    return site.limits;
  }

  @Override
  public int format() {
    return site.format;
  }

  @Override
  public List<Device> devices() {
    return site.devices.values().stream().map(device -> presence.over(device.view())).toList();
  }

  @Override
  public Optional<Device> device(String name) {
    return Optional.ofNullable(site.devices.get(name)).map(device -> presence.over(device.view()));
  }

  @Override
  public long membershipVersion() {
    return site.membershipVersion;
  }

  @Override
  public Optional<Token> token(String hash) {
    return Optional.ofNullable(site.tokens.get(hash));
  }

  @Override
  public boolean isRemovedKey(String key) {
    return site.removedKeys.contains(key);
  }

  @Override
  public List<Secret> secrets() {
    return site.vault.secrets();
  }

  @Override
  public Map<String, byte[]> sealingKeys() {
    return Map.copyOf(site.vault.keys);
  }

  @Override
  public List<Order> orders() {
    return List.copyOf(site.orders.taken.values());
  }

  @Override
  public Optional<Order> lastOrder() {
    return site.orders.last();
  }

  @Override
  public Optional<Order> order(String job, long sequence) {
    return site.orders.ofRow(job, sequence);
  }

  @Override
  public List<Allowance> allowances() {
    return List.copyOf(site.orders.allowances.values());
  }

  @Override
  public boolean allows(CenterRight right) {
    return site.orders.rights.contains(right);
  }

  @Override
  public Map<String, Long> givenJobs() {
    return Map.copyOf(site.orders.givenJobs);
  }

  @Override
  public AlarmView alarms() {
    return site.alarms;
  }

  @Override
  public List<ModelVersion> models() {
    return site.models.all();
  }

  @Override
  public List<Job> jobs() {
    return site.jobs.values().stream().map(JobEntry::view).toList();
  }

  @Override
  public Optional<Job> job(String name) {
    return Optional.ofNullable(site.jobs.get(name)).map(JobEntry::view);
  }

  @Override
  public List<InputPart> parts(String job) {
    JobEntry entry = site.jobs.get(job);
    return entry == null ? List.of() : entry.parts;
  }

  @Override
  public List<Task> tasks() {
    return site.tasks.values().stream().map(TaskEntry::view).toList();
  }

  @Override
  public Optional<Task> task(TaskId id) {
    return Optional.ofNullable(site.tasks.get(id)).map(TaskEntry::view);
  }

  @Override
  public Map<String, byte[]> positions(TaskId id) {
    TaskEntry task = site.tasks.get(id);
    return task == null ? Map.of() : Map.copyOf(task.positions);
  }

  @Override
  public List<Map.Entry<byte[], byte[]>> state(TaskId id) {
    TaskEntry task = site.tasks.get(id);
    if (task == null) {
      return List.of();
    }
    List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>(task.state.size());
    task.state.forEach((key, value) -> entries.add(Map.entry(key, value)));
    return entries;
  }

  @Override
  public List<RowBlock> rows(String job, Channel channel, long after, int maxBytes) {
    JobEntry entry = site.jobs.get(job);
    return entry == null ? List.of() : entry.rows(channel).after(after, maxBytes);
  }

  @Override
  public long rowBytes(Channel channel) {
    return site.rowBytes(channel);
  }

  @Override
  public long rowBytes(TaskId task, Channel channel) {
    JobEntry entry = site.jobs.get(task.job());
    return entry == null ? 0 : entry.rows(channel).bytesByTask.getOrDefault(task, 0L);
  }

  @Override
  public long stateBytes() {
    return site.stateBytes;
  }
}
