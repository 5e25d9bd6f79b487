package io.sedge.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Answer;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Format;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Measures;
import io.sedge.ledger.Order;
import io.sedge.ledger.OrderState;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.Rows;
import io.sedge.ledger.TaskId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What the state should be, kept in the simplest way: rows one by one, keys as numbers, no bounds.
 * It believes the state machine when that refuses for want of room, and checks it in all else.
 */
final class Model {
  private static final class ModelTask {
    String device = "";
    boolean ended;
    long epoch;
    long sequence;
    final Map<String, String> positions = new HashMap<>();
    final Map<Byte, String> state = new HashMap<>();
  }

  private record Row(long sequence, long ofBlock, String shard, String table, String block) {}

  private static final class ModelQueue {
    final long before;
    long rows;
    long acknowledged;
    final List<Row> kept = new ArrayList<>();

    /**
     * @param before what its first row follows
     */
    ModelQueue(long before) {
      this.before = before;
      rows = before;
      acknowledged = before;
    }
  }

  private static final class ModelJob {
    JobState state = JobState.RUNNING;
    long version;
    Job.Earlier earlier;
    String script = "";
    List<InputPart> parts = List.of();
    List<JobFile> files = List.of();
    final Map<Channel, ModelQueue> queues = new EnumMap<>(Channel.class);

    /**
     * @param before what its first rows follow
     */
    ModelJob(long before) {
      for (Channel channel : Channel.values()) {
        queues.put(channel, new ModelQueue(before));
      }
    }

    ModelQueue queue(Channel channel) {
      return queues.get(channel);
    }
  }

  private final Map<TaskId, ModelTask> tasks = new HashMap<>();
  private final Map<String, ModelJob> jobs = new HashMap<>();
  private int format = Format.FIRST;
  private final Set<String> devices = new HashSet<>();
  private final Map<String, String> tokens = new HashMap<>();
  private final ModelSecrets secrets = new ModelSecrets();
  private final ModelOrders orders = new ModelOrders();
  private final Set<String> removedKeys = new HashSet<>();
  private final Map<String, Boolean> stopped = new HashMap<>();
  private final Map<String, Measures> measures = new HashMap<>();

  /** The highest numbers so far, also of what was removed since. */
  private final Map<String, Long> highest = new HashMap<>();

  private long neverUsed(String what, long number) {
    assertThat(number).as("%s is used once", what).isGreaterThan(highest.getOrDefault(what, 0L));
    highest.put(what, number);
    return number;
  }

  /** Takes a command over that the state machine has answered. */
  void follow(Command command, Answer answer) {
    switch (command) {
      case Command.Commit commit -> follow(commit, answer);
      case Command.AssignTask assign -> {
        if (answer instanceof Answer.Done(long _, long value)) {
          ModelTask task = tasks.computeIfAbsent(assign.task(), _ -> new ModelTask());
          assertThat(assign.epoch()).isEqualTo(task.epoch);
          assertThat(task.ended).isFalse();
          assertThat(jobs).containsKey(assign.task().job());
          task.device = assign.device();
          task.epoch = neverUsed("epoch of " + assign.task(), value);
        }
      }
      case Command.OpenTask open -> {
        ModelTask task = tasks.get(open.task());
        boolean expected =
            task != null && task.device.equals(open.device()) && task.epoch == open.epoch();
        assertThat(answer.isDone()).as("%s", open).isEqualTo(expected);
        if (task != null && answer instanceof Answer.Done(long _, long value)) {
          task.epoch = neverUsed("epoch of " + open.task(), value);
        }
      }
      case Command.RemoveTask remove -> {
        ModelTask task = tasks.get(remove.task());
        assertThat(answer.isDone()).isEqualTo(task != null && task.epoch == remove.epoch());
        if (answer.isDone()) {
          tasks.remove(remove.task());
        }
      }
      case Command.SubmitJob submit -> {
        if (answer instanceof Answer.Done(long _, long version)) {
          neverUsed("version of " + submit.job(), version);
          ModelJob job = jobs.computeIfAbsent(submit.job(), _ -> new ModelJob(version - 1));
          job.version = version;
          job.script = submit.script();
          job.files = submit.files();
          job.parts = List.of();
        }
      }
      case Command.ReplaceJob replace -> follow(replace, answer);
      case Command.EndDelivery end -> {
        ModelJob job = jobs.get(end.job());
        boolean expected =
            job != null && job.earlier != null && job.earlier.version() == end.version();
        assertThat(answer.isDone()).as("%s", end).isEqualTo(expected);
        if (expected) {
          ModelQueue queue = job.queue(Channel.OUTBOX);
          queue.acknowledged = Math.max(queue.acknowledged, job.earlier.lastRow());
          orders.delivered(end.job(), job.earlier.lastRow());
          queue.kept.removeIf(row -> row.sequence() <= queue.acknowledged);
          job.earlier = null;
        }
      }
      case Command.SetJobState set -> {
        ModelJob job = jobs.get(set.job());
        boolean expected =
            job != null
                && job.version == set.version()
                && (set.state().hasEnded() || !job.state.hasEnded());
        assertThat(answer.isDone()).as("%s", set).isEqualTo(expected);
        if (answer.isDone()) {
          job.state = set.state();
          if (set.state().hasEnded()) {
            ModelQueue exchange = job.queue(Channel.EXCHANGE);
            exchange.acknowledged = exchange.rows;
            exchange.kept.clear();
          }
        }
      }
      case Command.SetParts set -> {
        ModelJob job = jobs.get(set.job());
        boolean expected = job != null && job.version == set.version() && job.parts.isEmpty();
        assertThat(answer.isDone()).as("%s", set).isEqualTo(expected);
        if (job != null && answer.isDone()) {
          job.parts = set.parts();
        }
      }
      case Command.RemoveJob remove -> {
        if (answer.isDone()) {
          orders.removed(remove.job());
          ModelJob removed = jobs.remove(remove.job());
          assertThat(removed.state.hasEnded()).isTrue();
          assertThat(removed.queue(Channel.OUTBOX).kept.isEmpty() || remove.discardRows()).isTrue();
          tasks.keySet().removeIf(task -> task.job().equals(remove.job()));
        }
      }
      case Command.AcknowledgeRows acknowledge -> {
        ModelJob job = jobs.get(acknowledge.job());
        ModelQueue queue = job == null ? null : job.queue(acknowledge.channel());
        assertThat(answer.isDone()).isEqualTo(queue != null && acknowledge.upTo() <= queue.rows);
        if (queue != null && answer.isDone()) {
          queue.acknowledged = Math.max(queue.acknowledged, acknowledge.upTo());
          if (acknowledge.channel() == Channel.OUTBOX) {
            orders.delivered(acknowledge.job(), acknowledge.upTo());
          }
          queue.kept.removeIf(row -> row.sequence() <= queue.acknowledged);
        }
      }
      case Command.AcknowledgeTaskRows acknowledge -> {
        ModelJob job = jobs.get(acknowledge.task().job());
        ModelQueue queue = job == null ? null : job.queue(acknowledge.channel());
        assertThat(answer.isDone()).isEqualTo(queue != null && acknowledge.upTo() <= queue.rows);
        if (queue != null && answer.isDone()) {
          queue.kept.removeIf(
              row ->
                  row.ofBlock() <= acknowledge.upTo()
                      && row.shard().equals(acknowledge.task().shard()));
        }
      }
      case Command.RegisterDevice register -> {
        if (answer.isDone()) {
          devices.add(register.device());
        }
      }
      case Command.RemoveDevice remove -> {
        if (answer.isDone()) {
          devices.remove(remove.device());
          secrets.shutOut(remove.device());
          stopped.remove(remove.device());
          measures.remove(remove.device());
          assertThat(tasks.values()).noneMatch(task -> task.device.equals(remove.device()));
          removedKeys.add(remove.key());
        }
      }
      case Command.AddToken add -> {
        if (answer.isDone()) {
          tokens.put(add.hash(), "");
        }
      }
      case Command.EnrolDevice enrol -> {
        if (answer.isDone()) {
          assertThat(tokens).containsKey(enrol.token());
          tokens.put(enrol.token(), enrol.key());
          devices.add(enrol.registration().device());
        }
      }
      case Command.ReportDevice report -> {
        if (answer.isDone()) {
          assertThat(devices).contains(report.device());
          stopped.put(report.device(), report.last());
        }
      }
      case Command.MeasureDevice measure -> {
        assertThat(answer.isDone()).isEqualTo(devices.contains(measure.device()));
        if (answer.isDone()) {
          measures.put(measure.device(), measure.measures());
        }
      }
      case Command.EndTask end -> {
        ModelTask task = tasks.get(end.task());
        assertThat(answer.isDone()).isEqualTo(task != null && task.epoch == end.epoch());
        if (task != null && answer instanceof Answer.Done(long _, long value)) {
          task.device = "";
          task.ended = true;
          task.state.clear();
          task.epoch = neverUsed("epoch of " + end.task(), value);
        }
      }
      case Command.SetDeviceState set -> {
        assertThat(answer.isDone()).isEqualTo(devices.contains(set.device()));
        if (set.state() == DeviceState.EXPELLED) {
          secrets.shutOut(set.device());
        }
      }
      case Command.OfSecrets ofSecrets -> secrets.follow(ofSecrets, answer);
      case Command.OfOrders ofOrders -> orders.follow(ofOrders, answer);
      case Command.ReportAlarms report -> {
        ModelTask task = tasks.get(report.task());
        assertThat(answer.isDone()).isEqualTo(task != null && task.epoch == report.epoch());
      }
      case Command.KeepAlarms keep -> {
        ModelTask task = tasks.get(keep.task());
        assertThat(answer.isDone()).isEqualTo(task != null && task.epoch == keep.epoch());
      }
      case Command.AddModelVersion add ->
          assertThat(answer.isDone()).isEqualTo(jobs.containsKey(add.version().job()));
      case Command.ActOnAlarms _ -> assertThat(answer.isDone()).isTrue();
      case Command.RaiseFormat raise -> {
        if (answer.isDone()) {
          assertThat(raise.format()).isGreaterThan(format);
          format = raise.format();
        }
      }
      case Command.CommitPart _, Command.SetLimits _ -> {}
    }
  }

  /** Which orders there were, and what may be written. */
  private final class ModelOrders {
    final Map<UUID, OrderState> states = new HashMap<>();
    final Map<UUID, Order.Row> rows = new HashMap<>();
    final Set<String> allowed = new HashSet<>();
    final Map<String, Long> given = new HashMap<>();
    final Set<CenterRight> rights = EnumSet.noneOf(CenterRight.class);
    long last;

    void follow(Command.OfOrders command, Answer answer) {
      switch (command) {
        case Command.TakeOrder take -> follow(take, answer);
        case Command.SettleOrder settle -> {
          assertThat(answer.isDone()).isTrue();
          states.computeIfPresent(settle.id(), (_, before) -> next(before, settle.state()));
        }
        case Command.AllowTable allow -> {
          assertThat(answer.isDone()).isTrue();
          allowed.add(allow.allowance().job() + "." + allow.allowance().table());
        }
        case Command.DisallowTable disallow ->
            allowed.remove(disallow.job() + "." + disallow.table());
        case Command.AllowCenter allow -> {
          if (allow.allowed()) {
            rights.add(allow.right());
          } else {
            rights.remove(allow.right());
          }
        }
        case Command.MarkJob mark -> {
          if (mark.version() == 0) {
            given.remove(mark.job());
            break;
          }
          boolean own = jobs.containsKey(mark.job()) && !given.containsKey(mark.job());
          assertThat(!(own || !rights.contains(CenterRight.JOBS)) || !answer.isDone())
              .as("%s", mark)
              .isTrue();
          if (answer.isDone()) {
            given.put(mark.job(), mark.version());
          }
        }
      }
    }

    private static OrderState next(OrderState before, OrderState after) {
      return before.isFinal() || after.compareTo(before) <= 0 ? before : after;
    }

    private void follow(Command.TakeOrder take, Answer answer) {
      if (states.containsKey(take.id())) {
        assertThat(answer).as("%s is taken once", take.id()).isInstanceOf(Answer.Repeated.class);
        return;
      }
      if (take.number() <= last) {
        assertThat(answer).isInstanceOf(Answer.Refused.class);
        return;
      }
      if (take.row().isPresent()) {
        Command.NewRow row = take.row().get();
        ModelJob job = jobs.get(row.job());
        boolean may =
            job != null
                && job.state == JobState.RUNNING
                && job.version == row.version()
                && allowed.contains(row.job() + "." + row.table());
        assertThat(may || !answer.isDone()).as("%s", take).isTrue();
        if (job != null && answer instanceof Answer.Done(long _, long sequence)) {
          ModelQueue queue = job.queue(Channel.OUTBOX);
          assertThat(sequence).isEqualTo(++queue.rows);
          queue.kept.add(new Row(sequence, sequence, Order.SHARD, row.table(), text(row.bytes())));
          rows.put(take.id(), new Order.Row(row.job(), row.table(), row.untilMillis(), sequence));
        }
      }
      if (answer.isDone()) {
        last = take.number();
        states.put(take.id(), take.state());
      }
    }

    void delivered(String job, long upTo) {
      rows.forEach(
          (id, row) -> {
            if (row.job().equals(job) && row.sequence() <= upTo) {
              states.computeIfPresent(id, (_, before) -> next(before, OrderState.WRITTEN));
            }
          });
    }

    void removed(String job) {
      rows.forEach(
          (id, row) -> {
            if (row.job().equals(job) && states.get(id) == OrderState.ACCEPTED) {
              states.put(id, OrderState.FAILED);
            }
          });
      rows.values().removeIf(row -> row.job().equals(job));
      given.remove(job);
    }

    void check(SiteMachine machine) {
      Map<UUID, OrderState> found = new HashMap<>();
      machine.orders().forEach(order -> found.put(order.id(), order.state()));
      assertThat(found).isEqualTo(states);
      rows.forEach(
          (id, row) ->
              assertThat(machine.order(row.job(), row.sequence()).orElseThrow().id())
                  .isEqualTo(id));
      assertThat(machine.allowances())
          .extracting(allowance -> allowance.job() + "." + allowance.table())
          .containsExactlyInAnyOrderElementsOf(allowed);
      for (CenterRight right : CenterRight.values()) {
        assertThat(machine.allows(right)).isEqualTo(rights.contains(right));
      }
      assertThat(machine.givenJobs()).isEqualTo(given);
    }
  }

  /** Which device may read which secret. */
  private final class ModelSecrets {
    final Map<String, String> keys = new HashMap<>();
    final Map<String, Map<String, String>> shares = new HashMap<>();

    void follow(Command.OfSecrets command, Answer answer) {
      switch (command) {
        case Command.AnnounceKey announce -> {
          if (answer.isDone()) {
            assertThat(devices).contains(announce.device());
            String before = keys.put(announce.device(), text(announce.key()));
            if (!text(announce.key()).equals(before)) {
              shares.values().forEach(of -> of.remove(announce.device()));
            }
          }
        }
        case Command.SetSecret set -> {
          Map<String, String> taken = new HashMap<>();
          set.shares()
              .forEach(
                  (device, share) -> {
                    if (text(share.recipient()).equals(keys.get(device))) {
                      taken.put(device, text(share.bytes()));
                    }
                  });
          assertThat(answer.isDone()).isEqualTo(!taken.isEmpty());
          if (answer instanceof Answer.Done(long _, long version)) {
            neverUsed("version of secret " + set.secret(), version);
            shares.put(set.secret(), taken);
          }
        }
        case Command.ShareSecret share -> {
          if (answer.isDone()) {
            assertThat(text(share.share().recipient())).isEqualTo(keys.get(share.device()));
            shares.get(share.secret()).putIfAbsent(share.device(), text(share.share().bytes()));
          }
        }
        case Command.RemoveSecret remove -> shares.remove(remove.secret());
      }
    }

    void shutOut(String device) {
      keys.remove(device);
      shares.values().forEach(of -> of.remove(device));
    }

    void check(SiteMachine machine) {
      assertThat(texts(machine.sealingKeys())).isEqualTo(keys);
      Map<String, Map<String, String>> found = new HashMap<>();
      machine.secrets().forEach(secret -> found.put(secret.name(), texts(secret.shares())));
      assertThat(found).isEqualTo(shares);
    }

    private static Map<String, String> texts(Map<String, byte[]> values) {
      Map<String, String> texts = new HashMap<>();
      values.forEach((name, bytes) -> texts.put(name, text(bytes)));
      return texts;
    }
  }

  private void follow(Command.ReplaceJob replace, Answer answer) {
    if (answer instanceof Answer.Refused(Refusal reason, long _) && reason == Refusal.TOO_LARGE) {
      return;
    }
    ModelJob job = jobs.get(replace.job());
    Set<String> there = new HashSet<>();
    tasks.keySet().stream()
        .filter(task -> task.job().equals(replace.job()))
        .forEach(task -> there.add(task.shard()));
    Set<String> named = new HashSet<>(replace.dropped());
    replace.kept().forEach(kept -> named.addAll(kept.shards()));
    boolean expected =
        job != null
            && job.version == replace.version()
            && !job.state.hasEnded()
            && job.earlier == null
            && job.parts.isEmpty()
            && named.equals(there);
    assertThat(answer.isDone()).as("%s", replace).isEqualTo(expected);
    if (!expected) {
      return;
    }
    ModelQueue outbox = job.queue(Channel.OUTBOX);
    job.earlier =
        replace.deliversBefore()
            ? new Job.Earlier(job.script, job.version, outbox.rows, job.files)
            : null;
    job.script = replace.script();
    job.files = replace.files();
    job.version = neverUsed("version of " + replace.job(), job.version + 1);
    replace.dropped().forEach(shard -> tasks.remove(new TaskId(replace.job(), shard)));
    for (Command.KeptTasks kept : replace.kept()) {
      kept.shards().forEach(shard -> keep(tasks.get(new TaskId(replace.job(), shard)), kept));
    }
    List<Row> exchange = List.copyOf(job.queue(Channel.EXCHANGE).kept);
    job.queue(Channel.EXCHANGE).kept.clear();
    for (Row row : exchange) {
      String table = replace.exchanges().get(row.table());
      if (table != null) {
        job.queue(Channel.EXCHANGE)
            .kept
            .add(new Row(row.sequence(), row.ofBlock(), row.shard(), table, row.block()));
      }
    }
  }

  private static void keep(ModelTask task, Command.KeptTasks kept) {
    Map<String, String> positions = new HashMap<>();
    kept.positions()
        .forEach(
            (from, to) -> {
              if (task.positions.containsKey(from)) {
                positions.put(to, task.positions.get(from));
              }
            });
    task.positions.clear();
    task.positions.putAll(positions);
    Map<Byte, String> state = new HashMap<>();
    for (Command.KeptState each : kept.state()) {
      if (task.state.containsKey(each.from()[0])) {
        state.put(each.to()[0], task.state.get(each.from()[0]));
      }
    }
    if (!state.isEmpty()) {
      kept.set().forEach(change -> state.put(change.key()[0], text(change.value())));
    }
    task.state.clear();
    task.state.putAll(state);
    task.ended &= !kept.goesOn();
    task.epoch++;
  }

  private void follow(Command.Commit commit, Answer answer) {
    ModelTask task = tasks.get(commit.task());
    if (task == null || task.epoch != commit.epoch() || task.device.isEmpty()) {
      assertThat(answer).as("without an owner").isInstanceOf(Answer.Refused.class);
      return;
    }
    if (commit.sequence() <= task.sequence) {
      assertThat(answer).isInstanceOf(Answer.Repeated.class);
      return;
    }
    if (commit.sequence() != task.sequence + 1) {
      assertThat(answer).as("with a gap").isInstanceOf(Answer.Refused.class);
      return;
    }
    if (answer instanceof Answer.Refused) {
      return; // No room; that it has changed nothing is checked with the rest.
    }
    assertThat(answer).isInstanceOf(Answer.Done.class);
    task.sequence++;
    commit.positions().forEach((source, at) -> task.positions.put(source, text(at)));
    for (Change change : commit.changes()) {
      byte[] value = change.value();
      if (value == null) {
        task.state.remove(change.key()[0]);
      } else {
        task.state.put(change.key()[0], text(value));
      }
    }
    ModelJob job = jobs.get(commit.task().job());
    for (Rows rows : commit.rows()) {
      boolean kept = rows.channel() == Channel.OUTBOX || !job.state.hasEnded();
      ModelQueue queue = job.queue(rows.channel());
      long last = queue.rows + rows.count();
      for (int i = 0; kept && i < rows.count(); i++) {
        queue.rows = neverUsed(rows.channel() + " of " + commit.task().job(), queue.rows + 1);
        queue.kept.add(
            new Row(queue.rows, last, commit.task().shard(), rows.table(), text(rows.bytes())));
      }
    }
  }

  private static String text(byte[] bytes) {
    return java.util.HexFormat.of().formatHex(bytes);
  }

  void check(SiteMachine machine) {
    machine.checkInvariants();
    secrets.check(machine);
    orders.check(machine);
    assertThat(machine.devices()).extracting(device -> device.name()).hasSameElementsAs(devices);
    assertThat(machine.devices())
        .allMatch(device -> device.stopped() == stopped.getOrDefault(device.name(), false));
    assertThat(machine.devices())
        .allMatch(
            device ->
                device.measures().equals(measures.getOrDefault(device.name(), Measures.NONE)));
    tokens.forEach(
        (hash, usedBy) -> assertThat(machine.token(hash).orElseThrow().usedBy()).isEqualTo(usedBy));
    assertThat(removedKeys).allMatch(key -> key.isEmpty() || machine.isRemovedKey(key));
    assertThat(machine.tasks()).hasSize(tasks.size());
    tasks.forEach((id, task) -> check(machine, id, task));
    assertThat(machine.jobs()).hasSize(jobs.size());
    jobs.forEach((name, job) -> assertThat(machine.parts(name)).isEqualTo(job.parts));
    jobs.forEach(
        (name, job) ->
            assertThat(machine.job(name).orElseThrow().earlier().orElse(null))
                .isEqualTo(job.earlier));
    jobs.forEach(
        (name, job) -> assertThat(machine.job(name).orElseThrow().files()).isEqualTo(job.files));
    for (Channel channel : Channel.values()) {
      jobs.forEach((name, job) -> check(machine, name, channel, job.queue(channel)));
    }
    assertThat(machine.rowBytes(Channel.OUTBOX)).isNotNegative();
  }

  private static void check(SiteMachine machine, TaskId id, ModelTask expected) {
    var task = machine.task(id).orElseThrow();
    assertThat(task.device()).isEqualTo(expected.device);
    assertThat(task.ended()).isEqualTo(expected.ended);
    assertThat(task.epoch()).isEqualTo(expected.epoch);
    assertThat(task.sequence()).isEqualTo(expected.sequence);
    Map<String, String> positions = new HashMap<>();
    machine.positions(id).forEach((source, at) -> positions.put(source, text(at)));
    assertThat(positions).isEqualTo(expected.positions);
    Map<Byte, String> state = new HashMap<>();
    machine.state(id).forEach(entry -> state.put(entry.getKey()[0], text(entry.getValue())));
    assertThat(state).isEqualTo(expected.state);
  }

  /**
   * Rows not acknowledged are all there, in order; of those acknowledged, part of a block may be.
   */
  private static void check(
      SiteMachine machine, String name, Channel channel, ModelQueue expected) {
    if (channel == Channel.OUTBOX) {
      var job = machine.job(name).orElseThrow();
      assertThat(job.nextRow()).isEqualTo(expected.rows + 1);
      assertThat(job.rows()).isEqualTo(expected.rows - expected.before);
      assertThat(job.acknowledgedRow()).isEqualTo(expected.acknowledged);
    }
    List<Row> rows = new ArrayList<>();
    for (RowBlock entry : machine.rows(name, channel, expected.acknowledged, Integer.MAX_VALUE)) {
      for (long row = entry.sequence(); row <= entry.last(); row++) {
        if (row > expected.acknowledged) {
          rows.add(
              new Row(
                  row,
                  entry.last(),
                  entry.task().shard(),
                  entry.rows().table(),
                  text(entry.rows().bytes())));
        }
      }
    }
    assertThat(rows).isEqualTo(expected.kept);
  }
}
